import { useContext, useMemo } from 'react'
import { type InferOutput, nullish, number, object, string } from 'valibot'
import { UserError } from '#web/lib/error-message.ts'
import { newId } from '#web/lib/new-id.ts'
import type { DeviceSync } from '#web/sync/open-sync.ts'
import { describedBy, type RowOf, type Same, type TableRules } from '#web/sync/schema.ts'
import { type ActionResult, makeChange } from './changes.ts'
import { keptAsUpdate, newestFirst } from './prayers.ts'
import { type ListState, type UserData, UserDataContext, useRows, useSync } from './rows.ts'

export const prayerUpdateSchema = object({
  id: string(),
  user_id: string(),
  prayer_id: string(),
  body: string(),
  created_at: string(),
  updated_at: string(),
  rev: number(),
  answered_on: nullish(string(), null),
})

/** A dated note on a prayer, deleted with it. */
export type PrayerUpdate = Same<RowOf<'prayer_updates'>, InferOutput<typeof prayerUpdateSchema>>

const NO_UPDATES: readonly PrayerUpdate[] = []

export interface PrayerUpdateActions {
  /**
   * Adds an update to a prayer.
   *
   * @param id repeated with the same id, it is still one update
   */
  addUpdate: (fields: Pick<PrayerUpdate, 'prayer_id' | 'body'>, id?: string) => Promise<ActionResult>
  /** @param shown the update as it was when editing began: see the actions of a prayer */
  changeUpdate: (shown: PrayerUpdate, body: string) => Promise<ActionResult>
  /** Deletes an update, unless it was changed elsewhere and is not the one that was shown. */
  deleteUpdate: (shown: PrayerUpdate) => Promise<ActionResult>
}

export const PRAYER_UPDATE_RULES: TableRules<'prayer_updates'> = {
  ...describedBy(prayerUpdateSchema),
  compare: newestFirst,
  order: [
    { column: 'created_at', descending: true },
    { column: 'id', descending: true },
  ],
  typed: ['body'],
  texts: ['body'],
  computed: ['updated_at'],
  conflictCopy: (text, { prayer_id = null }, at) => keptAsUpdate(prayer_id, text, at),
  reference: { column: 'prayer_id', table: 'prayers', cascades: true },
  calls: {},
}

/** The updates of all prayers, newest first. */
export function usePrayerUpdates(): ListState<PrayerUpdate> {
  return useRows('prayer_updates')
}

/** When the newest update of a prayer was added, as ISO 8601 text; null if it has none. */
export function useNewestUpdate(prayerId: string): string | null {
  return useSync((sync) => updatesIn(sync, prayerId)[0]?.created_at ?? null, null)
}

/** The updates of a prayer, newest first. */
export function useUpdatesOf(prayerId: string): readonly PrayerUpdate[] {
  return useSync((sync) => updatesIn(sync, prayerId), NO_UPDATES)
}

function updatesIn(sync: DeviceSync, prayerId: string): readonly PrayerUpdate[] {
  return updatesByPrayer(sync.rows('prayer_updates')).get(prayerId) ?? NO_UPDATES
}

export function usePrayerUpdateActions(): PrayerUpdateActions {
  const data = useContext(UserDataContext)
  return useMemo(() => prayerUpdateActions(data), [data])
}

export function prayerUpdateActions(data: UserData | null): PrayerUpdateActions {
  const table = 'prayer_updates'
  return {
    addUpdate: ({ prayer_id, body }, id = newId()) =>
      makeChange(data, { table, kind: 'insert' }, (sync, user_id) => {
        requireText(body)
        if (!sync.rows('prayers').some((prayer) => prayer.id === prayer_id))
          throw new UserError('Prayer not found')
        const created_at = new Date().toISOString()
        const fields = { id, user_id, prayer_id, body, created_at, updated_at: created_at }
        return { kind: 'insert', table, row: id, fields }
      }),
    changeUpdate: ({ id, prayer_id, body: shown }, body) =>
      makeChange(data, { table, kind: 'update' }, (sync) => {
        requireText(body)
        if (!sync.rows(table).some((update) => update.id === id)) throw new UserError('Update not found')
        // If the update was deleted elsewhere, the text can be added to its prayer again.
        return { kind: 'update', table, row: id, fields: { prayer_id, body }, base: { body: shown } }
      }),
    deleteUpdate: ({ id, body }) =>
      makeChange(data, { table, kind: 'delete' }, () => ({ kind: 'delete', table, row: id, base: { body } })),
  }
}

/** Every row of the dashboard reads this: the result is kept for as long as the list is the same. */
const updatesByPrayerOf = new WeakMap<readonly PrayerUpdate[], ReadonlyMap<string, readonly PrayerUpdate[]>>()

/** The updates of each prayer that has any, in their order, by the id of the prayer. */
export function updatesByPrayer(
  updates: readonly PrayerUpdate[],
): ReadonlyMap<string, readonly PrayerUpdate[]> {
  const known = updatesByPrayerOf.get(updates)
  if (known) return known
  const byPrayer = new Map<string, PrayerUpdate[]>()
  for (const update of updates) {
    const others = byPrayer.get(update.prayer_id)
    if (others) others.push(update)
    else byPrayer.set(update.prayer_id, [update])
  }
  updatesByPrayerOf.set(updates, byPrayer)
  return byPrayer
}

function requireText(body: string): void {
  if (body.trim() === '') throw new UserError('Please enter an update')
}
