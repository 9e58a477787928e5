import { useContext, useMemo } from 'react'
import { deletionOf, type NewRowChange, updateOf } from '#web/sync/change.ts'
import { isComplete, newCategory } from './category-actions.ts'
import { type ActionResult, makeChange } from './make-change.ts'
import { newPrayer, removalOf } from './prayer-actions.ts'
import type { Prayer } from './prayers.ts'
import { type UserData, UserDataContext } from './rows.ts'

/** Prayers that are added to a category, in the order in which lists show them. */
export interface PrayerList {
  category: {
    id: string
    /** If the category is added with them, its name; otherwise null. */
    newName: string | null
    /** Whether it is a hidden category, which is shown again. */
    isHidden?: boolean
  }
  prayers: readonly Pick<Prayer, 'id' | 'person_name' | 'note'>[]
}

/** Changes many prayers in one step: this device stores all of it or nothing. */
export interface PrayerListActions {
  /** Adds prayers. Repeated with the same ids, they are still the same prayers. */
  add: (lists: readonly PrayerList[]) => Promise<ActionResult>
  /** Takes back what `add` has added; a category only while nothing else is in it. */
  takeBack: (lists: readonly PrayerList[]) => Promise<ActionResult>
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
    add: (lists) =>
      makeChange(data, { table, kind: 'insert' }, async (sync, user_id) => {
        // Without a connection, the numbers of new categories follow those that are known.
        if (lists.some(({ category }) => category.newName !== null)) await isComplete(sync)
        const now = Date.now()
        const categories: NewRowChange[] = []
        const prayers: NewRowChange[] = []
        for (const { category, prayers: listed } of lists) {
          const { id: category_id, newName, isHidden } = category
          if (isHidden) categories.push(visibility(category_id, true))
          if (newName !== null) {
            const given = { id: category_id, user_id, name: newName }
            categories.push(newCategory(given, sync.rows('categories'), categories.length))
          }
          for (const { id, ...fields } of listed) {
            // Lists show the newest one first.
            const created_at = new Date(now - prayers.length).toISOString()
            prayers.push(newPrayer({ ...fields, category_id }, { id, user_id, created_at }))
          }
        }
        return [...categories, ...prayers]
      }),
    takeBack: (lists) =>
      makeChange(data, { table, kind: 'delete' }, (sync) =>
        lists.flatMap(({ category, prayers }) => {
          const ids = new Set(prayers.map(({ id }) => id))
          const all = sync.rows(table)
          const isUsed = all.some(({ id, category_id }) => category_id === category.id && !ids.has(id))
          const deleted = all.filter(({ id }) => ids.has(id)).map(removalOf)
          if (category.isHidden) return [...deleted, visibility(category.id, false)]
          if (category.newName === null || isUsed) return deleted
          return [...deleted, deletionOf('categories', category.id, {})]
        }),
      ),
    move: (ids, category_id) =>
      makeChange(data, { table, kind: 'update' }, (sync) => {
        const chosen = new Set(ids)
        const prayer_ids = sync.rows(table).flatMap(({ id }) => (chosen.has(id) ? [id] : []))
        if (prayer_ids.length === 0) return null
        return { kind: 'call', table, name: 'move_prayers', args: { prayer_ids, category_id } }
      }),
  }
}

function visibility(id: string, is_visible: boolean): NewRowChange {
  return updateOf('categories', id, { is_visible, updated_at: new Date().toISOString() }, {})
}
