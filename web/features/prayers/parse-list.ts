import { CATEGORY_NAME_MAX_LENGTH, NOTE_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { foldName } from '#web/lib/fold.ts'

/** How many prayers a list can have. */
export const LIST_MAX_LENGTH = 200

/** A prayer as a line of a list describes it. */
export type ListedPrayer = Pick<Prayer, 'person_name' | 'note'>

/** A line of a list of prayers. */
export type ListLine = LinePlace &
  /** `isUnlikely`: it is left out unless the user puts it back. */
  (
    | { kind: 'prayer'; prayer: ListedPrayer; isUnlikely: boolean }
    /** The text is the heading of the lines below. */
    | { kind: 'heading' }
    /** It cannot be added, and why. */
    | { kind: 'problem'; problem: string }
  )

interface LinePlace {
  /** Identifies the line by its text, wherever it is. Equal lines are told apart by a number. */
  key: string
  /** Without what marks an entry, and for a heading without the colon. */
  text: string
  /** Counted from 1. */
  number: number
  /** Where it is in the list: the offsets of its beginning and of its end. */
  start: number
  end: number
}

/** Prayers of a list that are added to the same category. */
export interface ListGroup {
  /** The line that names their category; null for those above the first heading. */
  heading: ListLine | null
  prayers: readonly (ListedPrayer & { key: string })[]
}

/** What marks the entries of a list: a sign, a box, or a number such as `1.`, `(1)` or `1、`. */
const MARKER =
  /^(?:[-–—*+•‣◦·▪●○■□☐☑☒✓✔✗➢➤»>](?=[^\d.]|\d+[.)]|$)|\[[ xX]?\]|\(\d{1,3}\)|\d{1,3}(?:[.):/](?=\s|$)|[.)](?=\p{L})|[．）、])|[①-⑳])\s*/u

/**
 * What separates a name from its details: a colon, a semicolon, a dash between spaces, a tab, or the space between two columns.
 * Before it, what has such signs but is not separated by them: a web address, and a quotation at the beginning. The limit of the
 * beginning of an address keeps long texts without a colon from being read again from each letter on.
 */
const SEPARATOR =
  /\p{L}[\p{L}\d+.-]{0,30}:\/\/\S*[^\s:]|^["“„«][^"“”»]+["“”»]|(?<separator>(?<!\d):|:(?!\d)|[：﹕︓;；—\t]| {3,}|(?<=\s)(?:[-–]|--)(?=\s))/gu
const LEADING_SEPARATORS = /^(?:[\s:;]|[-–—]+(?=\s))+/
const COLON_AT_END = /[:：﹕︓]$/
/** A line, for example of dashes. */
const NO_WORDS = /^[\p{P}\p{S}\s]*$/u

const SMALL_LETTER = /\p{Ll}/u
const YEAR = /\d{4}/
/** Not initials, nor names such as USA. */
const CAPITALS = /\p{Lu}{4}/u

const ADDRESS_ONLY = /^(?:\p{L}[\p{L}\d+.-]{0,30}:\/\/|www\.)\S+$/u
/** What leads to a web address, and is no name. */
const LEAD_IN =
  /^(?:(?:see|read|learn|find out) more(?: (?:here|at))?|more(?: (?:here|information|info|details))?|links?|website|source|information|details)$/i
/** What stands with a date above a list, and is no name. */
const LIST_TITLE = /^(?:our |parish )?(?:prayer|sick|intercessions?)(?: list| requests?| intentions)?$/i
const QUOTED_SENTENCE = /^["“„«]\S+(?: \S+){3,}["“”»]$/
const PRAY_FOR = /^(?:please\s+)?(?:(?:continue\s+to\s+)?pray(?:ers?|ing)?\s+)?for(?::\s*|\s+)(?=\S)/i
const DATE_WORD =
  /^(?:\d+(?:st|nd|rd|th)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs|rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)?$/i

/**
 * Reads a list with one prayer per line, as people type it or copy it from a bulletin: `Name: details`, with other separators, or
 * `Name`. A line that ends with a colon is the heading of those below, and so is a title. A web address belongs to the prayer above.
 * Bullets, numbers and empty lines are left out. A line that is only a date, or only leads to a web address, is unlikely to be a prayer.
 */
export function parseList(text: string): readonly ListLine[] {
  const entries = entriesIn(text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n'))
  const others = entries.filter((entry) => SMALL_LETTER.test(entry.text))
  const style: Style = {
    isMixed: others.length > 0,
    isDetailed: others.every(({ text: line }) => splitAtSeparator(line)[1] !== ''),
    hasTitles: entries.some(({ text: line }) => isInCapitals(line) && line.includes(' ')),
  }
  const isHeading = entries.map(
    (entry, index) => COLON_AT_END.test(entry.text) || isTitle(entries, index, style),
  )
  // Below the last heading is at least one other line.
  const lastOther = isHeading.lastIndexOf(false)
  const numbers = new Map<string, number>()
  return entries.map(({ addresses, ...entry }, index) => {
    const count = (numbers.get(entry.text) ?? 0) + 1
    numbers.set(entry.text, count)
    const place = Object.assign(entry, { key: JSON.stringify([entry.text, count]) })
    if (index < lastOther && isHeading[index] === true)
      return Object.assign(place, {
        kind: 'heading',
        text: entry.text.replace(COLON_AT_END, '').trimEnd(),
      } as const)
    const [person_name, details] = split(entry.text)
    const note = [details, ...addresses].filter((part) => part !== '').join('\n')
    const problem = problemOf(person_name, note)
    if (problem !== null) return Object.assign(place, { kind: 'problem', problem } as const)
    const isUnlikely =
      (note === '' && isDate(person_name)) ||
      (LIST_TITLE.test(person_name) && isDate(details)) ||
      (LEAD_IN.test(person_name) && ADDRESS_ONLY.test(details))
    const prayer = { person_name, note: note || null }
    return Object.assign(place, { kind: 'prayer', prayer, isUnlikely } as const)
  })
}

/**
 * The prayers of a list, in its order, with those of the same category together.
 *
 * @param byHeading whether headings are categories; otherwise they are left out
 */
export function groupsIn(lines: readonly ListLine[], byHeading: boolean): readonly ListGroup[] {
  let heading: ListLine | null = null
  const groups = new Map<
    string | null,
    { heading: ListLine | null; prayers: ListGroup['prayers'][number][] }
  >()
  for (const line of lines) {
    if (byHeading && canBeCategory(line)) heading = line
    if (line.kind !== 'prayer') continue
    const name = heading && foldName(heading.text)
    const group = groups.get(name) ?? { heading, prayers: [] }
    group.prayers.push({ key: line.key, ...line.prayer })
    groups.set(name, group)
  }
  return [...groups.values()]
}

/** Whether a line is a heading that is short enough for a category. */
export function canBeCategory(line: ListLine): boolean {
  return line.kind === 'heading' && line.text.length <= CATEGORY_NAME_MAX_LENGTH
}

type Entry = Omit<LinePlace, 'key'> & {
  /** The web addresses on the lines below. */
  addresses: string[]
}

/** The lines that are not empty. */
function entriesIn(list: string): readonly Entry[] {
  const entries: Entry[] = []
  let start = 0
  for (const [index, line] of list.split('\n').entries()) {
    const text = withoutMarkers(line.trim())
    const end = start + line.length
    const above = entries.at(-1)
    if (above && ADDRESS_ONLY.test(text) && !COLON_AT_END.test(above.text)) {
      above.addresses.push(text)
      above.end = end
    } else if (!NO_WORDS.test(text)) entries.push({ text, number: index + 1, start, end, addresses: [] })
    start = end + 1
  }
  return entries
}

/** There may be several, such as "- [ ] ", or a line of dashes. */
function withoutMarkers(line: string): string {
  let rest = line
  while (MARKER.test(rest)) rest = rest.replace(MARKER, '')
  return rest
}

interface Style {
  /** Whether a line in capitals says something by being so: not in a list that is all in capitals. */
  isMixed: boolean
  /** Whether the lines that are not in capitals have details: where some have none, a line in capitals may be another name. */
  isDetailed: boolean
  /** Whether some lines are several words in capitals. */
  hasTitles: boolean
}

/**
 * Whether a line is a title: words in capitals, with a date or nothing else; or the first one, before a date with a year that the next
 * one lacks. A title that is taken for a name can be left out, but a name that is taken for a title may not be missed.
 */
function isTitle(entries: readonly Entry[], index: number, style: Style): boolean {
  const [entry, next] = entries.slice(index, index + 2)
  if (!entry || entry.addresses.length > 0) return false
  const [name, details] = splitAtSeparator(entry.text)
  if (details !== '' && !isDate(details)) return false
  const isFirst = index === 0
  const isLikely = name.includes(' ')
    ? details !== '' || style.isDetailed || isFirst
    : style.isDetailed && style.hasTitles
  if (style.isMixed && isInCapitals(name) && isLikely) return true
  return isFirst && YEAR.test(details) && next !== undefined && !isDate(splitAtSeparator(next.text)[1])
}

function isInCapitals(name: string): boolean {
  return CAPITALS.test(name) && !SMALL_LETTER.test(name)
}

/** The name and the details of a line. */
function split(line: string): [name: string, details: string] {
  const [first, rest] = splitAtSeparator(withoutPrayFor(line))
  // “Pray for my mother” – Anna
  if (QUOTED_SENTENCE.test(first) && rest !== '') return [withoutPrayFor(rest), first]
  if (!isDate(first) || rest === '') return [first, rest]
  // 23 November – Anna – her operation
  const [name, details] = splitAtSeparator(withoutPrayFor(rest))
  return [name, details === '' ? first : `${first} – ${details}`]
}

function isDate(text: string): boolean {
  return /\d/.test(text) && text.split(/[\s.,:/–-]+/).every((word) => DATE_WORD.test(word))
}

function splitAtSeparator(line: string): [before: string, after: string] {
  const found = [...line.matchAll(SEPARATOR)].find(({ groups }) => groups?.['separator'] !== undefined)
  if (!found) return [line, '']
  const after = line.slice(found.index + found[0].length).replace(LEADING_SEPARATORS, '')
  return [line.slice(0, found.index).trim(), after.replaceAll(/\t+| {3,}/g, ' – ').trim()]
}

/** "Pray for the Miller family" is about "The Miller family". */
function withoutPrayFor(name: string): string {
  const rest = name.replace(PRAY_FOR, '')
  return rest === name ? name : rest.replace(/^./u, (letter) => letter.toUpperCase())
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
