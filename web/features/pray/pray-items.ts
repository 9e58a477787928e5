import { isRecord } from '#shared/is-record.ts'
import type { Day } from '#web/lib/days.ts'
import { createUserItem } from '#web/lib/user-items.ts'
import { isSession } from './session.ts'

/** How many prayers a session can have, apart from those planned for today. */
export const NUMBERS = [5, 10, 20, 'all'] as const

/** What the user has chosen for the next session. */
export interface Settings {
  number: (typeof NUMBERS)[number]
  /** Null for all visible categories. */
  categoryIds: readonly string[] | null
}

/** A prayer that was prayed on this device, and the day when it last was. */
export interface PrayedHere {
  id: string
  day: Day
}

/** So that what a browser remembers stays small. */
const MAX_REMEMBERED = 5_000

/** What this browser keeps for one user between sessions: ids and choices only. */
export function createPrayItems(userId: string, storage: Storage) {
  return {
    settings: createUserItem(userId, 'pray-settings', isSettings, storage),
    session: createUserItem(userId, 'pray-session', isSession, storage),
    prayed: createUserItem(userId, 'pray-prayed', isPrayedHere, storage),
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

function isSettings(value: unknown): value is Settings {
  if (!isRecord(value)) return false
  const { number, categoryIds } = value
  return NUMBERS.some((each) => each === number) && (categoryIds === null || isTexts(categoryIds))
}

function isPrayedHere(value: unknown): value is readonly PrayedHere[] {
  return Array.isArray(value) && value.every((each) => isRecord(each) && isTexts([each['id'], each['day']]))
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
