import { useContext, useMemo } from 'react'
import { UserError } from '#web/lib/error-message.ts'
import { newId } from '#web/lib/new-id.ts'
import { deletionOf, insertOf, updateOf } from '#web/sync/change.ts'
import { type ActionResult, makeChange, notFound } from './make-change.ts'
import { PRAYER_UPDATES, type PrayerUpdate } from './prayer-updates.ts'
import { PRAYERS } from './prayers.ts'
import { type UserData, UserDataContext } from './rows.ts'

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
        if (!sync.rows('prayers').some((prayer) => prayer.id === prayer_id)) throw notFound(PRAYERS)
        const created_at = new Date().toISOString()
        return insertOf(table, { id, user_id, prayer_id, body, created_at, updated_at: created_at })
      }),
    changeUpdate: ({ id, prayer_id, body: shown }, body) =>
      makeChange(data, { table, kind: 'update' }, (sync) => {
        requireText(body)
        if (!sync.rows(table).some((update) => update.id === id)) throw notFound(PRAYER_UPDATES)
        // If the update was deleted elsewhere, the text can be added to its prayer again.
        return updateOf(table, id, { prayer_id, body }, { body: shown })
      }),
    deleteUpdate: ({ id, body }) =>
      makeChange(data, { table, kind: 'delete' }, () => deletionOf(table, id, { body })),
  }
}

function requireText(body: string): void {
  if (body.trim() === '') throw new UserError('Please enter an update')
}
