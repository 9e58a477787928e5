import { dateText, dayText, ordinalText, partsOf, weekdaysText } from '#web/lib/days/day-text.ts'
import { addDays, bitOf, type Day, dayOfMonth, isDay, weekdayOf } from '#web/lib/days/days.ts'
import { pausedUntil, type Prayer } from './prayers.ts'

/** The columns of a prayer that say when to pray for it, and when it last was prayed. */
export type Plan = Pick<
  Prayer,
  'resolved' | 'due_on' | 'due_repeats' | 'pray_days' | 'resting_until' | 'last_prayed_on'
>

/** Why a prayer is due: its date has come on the day `since`, the latest time if it repeats; or today is one of its weekdays. */
export type Due = { by: 'date'; since: Day } | { by: 'weekday' }

/**
 * Why a prayer is due today; null if it is not. A date is due from its day until the prayer has been prayed on that day or
 * later, a weekday until it has been prayed that day. What is answered or paused is never due.
 */
export function dueToday(plan: Plan, today: Day): Due | null {
  // Most prayers have no plan, and there may be thousands.
  if (plan.due_on === null && plan.pray_days === null) return null
  if (plan.resolved || pausedUntil(plan, today) !== null) return null
  const since = latestOccurrence(plan, today)
  const last = lastPrayedOn(plan, today)
  if (since !== null && (last === null || last < since)) return { by: 'date', since }
  return isForWeekday(plan, today) && last !== today ? { by: 'weekday' } : null
}

/** That a prayer has been prayed today. */
export const PRAYED_TODAY = 'Prayed today'

/** Whether a day is one of the weekdays on which a prayer is to be prayed. */
export function isForWeekday({ pray_days: days }: Pick<Plan, 'pray_days'>, day: Day): boolean {
  return days !== null && (days & bitOf(weekdayOf(day))) !== 0
}

/**
 * When to pray, as the row and the page of an open prayer say it: for example "Due yesterday, every month", or "Prayed today" and
 * "Sundays". Why it is due comes first.
 */
export function planTexts(plan: Plan, today: Day): string[] {
  if (plan.resolved) return []
  const paused = pausedUntil(plan, today)
  const due = dueText(plan, today)
  const dates = due === null ? [prayedText(plan, today), repetitionText(plan)] : [due]
  const weekdays = plan.pray_days === null ? null : weekdaysText(plan.pray_days)
  return [
    ...(dueToday(plan, today)?.by === 'weekday' ? [weekdays, ...dates] : [...dates, weekdays]),
    paused === null ? null : `Paused until ${dateText(paused, today)}`,
  ].filter((text) => text !== null)
}

/** The last day on which the date of a prayer has come; null if it has not yet, or if there is none. */
function latestOccurrence({ due_on: first, due_repeats: repeats }: Plan, today: Day): Day | null {
  if (first === null || !isDay(first) || first > today) return null
  const { month, date } = partsOf(first)
  const now = partsOf(today)
  if (repeats === 'monthly') {
    const thisMonth = dayOfMonth(now.year, now.month, date)
    return thisMonth <= today ? thisMonth : dayOfMonth(now.year, now.month - 1, date)
  }
  if (repeats === 'yearly') {
    const thisYear = dayOfMonth(now.year, month, date)
    return thisYear <= today ? thisYear : dayOfMonth(now.year - 1, month, date)
  }
  return first
}

/**
 * The last day on which a prayer was prayed, as far as that can be. It may be tomorrow, where it is tomorrow already. A later
 * day comes from a clock that was wrong, and says nothing.
 */
function lastPrayedOn({ last_prayed_on: last }: Plan, today: Day): Day | null {
  return last !== null && isDay(last) && last <= addDays(today, 1) ? last : null
}

const REPETITIONS: Readonly<Record<string, string>> = { monthly: ', every month', yearly: ', every year' }

/** When the date of a prayer is due, for example "Due tomorrow, every year"; null if it is not. */
function dueText(plan: Plan, today: Day): string | null {
  const { due_on: first, due_repeats: repeats } = plan
  const due = dueToday(plan, today)
  const isToCome = first !== null && isDay(first) && first > today
  const day = due?.by === 'date' ? due.since : isToCome ? first : null
  if (day === null) return null
  return `Due ${dayText(day, today)}${REPETITIONS[repeats ?? ''] ?? ''}`
}

/** That a prayer that was planned for today has been prayed; null if it is not so. */
function prayedText(plan: Plan, today: Day): string | null {
  const isPlanned = latestOccurrence(plan, today) !== null || isForWeekday(plan, today)
  return isPlanned && plan.last_prayed_on === today ? PRAYED_TODAY : null
}

/** How the date of a prayer repeats, for example "Every month on the 5th" or "Every year on 3 May"; null if it does not. */
export function repetitionText({
  due_on: first,
  due_repeats: repeats,
}: Pick<Plan, 'due_on' | 'due_repeats'>): string | null {
  if (first === null || !isDay(first)) return null
  if (repeats === 'monthly') return `Every month on the ${ordinalText(partsOf(first).date)}`
  // Without the year.
  return repeats === 'yearly' ? `Every year on ${dateText(first, first)}` : null
}
