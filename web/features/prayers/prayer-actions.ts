import type { QueryClient } from '@tanstack/react-query'
import { Refusal } from '#web/lib/error-text.ts'
import { knownList } from '#web/lib/lists/known-list.ts'
import { sendChange } from '#web/lib/lists/send-change.ts'
import { signedIn } from '#web/lib/lists/signed-in.ts'
import { missingFieldsMessage } from './missing-fields.ts'
import type { PrayerChange } from './prayer-change.ts'
import { deletePrayer, insertPrayer, updatePrayer } from './prayer-requests.ts'
import type { Prayer, PrayerFields } from './prayer.ts'
import type { PrayersDefinition } from './prayers-list.ts'

/** Adds a prayer, unresolved, under the given id: tried again with the same id, it is still the same prayer. */
export async function addPrayer(
  client: QueryClient,
  list: PrayersDefinition,
  id: string,
  fields: PrayerFields,
): Promise<void> {
  const user_id = signedIn(list.userId)
  const missing = missingFieldsMessage(fields)
  if (missing !== null) throw new Refusal(missing)
  const prayer: Prayer = { ...fields, id, user_id, resolved: false, created_at: new Date().toISOString() }
  await sendChange<Prayer, PrayerChange>(client, list, {
    change: { kind: 'saved', prayer },
    row: id,
    send: async () => ({ kind: 'saved', prayer: await insertPrayer(prayer) }),
    onFailure: 'restore-row',
  })
}

/** Changes the given fields of a prayer and leaves the others as they are, here and on the server. */
export async function editPrayer(
  client: QueryClient,
  list: PrayersDefinition,
  id: string,
  fields: Partial<PrayerFields>,
): Promise<void> {
  signedIn(list.userId)
  if (!isKnown(client, list, id)) throw new Refusal('Prayer not found')
  await sendChange<Prayer, PrayerChange>(client, list, {
    change: { kind: 'edited', id, fields },
    row: id,
    send: async () => ({ kind: 'saved', prayer: await updatePrayer(id, fields) }),
    onFailure: 'restore-row',
  })
}

export async function removePrayer(client: QueryClient, list: PrayersDefinition, id: string): Promise<void> {
  signedIn(list.userId)
  await sendChange<Prayer, PrayerChange>(client, list, {
    change: { kind: 'deleted', id },
    row: id,
    send: async () => {
      await deletePrayer(id)
      return { kind: 'deleted', id }
    },
    onFailure: 'refetch',
  })
}

function isKnown(client: QueryClient, list: PrayersDefinition, id: string): boolean {
  return knownList(client, list)?.rows.some((prayer) => prayer.id === id) ?? false
}
