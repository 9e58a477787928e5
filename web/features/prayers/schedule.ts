import type { PrayerFields } from '#web/data/prayers.ts'
import { dateText, dayText, weekdaysText } from '#web/lib/days/day-text.ts'
import type { Day } from '#web/lib/days/days.ts'

/** When to pray, as controls hold it. */
export interface Schedule {
  /** A date to pray for; empty if unused. */
  due_on: Day
  /** The bits of the weekdays to pray on (see bitOf); 0 if unused. */
  pray_days: number
  /** The day on which a pause ends; empty if unused. */
  resting_until: Day
}

export const NO_SCHEDULE: Schedule = { due_on: '', pray_days: 0, resting_until: '' }

export function scheduleOf({
  due_on,
  pray_days,
  resting_until,
}: Pick<PrayerFields, keyof Schedule>): Schedule {
  return { due_on: due_on ?? '', pray_days: pray_days ?? 0, resting_until: resting_until ?? '' }
}

/** The fields to save: what is unused becomes null. */
export function scheduleFieldsOf({ due_on, pray_days, resting_until }: Schedule) {
  return { due_on: due_on || null, pray_days: pray_days || null, resting_until: resting_until || null }
}

/** Whether anything is set that still matters: a pause that is over does not. */
export function isScheduled(schedule: Schedule, today: Day): boolean {
  return scheduleTexts(schedule, today).length > 0
}

/** What is set, for example "Thursday, 27 November", "Mondays and Fridays" and "Paused until 3 December". */
export function scheduleTexts({ due_on, pray_days, resting_until }: Schedule, today: Day): string[] {
  return [
    ...(due_on === '' ? [] : [dayText(due_on, today)]),
    ...(pray_days === 0 ? [] : [weekdaysText(pray_days)]),
    ...(resting_until > today ? [`Paused until ${dateText(resting_until, today)}`] : []),
  ]
}
