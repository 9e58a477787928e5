import { useSyncExternalStore } from 'react'

/**
 * A calendar day, for example `2025-11-27`. The order of days is that of their texts. What is stored may be damaged, or come from
 * an older version: functions of days accept any text, and none of them throws.
 */
export type Day = string

/** The day of a time that cannot be read. */
const UNKNOWN_DAY: Day = ''

/** Whether a text is a day of the calendar. There is no 30 February, and no year 0. */
export function isDay(text: string): text is Day {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false
  // What is after the end of a month is read as a day of the next one.
  return new Date(startInUtc(text)).getUTCDate() === Number(text.slice(-2))
}

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** Creating a format takes longer than using it, and lists have thousands of instants. */
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The day that it is at an instant; an empty text if that is invalid.
 *
 * @param timeZone a name such as `Europe/Warsaw`
 */
export function dayIn(timeZone: string, instant: Date): Day {
  if (Number.isNaN(instant.getTime())) return UNKNOWN_DAY
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]))
  return [parts.get('year'), parts.get('month'), parts.get('day')].join('-')
}

/** The day that is a number of days later, or earlier if the number is negative. */
export function addDays(day: Day, count: number): Day {
  if (!isDay(day)) return UNKNOWN_DAY
  return new Date(startInUtc(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** How many days `to` is after `from`; negative if it is before. */
export function daysBetween(from: Day, to: Day): number {
  return (startInUtc(to) - startInUtc(from)) / DAY_MS
}

/**
 * The day of a month with this date, or the last one of a month that is too short.
 *
 * @param month from 1 to 12; 0 is December of the year before
 */
export function dayOfMonth(year: number, month: number, date: number): Day {
  const day = new Date(Date.UTC(year, month, 0))
  day.setUTCDate(Math.min(date, day.getUTCDate()))
  return day.toISOString().slice(0, 10)
}

/** Monday is 1, Sunday 7. */
export function weekdayOf(day: Day): number {
  return new Date(startInUtc(day)).getUTCDay() || 7
}

/** The bit of a weekday in `prayers.pray_days`: Monday's is 1, Sunday's 64. */
export function bitOf(weekday: number): number {
  return 2 ** (weekday - 1)
}

/** The bits of all weekdays. */
export const EVERY_DAY = 127

/** The user's time zone: that of the device. */
export function userTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Finding out the time zone takes longer than the days of a whole page: once in a minute is enough. */
let timeZone = { name: '', minute: NaN }

function currentTimeZone(): string {
  const minute = Math.floor(Date.now() / MINUTE_MS)
  if (timeZone.minute !== minute) timeZone = { name: userTimeZone(), minute }
  return timeZone.name
}

/**
 * The day of a time, in the user's time zone.
 *
 * @param time ISO 8601
 */
export function localDay(time: string): Day {
  return dayIn(currentTimeZone(), new Date(time))
}

/** The current day in the user's time zone. Components use `useToday`. */
export function today(): Day {
  return dayIn(currentTimeZone(), new Date())
}

/** The current day in the user's time zone; renders again when it changes. */
export function useToday(): Day {
  return useSyncExternalStore(onClockTick, today)
}

/**
 * Calls a function at the start of every minute (and thus at midnight), and when the page becomes visible. One timer for
 * midnight would be late by the time that the device sleeps, and would not notice a changed clock or time zone.
 */
function onClockTick(listener: () => void): () => void {
  const untilNextMinute = () => MINUTE_MS - (Date.now() % MINUTE_MS)
  const tick = () => {
    timer = setTimeout(tick, untilNextMinute())
    listener()
  }
  let timer = setTimeout(tick, untilNextMinute())
  const onVisibilityChange = () => {
    timeZone.minute = NaN
    listener()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisibilityChange)
  }
}

/** Orders days; an unknown one comes before all others. */
export function compareDays(a: Day | null, b: Day | null): number {
  if (a === b) return 0
  return (a ?? '') < (b ?? '') ? -1 : 1
}

/** Calculating in UTC, where every day has 24 hours, is not affected by daylight saving. */
function startInUtc(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`)
}
