import { type Plan, repetitionText } from '#web/data/plan.ts'
import { dateText, partsOf, weekdaysText, weekdayText } from '#web/lib/days/day-text.ts'
import { addDays, type Day, dayOfMonth, weekdayOf } from '#web/lib/days/days.ts'

/** When to pray, as controls hold it. */
export interface Schedule {
  /** A date to pray for; empty if unused. */
  due_on: Day
  /** How the date repeats: `monthly`, `yearly`, or null for once. */
  due_repeats: string | null
  /** The bits of the weekdays to pray on (see bitOf); 0 if unused. */
  pray_days: number
  /** The day on which a pause ends; empty if unused. */
  resting_until: Day
}

export const NO_SCHEDULE: Schedule = { due_on: '', due_repeats: null, pray_days: 0, resting_until: '' }

type ScheduleFields = Partial<Pick<Plan, keyof Schedule>>

export function scheduleOf({ due_on, due_repeats, pray_days, resting_until }: ScheduleFields): Schedule {
  return {
    due_on: due_on ?? '',
    due_repeats: due_repeats ?? null,
    pray_days: pray_days ?? 0,
    resting_until: resting_until ?? '',
  }
}

/** The fields to save: what is unused becomes null. */
export function scheduleFieldsOf({ due_on, due_repeats, pray_days, resting_until }: Schedule) {
  return {
    due_on: due_on || null,
    // The choice stays in the form while another date is typed.
    due_repeats: due_on === '' ? null : due_repeats,
    pray_days: pray_days || null,
    resting_until: resting_until || null,
  }
}

/** Whether anything is set that still matters: a pause that is over does not. */
export function isScheduled(schedule: Schedule, today: Day): boolean {
  return scheduleTexts(schedule, today).length > 0
}

/** What is set, for example "Thursday, 27 November", "Mondays and Fridays" and "Paused until 3 December". */
export function scheduleTexts(schedule: Schedule, today: Day): string[] {
  const { due_on, pray_days, resting_until } = schedule
  return [
    ...(due_on === '' ? [] : [repetitionText(schedule) ?? weekdayText(due_on, today)]),
    ...(pray_days === 0 ? [] : [weekdaysText(pray_days)]),
    ...(resting_until > today ? [`Paused until ${dateText(resting_until, today)}`] : []),
  ]
}

/**
 * A date in words, for example "Thursday, 26 November", "Every year on 3 May" or, if the first time is still to come, "Every month
 * on the 31st, or the last day, from Thursday, 31 December".
 */
export function dueText(
  { due_on, due_repeats }: Pick<Schedule, 'due_on' | 'due_repeats'>,
  today: Day,
): string {
  const first = weekdayText(due_on, today)
  const repetition = repetitionText({ due_on, due_repeats })
  if (repetition === null) return first
  const { month, date } = partsOf(due_on)
  const isLeapDay = month === 2 && date === 29
  return [
    repetition,
    due_repeats === 'monthly' && date > 28 && 'or the last day',
    due_repeats === 'yearly' && isLeapDay && 'or the 28th',
    due_on > today && `from ${first}`,
  ]
    .filter((text) => text !== false)
    .join(', ')
}

/** When a prayer comes back from its pause. */
export function pauseText(resting_until: Day, today: Day): string {
  if (resting_until === '') return 'Prayed for again from this day.'
  return resting_until > today
    ? `Prayed for again from ${weekdayText(resting_until, today)}.`
    : 'The pause is over.'
}

/** A day that can be chosen in one tap. */
interface SuggestedDay {
  label: string
  day: Day
}

/** Days to pray for. */
export function suggestedDays(today: Day): SuggestedDay[] {
  const daysToSunday = 7 - weekdayOf(today)
  return [
    { label: 'Today', day: today },
    { label: 'Tomorrow', day: addDays(today, 1) },
    // Not twice if today or tomorrow is a Sunday.
    ...(daysToSunday > 1 ? [{ label: 'Sunday', day: addDays(today, daysToSunday) }] : []),
    { label: 'In a week', day: addDays(today, 7) },
  ]
}

/** Days on which a pause may end. */
export function suggestedReturns(today: Day): SuggestedDay[] {
  const { year, month, date } = partsOf(today)
  return [
    { label: 'Tomorrow', day: addDays(today, 1) },
    { label: 'In a week', day: addDays(today, 7) },
    { label: 'In a month', day: dayOfMonth(year, month + 1, date) },
  ]
}
