import { NOTE_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { Prayer } from '#web/data/prayers.ts'

/** How many prayers a list can have. */
export const LIST_MAX_LENGTH = 200

/** A prayer as a line of a list describes it. */
export type ListedPrayer = Pick<Prayer, 'person_name' | 'note'>

/** A line of a list of prayers. */
export interface ListLine {
  /** Null if the line cannot be added. */
  prayer: ListedPrayer | null
  text: string
  /** Why it cannot be added; null for an empty line, which is left out. */
  problem: string | null
  /** Where it is in the list: the offsets of its beginning and of its end. */
  start: number
  end: number
}

/** What marks the entries of a list: a sign, a box, or a number such as `1.`, `(1)` or `1、`. */
const MARKER =
  /^(?:[-–—*+•‣◦·▪●○■□☐☑☒✓✔✗➢➤»>](?=[^\d.]|\d+[.)]|$)|\[[ xX]?\]|\(\d{1,3}\)|\d{1,3}(?:[.):](?=\s|$)|[.)](?=\p{L})|[．）、])|[①-⑳])\s*/u

/**
 * A web address, whose colons separate nothing, or a colon that separates a name from its details. The limit of the beginning of
 * an address keeps long texts without a colon from being read again from each letter on.
 */
const ADDRESS_OR_COLON = /\p{L}[\p{L}\d+.-]{0,30}:\/\/\S*[^\s:]|(?<!\d):|:(?!\d)|[：﹕︓]/gu

/**
 * Reads a list with one prayer per line, `Name: details` or `Name`. Bullets and numbers at the beginning of a line are left out,
 * and so are empty lines at the end.
 */
export function parseList(text: string): readonly ListLine[] {
  const list = text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').trimEnd()
  if (list === '') return []
  let start = 0
  return list.split('\n').map((line) => {
    const parsed = parseLine(line, start)
    start = parsed.end + 1
    return parsed
  })
}

/** The prayers of a list. */
export function prayersIn(lines: readonly ListLine[]): readonly ListedPrayer[] {
  return lines.flatMap(({ prayer }) => prayer ?? [])
}

function parseLine(line: string, start: number): ListLine {
  const text = withoutMarkers(line.trim())
  const end = start + line.length
  if (text === '') return { prayer: null, text, problem: null, start, end }
  const [person_name, note] = split(text)
  const problem = problemOf(person_name, note)
  const prayer = problem === null ? { person_name, note: note || null } : null
  return { prayer, text, problem, start, end }
}

/** There may be several, such as "- [ ] ", or a line of dashes. */
function withoutMarkers(line: string): string {
  let rest = line
  while (MARKER.test(rest)) rest = rest.replace(MARKER, '')
  return rest
}

/** The name and the details of a line. */
function split(line: string): [name: string, details: string] {
  const colon = [...line.matchAll(ADDRESS_OR_COLON)].find(([found]) => found.length === 1)
  if (!colon) return [line, '']
  return [line.slice(0, colon.index).trim(), line.slice(colon.index + 1).trim()]
}

function problemOf(name: string, note: string): string | null {
  if (name === '') return 'There is no name before the colon.'
  if (name.length > PERSON_NAME_MAX_LENGTH)
    return note === ''
      ? `Too long for a name: it can have ${PERSON_NAME_MAX_LENGTH} characters. Details come after a colon.`
      : `The name is too long: it can have ${PERSON_NAME_MAX_LENGTH} characters.`
  if (note.length > NOTE_MAX_LENGTH)
    return `The details are too long: they can have ${NOTE_MAX_LENGTH.toLocaleString('en')} characters.`
  return null
}
