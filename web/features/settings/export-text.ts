import type { ExportedCategory, ExportedPrayer, ExportFile } from './export-file.ts'
import { fieldLines } from './field-lines.ts'

interface TextOptions {
  productName: string
  /** BCP 47; the reader's own unless given. */
  locale?: string
  timeZone?: string
}

/** An export to read and to print: the account, then every category with its open and its resolved prayers. */
export function exportAsText(file: ExportFile, { productName, locale, timeZone }: TextOptions): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', ...zone })
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', ...zone })
  const day = (time: string) => days.format(new Date(time))
  return [
    underlined(`Your data in ${productName}`, '='),
    `Exported on ${times.format(new Date(file.exported_at))}`,
    '',
    '',
    ...file.categories.flatMap((category) => categoryLines(category, file.prayers, day)),
    underlined('Your account', '-'),
    ...fieldLines(file.account, (time) => times.format(new Date(time))),
    '',
  ].join('\n')
}

function categoryLines(
  { id, name, is_visible, created_at }: ExportedCategory,
  prayers: readonly ExportedPrayer[],
  day: (time: string) => string,
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
  { person_name, note, created_at }: ExportedPrayer,
  day: (time: string) => string,
): string[] {
  const words = note === null ? [] : note.split(/\r\n|\r|\n/).map((line) => `    ${line}`.trimEnd())
  return ['', `  ${person_name} · ${day(created_at)}`, ...words]
}

function underlined(title: string, line: string): string {
  return `${title}\n${line.repeat(Math.min(Array.from(title).length, 72))}`
}
