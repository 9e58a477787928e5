import { isRecord } from '#shared/fields.ts'

/**
 * Whatever a group of fields holds, each on a line of its own, lists and groups further in. What is empty is left out.
 *
 * @param time writes a moment as the reader writes them
 */
export function fieldLines(
  fields: Readonly<Record<string, unknown>>,
  time: (moment: string) => string,
): string[] {
  const lines: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    const label = name.replaceAll('_', ' ')
    if (Array.isArray(value))
      lines.push(
        ...titled(
          label,
          value.flatMap((entry) => entryLines(entry, time)),
        ),
      )
    else if (isRecord(value)) lines.push(...titled(label, fieldLines(value, time)))
    else if (value !== null && value !== '') lines.push(`${label}: ${plain(name, value, time)}`)
  }
  return lines
}

/** An entry of a list, with a mark where it begins. */
function entryLines(entry: unknown, time: (moment: string) => string): string[] {
  const isGroup = typeof entry === 'object' && entry !== null
  // A list in a list is a group whose fields have numbers.
  const lines = isGroup ? fieldLines({ ...entry }, time) : [plain('', entry, time)]
  return lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`))
}

function titled(label: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${label}:`, ...lines.map((line) => `  ${line}`)]
}

function plain(name: string, value: unknown, time: (moment: string) => string): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return name.endsWith('_at') && !Number.isNaN(Date.parse(value)) ? time(value) : value
}
