import { useContext, useMemo } from 'react'
import { deletionOf } from '#web/sync/change.ts'
import { isComplete, newCategory } from './category-actions.ts'
import { type ActionResult, makeChange } from './make-change.ts'
import { newPrayer, type Prayer, removalOf } from './prayers.ts'
import { type UserData, UserDataContext } from './rows.ts'

/** Prayers that are added together, in the order in which lists show them. */
export interface PrayerList {
  category: {
    id: string
    /** If the category is added with them, its name; otherwise null. */
    newName: string | null
  }
  prayers: readonly Pick<Prayer, 'id' | 'person_name' | 'note'>[]
}

/** Changes many prayers in one step: this device stores all of it or nothing. */
export interface PrayerListActions {
  /** Adds prayers. Repeated with the same ids, they are still the same prayers. */
  add: (list: PrayerList) => Promise<ActionResult>
  /** Takes back what `add` has added; a category only while nothing else is in it. */
  takeBack: (list: PrayerList) => Promise<ActionResult>
  /** Moves prayers to a category. Those that do not exist any more are left out. */
  move: (ids: readonly string[], categoryId: string) => Promise<ActionResult>
}

export function usePrayerListActions(): PrayerListActions {
  const data = useContext(UserDataContext)
  return useMemo(() => prayerListActions(data), [data])
}

export function prayerListActions(data: UserData | null): PrayerListActions {
  const table = 'prayers'
  return {
    add: ({ category: { id: category_id, newName }, prayers }) =>
      makeChange(data, { table, kind: 'insert' }, async (sync, user_id) => {
        // Without a connection, the number of a new category follows those that are known.
        if (newName !== null) await isComplete(sync)
        const now = Date.now()
        const category = { id: category_id, user_id, name: newName ?? '' }
        return [
          ...(newName === null ? [] : [newCategory(category, sync.rows('categories'))]),
          ...prayers.map(({ id, ...fields }, index) =>
            // Lists show the newest one first.
            newPrayer(
              { ...fields, category_id },
              { id, user_id, created_at: new Date(now - index).toISOString() },
            ),
          ),
        ]
      }),
    takeBack: ({ category, prayers }) =>
      makeChange(data, { table, kind: 'delete' }, (sync) => {
        const ids = new Set(prayers.map(({ id }) => id))
        const all = sync.rows(table)
        const isUsed = all.some(({ id, category_id }) => category_id === category.id && !ids.has(id))
        const deleted = all.filter(({ id }) => ids.has(id)).map(removalOf)
        if (category.newName === null || isUsed) return deleted
        return [...deleted, deletionOf('categories', category.id, {})]
      }),
    move: (ids, category_id) =>
      makeChange(data, { table, kind: 'update' }, (sync) => {
        const chosen = new Set(ids)
        const prayer_ids = sync.rows(table).flatMap(({ id }) => (chosen.has(id) ? [id] : []))
        if (prayer_ids.length === 0) return null
        return { kind: 'call', table, name: 'move_prayers', args: { prayer_ids, category_id } }
      }),
  }
}
