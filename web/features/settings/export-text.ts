import { isRecord } from '#shared/is-record.ts'
import type { ExportFile } from './export-file.ts'

interface TextOptions {
  productName: string
  /** BCP 47; the browser's if omitted. */
  locale?: string
  timeZone?: string
}

type FormatTime = (timestamp: string) => string

/** An export as text for reading and printing: each category with its open and resolved prayers, then the account. */
export function exportAsText(file: ExportFile, { productName, locale, timeZone }: TextOptions): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', ...zone })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', ...zone })
  const day = (timestamp: string) => days.format(new Date(timestamp))
  return [
    underlined(`Your data in ${productName}`, '='),
    `Exported on ${times.format(new Date(file.exported_at))}`,
    '',
    '',
    ...file.categories.flatMap((category) => categoryLines(category, file.prayers, day)),
    underlined('Your account', '-'),
    ...recordLines(file.account, (timestamp) => times.format(new Date(timestamp))),
    '',
  ].join('\n')
}

function categoryLines(
  { id, name, is_visible, created_at }: ExportFile['categories'][number],
  prayers: ExportFile['prayers'],
  day: FormatTime,
): string[] {
  const own = prayers.filter(({ category_id }) => category_id === id)
  const group = (title: string, resolved: boolean) => {
    const found = own.filter((prayer) => prayer.resolved === resolved)
    if (found.length === 0) return []
    return ['', `${title} (${found.length})`, ...found.flatMap((prayer) => prayerLines(prayer, day))]
  }
  return [
    underlined(is_visible ? name : `${name} (hidden)`, '-'),
    `Since ${day(created_at)}`,
    ...(own.length === 0 ? ['', 'No prayers'] : []),
    ...group('Open', false),
    ...group('Resolved', true),
    '',
    '',
  ]
}

function prayerLines(
  { person_name, note, created_at }: ExportFile['prayers'][number],
  day: FormatTime,
): string[] {
  const noteLines = note === null ? [] : note.split(/\r\n|\r|\n/).map((line) => `    ${line}`.trimEnd())
  return ['', `  ${person_name} · ${day(created_at)}`, ...noteLines]
}

function underlined(title: string, line: string): string {
  return `${title}\n${line.repeat(Math.min(Array.from(title).length, 72))}`
}

/** The fields of a record, one per line; lists and records are indented, and empty values omitted. */
function recordLines(record: Readonly<Record<string, unknown>>, formatTime: FormatTime): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    const label = name.replaceAll('_', ' ')
    if (Array.isArray(value))
      return titled(
        label,
        value.flatMap((item) => itemLines(item, formatTime)),
      )
    if (isRecord(value)) return titled(label, recordLines(value, formatTime))
    return value === null || value === '' ? [] : [`${label}: ${valueText(name, value, formatTime)}`]
  })
}

function itemLines(item: unknown, formatTime: FormatTime): string[] {
  const isNested = typeof item === 'object' && item !== null
  // A list in a list becomes a record whose names are the indexes.
  const lines = isNested ? recordLines({ ...item }, formatTime) : [valueText('', item, formatTime)]
  return lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`))
}

function titled(label: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${label}:`, ...lines.map((line) => `  ${line}`)]
}

function valueText(name: string, value: unknown, formatTime: FormatTime): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return name.endsWith('_at') && !Number.isNaN(Date.parse(value)) ? formatTime(value) : value
}
