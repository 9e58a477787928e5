import { array, type InferOutput, nullable, object, picklist, string } from 'valibot'
import type { Day } from '#web/lib/days/days.ts'
import { createUserItem } from '#web/lib/storage/user-items.ts'
import { prayerSessionSchema } from './session.ts'

/** How many prayers a session can have, apart from those planned for today. */
export const NUMBERS = [5, 10, 20, 'all'] as const

/** What the user has chosen for the next session. */
const settingsSchema = object({
  number: picklist(NUMBERS),
  /** Null for all visible categories. */
  categoryIds: nullable(array(string())),
})
export type Settings = InferOutput<typeof settingsSchema>

/** A prayer that was prayed on this device, and the day when it last was. */
const prayedHereSchema = object({ id: string(), day: string() })
export type PrayedHere = InferOutput<typeof prayedHereSchema>

/** So that what a browser remembers stays small. */
const MAX_REMEMBERED = 5_000

/** What this browser keeps for one user between sessions: ids and choices only. */
export function createPrayItems(userId: string, storage: Storage) {
  return {
    settings: createUserItem(userId, 'pray-settings', settingsSchema, storage),
    session: createUserItem(userId, 'pray-session', prayerSessionSchema, storage),
    prayed: createUserItem(userId, 'pray-prayed', array(prayedHereSchema), storage),
  }
}

export type PrayItems = ReturnType<typeof createPrayItems>

/** What was prayed on this device, the latest last. */
export function prayedHere({ prayed }: PrayItems): readonly PrayedHere[] {
  return prayed.get() ?? []
}

/** Remembers that a prayer was prayed. */
export function rememberPrayed(items: PrayItems, id: string, day: Day): void {
  const others = prayedHere(items).filter((each) => each.id !== id)
  items.prayed.set([...others, { id, day }].slice(-MAX_REMEMBERED))
}
