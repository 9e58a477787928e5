import { partsOf } from './day-text.ts'
import { type Day, daysBetween } from './days.ts'

/**
 * How often someone was prayed for, for example "Prayed 37 times over 5 months"; null if never.
 *
 * @param times the number of days with a prayer
 * @param from the first day of the time, for example that on which the prayer was added
 * @param to the last one
 */
export function prayedText(times: number, from: Day, to: Day): string | null {
  if (times <= 0) return null
  if (times === 1) return 'Prayed once'
  const span = spanText(from, to)
  return `Prayed ${times.toLocaleString('en')} times${span === null ? '' : ` ${span}`}`
}

/**
 * How long a time was, in its largest unit of which it has at least two: "over 3 days", "over 2 weeks", "over 5 months",
 * "over 2 years". Rounded down; null if it was shorter than two days.
 */
export function spanText(from: Day, to: Day): string | null {
  const days = daysBetween(from, to)
  const months = monthsBetween(from, to)
  const units = [
    { count: Math.floor(months / 12), name: 'years' },
    { count: months, name: 'months' },
    { count: Math.floor(days / 7), name: 'weeks' },
    { count: days, name: 'days' },
  ]
  const unit = units.find(({ count }) => count >= 2)
  return unit ? `over ${unit.count} ${unit.name}` : null
}

/** Complete months: from 30 January to 27 February there are none. */
function monthsBetween(from: Day, to: Day): number {
  const start = partsOf(from)
  const end = partsOf(to)
  const months = (end.year - start.year) * 12 + end.month - start.month
  return end.date < start.date ? months - 1 : months
}
