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

/** What was prayed on this device on a day, the latest last. */
interface PrayedOnDay {
  day: Day
  ids: readonly string[]
}

/** What this browser keeps for one user between sessions: ids and choices only. */
export function createPrayItems(userId: string, storage: Storage) {
  return {
    settings: createUserItem(userId, 'pray-settings', isSettings, storage),
    session: createUserItem(userId, 'pray-session', isSession, storage),
    prayed: createUserItem(userId, 'pray-prayed', isPrayedOnDay, storage),
  }
}

export type PrayItems = ReturnType<typeof createPrayItems>

/** What was prayed on this device today, the latest last. */
export function prayedToday({ prayed }: PrayItems, today: Day): readonly string[] {
  const last = prayed.get()
  return last?.day === today ? last.ids : []
}

/** Remembers that a prayer was prayed today. */
export function rememberPrayed(items: PrayItems, id: string, today: Day): void {
  const others = prayedToday(items, today).filter((each) => each !== id)
  items.prayed.set({ day: today, ids: [...others, id] })
}

function isSettings(value: unknown): value is Settings {
  if (!isRecord(value)) return false
  const { number, categoryIds } = value
  return NUMBERS.some((each) => each === number) && (categoryIds === null || isTexts(categoryIds))
}

function isPrayedOnDay(value: unknown): value is PrayedOnDay {
  return isRecord(value) && typeof value['day'] === 'string' && isTexts(value['ids'])
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
