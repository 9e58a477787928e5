import { timeText } from '#web/lib/days/day-text.ts'
import { bitOf, EVERY_DAY } from '#web/lib/days/days.ts'
import type { DataFile } from './create-export.ts'

interface TextOptions {
  productName: string
  /** BCP 47; the browser's if omitted. */
  locale?: string
  timeZone?: string
}

interface Formats {
  /** The day of a time. */
  day: (timestamp: string) => string
  /** A calendar day, for example 2026-03-01. */
  date: (day: string) => string
  /** Days of the week, for example "Every Monday, Thursday". */
  weekdays: (bits: number) => string
}

const REPEATS = new Map<string | null, string>([
  ['monthly', ', every month'],
  ['yearly', ', every year'],
])

/** A week from Monday. */
const WEEK = [
  '2024-01-01',
  '2024-01-02',
  '2024-01-03',
  '2024-01-04',
  '2024-01-05',
  '2024-01-06',
  '2024-01-07',
]

/** What the text contains. */
export type TextContent = Pick<DataFile, 'exported_at' | 'categories' | 'prayers'>

/**
 * An export as text for reading and printing: each category with its open and resolved prayers. What else is stored about
 * the user (ids, sessions, addresses) is only in the data file.
 */
export function exportAsText(file: TextContent, { productName, locale, timeZone }: TextOptions): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', ...zone })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', ...zone })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const weekdayNames = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  const formats: Formats = {
    day: (timestamp) => timeText(days, timestamp),
    date: (day) => timeText(dates, day),
    weekdays: (bits) => {
      const names = WEEK.filter((_monday, index) => (bits & bitOf(index + 1)) !== 0)
      return `Every ${bits === EVERY_DAY ? 'day' : names.map((day) => timeText(weekdayNames, day)).join(', ')}`
    },
  }
  return [
    underlined(`Your prayers in ${productName}`, '='),
    `Exported on ${timeText(times, file.exported_at)}`,
    ...file.categories.flatMap((category) => categoryLines(category, file.prayers, formats)),
    '',
  ].join('\n')
}

function categoryLines(
  { id, name, is_visible, created_at, pray_days }: TextContent['categories'][number],
  prayers: TextContent['prayers'],
  formats: Formats,
): string[] {
  const own = prayers.filter(({ category_id }) => category_id === id)
  const group = (title: string, resolved: boolean) => {
    const found = own.filter((prayer) => prayer.resolved === resolved)
    if (found.length === 0) return []
    return ['', `${title} (${found.length})`, ...found.flatMap((prayer) => prayerLines(prayer, formats))]
  }
  return [
    '',
    '',
    underlined(is_visible ? name : `${name} (hidden)`, '-'),
    `Since ${formats.day(created_at)}`,
    ...(pray_days === null ? [] : [formats.weekdays(pray_days)]),
    ...(own.length === 0 ? ['', 'No prayers'] : []),
    ...group('Open', false),
    ...group('Resolved', true),
  ]
}

function prayerLines(prayer: TextContent['prayers'][number], { day, date, weekdays }: Formats): string[] {
  const { due_on, due_repeats, pray_days, resting_until, answered_on, answer, updates } = prayer
  const { times_prayed: times, last_prayed_on: last } = prayer
  const plan = [
    due_on === null ? [] : [`For ${date(due_on)}${REPEATS.get(due_repeats) ?? ''}`],
    pray_days === null ? [] : [weekdays(pray_days)],
    resting_until === null ? [] : [`Paused until ${date(resting_until)}`],
    last === null ? [] : [prayedText(times, date(last))],
  ].flat()
  const updateTitle = (update: (typeof updates)[number]) => {
    const written = day(update.created_at)
    return update.answered_on === null
      ? written
      : `Answered on ${date(update.answered_on)}, reopened on ${written}`
  }
  const answerTitle = answered_on === null ? 'Answer' : `Answered on ${date(answered_on)}`
  return [
    '',
    `  ${prayer.person_name} · ${day(prayer.created_at)}`,
    ...indented(prayer.note),
    ...(plan.length === 0 ? [] : ['', ...plan.map((line) => `    ${line}`)]),
    ...updates
      .toReversed()
      .flatMap((update) => ['', `    ${updateTitle(update)}`].concat(indented(update.body))),
    ...(answered_on === null && answer === null ? [] : ['', `    ${answerTitle}`, ...indented(answer)]),
  ]
}

function prayedText(times: number, last: string): string {
  return times === 1 ? `Prayed on ${last}` : `Prayed on ${times} days, last on ${last}`
}

function indented(text: string | null): string[] {
  return text === null ? [] : text.split(/\r\n|\r|\n/).map((line) => `    ${line}`.trimEnd())
}

function underlined(title: string, line: string): string {
  return `${title}\n${line.repeat(Math.min(Array.from(title).length, 72))}`
}
