import { useCallback, useContext } from 'react'
import { array, type InferOutput, nullable, object, parse, record, string, unknown } from 'valibot'
import { reportError, UserError } from '#web/lib/error-message.ts'
import { timeout } from '#web/lib/timeout.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import type { Category } from './categories.ts'
import { isUserNeeded, USER_NEEDED } from './encryption-status.ts'
import type { PrayerUpdate } from './prayer-updates.ts'
import type { Prayer } from './prayers.ts'
import { rest } from './rest-client.ts'
import { UserDataContext } from './rows.ts'

/** What only the server has of an export. */
const supplementSchema = object({
  account: nullable(record(string(), unknown())),
  /** The days on which each prayer was prayed, by the prayer's id, the earliest first. */
  prayed_days: record(string(), array(string())),
})

/** Everything that an export contains, in the order of the lists. */
export interface ExportData {
  categories: readonly Category[]
  prayers: readonly Prayer[]
  updates: readonly PrayerUpdate[]
  /** How many rows are missing, because this version of the app does not know their form. */
  unreadable: number
  /** Null if the server could not be asked. */
  supplement: InferOutput<typeof supplementSchema> | null
}

export const NOT_ARRIVED = 'Your prayers have not all arrived on this device yet. Please try again.'
/** How long an export waits for what is sent and fetched before, in milliseconds; as long as signing out. */
const MAX_SYNC_MS = 20_000

/**
 * Returns a function that sends what is waiting, fetches what is new, and then reads everything from this device; without a connection
 * it reads what is there. Rejects with a `UserError` if the rows have not all been received yet.
 */
export function useExportData(): () => Promise<ExportData> {
  const data = useContext(UserDataContext)
  return useCallback(async () => {
    if (!data) throw new UserError('User not authenticated')
    const sync = await data.opened
    const isSent = await Promise.race([sync.syncNow(), timeout(MAX_SYNC_MS).then(() => false)])
    if (!sync.status().complete || !Object.values(data.tables).every(({ name }) => sync.hasRead(name)))
      throw new UserError(isUserNeeded(sync.status().encryption) ? USER_NEEDED : NOT_ARRIVED)
    // Days that are still waiting to be sent would be missing among those of the server.
    return readAll(sync, isSent ? await fetchSupplement() : null)
  }, [data])
}

function readAll(sync: Sync, supplement: ExportData['supplement']): ExportData {
  return {
    categories: sync.rows('categories'),
    prayers: sync.rows('prayers'),
    updates: sync.rows('prayer_updates'),
    unreadable: sync.countUnreadable(),
    supplement,
  }
}

/** What only the server has of an export; null if it could not be asked. */
export async function fetchSupplement(): Promise<ExportData['supplement']> {
  try {
    const { data } = await rest.rpc('export_supplement').throwOnError()
    return parse(supplementSchema, data)
  } catch (failure) {
    reportError('export your data', failure)
    return null
  }
}
