import { type Day, addDays, isDay, weekdayOf } from './days.ts'

/** Monday first. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** What is shown instead of a day that cannot be read. */
const UNKNOWN = 'an unknown date'

/** For example "today", "yesterday", "tomorrow", "Thursday, 27 November" or "Thursday, 27 November 2025". */
export function dayText(day: Day, today: Day): string {
  if (day === today) return 'today'
  if (day === addDays(today, -1)) return 'yesterday'
  if (day === addDays(today, 1)) return 'tomorrow'
  if (!isDay(day)) return UNKNOWN
  return `${WEEKDAYS[weekdayOf(day) - 1] ?? ''}, ${dateText(day, today)}`
}

/** For example "3 December", or "3 December 2025" if that is not the current year. */
export function dateText(day: Day, today: Day): string {
  if (!isDay(day)) return UNKNOWN
  const { year, month, date } = partsOf(day)
  const text = `${date} ${MONTHS[month - 1] ?? ''}`
  return year === partsOf(today).year ? text : `${text} ${year}`
}

/** The month of a day, for example "November 2026". */
export function monthText(day: Day): string {
  if (!isDay(day)) return UNKNOWN
  const { year, month } = partsOf(day)
  return `${MONTHS[month - 1] ?? ''} ${year}`
}

/** A time in a format, or what is shown instead if it cannot be read. */
export function timeText(format: Intl.DateTimeFormat, time: string): string {
  const instant = new Date(time)
  return Number.isNaN(instant.getTime()) ? UNKNOWN : format.format(instant)
}

/** The numbers of a day's year, month and date. */
export function partsOf(day: Day): { year: number; month: number; date: number } {
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)), date: Number(day.slice(8)) }
}
