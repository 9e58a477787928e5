import type { ExportFile } from './export-file.ts'

interface TextOptions {
  productName: string
  /** BCP 47; the browser's if omitted. */
  locale?: string
  timeZone?: string
}

type FormatTime = (timestamp: string) => string

/**
 * An export as text for reading and printing: each category with its open and resolved prayers. What else is stored about
 * the user (ids, sessions, addresses) is only in the data file.
 */
export function exportAsText(file: ExportFile, { productName, locale, timeZone }: TextOptions): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', ...zone })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', ...zone })
  const day = (timestamp: string) => days.format(new Date(timestamp))
  return [
    underlined(`Your prayers in ${productName}`, '='),
    `Exported on ${times.format(new Date(file.exported_at))}`,
    ...file.categories.flatMap((category) => categoryLines(category, file.prayers, day)),
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
    '',
    '',
    underlined(is_visible ? name : `${name} (hidden)`, '-'),
    `Since ${day(created_at)}`,
    ...(own.length === 0 ? ['', 'No prayers'] : []),
    ...group('Open', false),
    ...group('Resolved', true),
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
