import { addDays, bitOf, type Day, EVERY_DAY, isDay, weekdayOf } from './days.ts'

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
  return weekdayText(day, today)
}

/** The same, also today: for example "Thursday, 27 November". */
export function weekdayText(day: Day, today: Day): string {
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
  return isDay(day) ? `${monthName(day)} ${partsOf(day).year}` : UNKNOWN
}

/** The month of a day without its year, for example "November". */
export function monthName(day: Day): string {
  return MONTHS[partsOf(day).month - 1] ?? UNKNOWN
}

/** For example "Mondays", "Mondays to Fridays", "Mondays, Tuesdays and Fridays" or "Every day". */
export function weekdaysText(days: number): string {
  if (days === EVERY_DAY) return 'Every day'
  const texts: string[] = []
  let run: string[] = []
  const endRun = () => {
    texts.push(...(run.length > 2 ? [`${run[0] ?? ''} to ${run.at(-1) ?? ''}`] : run))
    run = []
  }
  for (const [index, name] of WEEKDAYS.entries()) {
    if ((days & bitOf(index + 1)) === 0) endRun()
    else run.push(`${name}s`)
  }
  endRun()
  return new Intl.ListFormat('en-GB').format(texts)
}

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })
const ORDINAL_ENDINGS = { zero: 'th', one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th' }

/** For example "1st", "22nd" or "13th". */
export function ordinalText(number: number): string {
  return `${number}${ORDINAL_ENDINGS[ORDINALS.select(number)]}`
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
