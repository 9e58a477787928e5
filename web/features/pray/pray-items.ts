import { array, type InferOutput, nullable, object, picklist, string } from 'valibot'
import type { Day } from '#web/lib/days/days.ts'
import { createUserItem } from '#web/lib/storage/user-items.ts'
import type { PrayedHere } from './select-prayers.ts'
import { prayerSessionSchema } from './session-progress.ts'
import { todayPageSchema } from './today-page.ts'

/** How many prayers today's page can have, apart from those planned for today. */
export const NUMBERS = [5, 10, 20, 'all'] as const

/** What the user has chosen for today's page. */
const settingsSchema = object({
  number: picklist(NUMBERS),
  /** Null for all visible categories. */
  categoryIds: nullable(array(string())),
})
export type Settings = InferOutput<typeof settingsSchema>

export const INITIAL_SETTINGS: Settings = { number: 10, categoryIds: null }

const prayedHereSchema = object({ id: string(), day: string() })

/** So that what a browser remembers stays small. */
const MAX_REMEMBERED = 5_000

/** What this browser keeps for one user: ids and choices only. */
export function createPrayItems(userId: string, storage: Storage) {
  return {
    settings: createUserItem(userId, 'pray-settings', settingsSchema, storage),
    page: createUserItem(userId, 'pray-page', todayPageSchema, storage),
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

/** Forgets that a prayer was prayed, when that is taken back. */
export function forgetPrayed(items: PrayItems, id: string): void {
  items.prayed.set(prayedHere(items).filter((each) => each.id !== id))
}
