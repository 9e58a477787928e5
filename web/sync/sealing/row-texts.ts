import { isRecord } from '#shared/is-record.ts'
import {
  ANSWER_MAX_LENGTH,
  CATEGORY_NAME_MAX_LENGTH,
  NOTE_MAX_LENGTH,
  PERSON_NAME_MAX_LENGTH,
  UPDATE_MAX_LENGTH,
} from '#shared/limits.ts'
import { UserError } from '#web/lib/error-message.ts'
import { timeout } from '#web/lib/timeout.ts'
import type { TableName } from '../schema.ts'
import { UNREADABLE } from './encryption-status.ts'
import { claimsSealed, keyIdOf, type Keys, openText, type Place, sealText } from './sealed-text.ts'

/** Fields of a row, of which some are texts. */
type Texts = Readonly<Record<string, unknown>>

interface SealedColumn {
  kind: Place['kind']
  /** In characters, as the database counts them in plain texts. */
  maxLength: number
}

const SEALED: Readonly<Record<TableName, Readonly<Record<string, SealedColumn>>>> = {
  categories: { name: { kind: 'category', maxLength: CATEGORY_NAME_MAX_LENGTH } },
  prayers: {
    person_name: { kind: 'person', maxLength: PERSON_NAME_MAX_LENGTH },
    note: { kind: 'text', maxLength: NOTE_MAX_LENGTH },
    answer: { kind: 'text', maxLength: ANSWER_MAX_LENGTH },
  },
  prayer_updates: { body: { kind: 'text', maxLength: UPDATE_MAX_LENGTH } },
}

/** A text that must not be sealed. The database would refuse it, or could not take it back when encryption is turned off. */
export class TextRefused extends UserError {
  override name = 'TextRefused'
}

/** The tables with columns that are sealed. */
export const SEALED_TABLES: readonly TableName[] = ['categories', 'prayers', 'prayer_updates']

/** The columns that are sealed. */
export function sealedColumns(table: TableName): readonly string[] {
  return Object.keys(SEALED[table])
}

/** The fields of a row with its texts sealed. Empty texts stay empty. Rejects with `TextRefused`. */
export async function sealRow<Fields extends Texts>(
  keys: Keys,
  table: TableName,
  id: string,
  fields: Fields,
): Promise<Fields> {
  return mapTexts(table, fields, async (given, { kind, maxLength }) => {
    // As the database does it with plain names.
    const text = kind === 'text' ? given : given.trim()
    if (text === '') return text
    // A character may take two units of a string.
    if (Array.from(text).length > maxLength) throw new TextRefused('The text is too long.')
    if (text.includes('\0')) throw new TextRefused('The text has a character that cannot be stored.')
    return sealText(keys, { kind, id }, text)
  })
}

/** The fields of a row with its sealed texts opened; those that no key opens are `UNREADABLE`. */
export async function openRow<Fields extends Texts>(
  keys: ReadonlyMap<string, Keys>,
  table: TableName,
  id: string,
  fields: Fields,
): Promise<Fields> {
  return mapTexts(table, fields, async (text, { kind }) => {
    if (!claimsSealed(text)) return text
    const key = keys.get(keyIdOf(text) ?? '')
    return (key && (await openText(key, { kind, id }, text))) ?? UNREADABLE
  })
}

/** The columns with texts that are not sealed. */
export function unsealedColumns(table: TableName, fields: Texts): string[] {
  return sealedColumns(table).filter((column) => {
    const text = fields[column]
    return typeof text === 'string' && text !== '' && !claimsSealed(text)
  })
}

/**
 * The last check before a request leaves: throws if it has a text that is not sealed, or is not JSON.
 *
 * @param keyId of the key with which texts are sealed
 * @param body of the request
 */
export function requireSealed(keyId: string, body: BodyInit): void {
  if (typeof body !== 'string') throw new Error('A body was to be sent that cannot be checked.')
  const columns = new Set(SEALED_TABLES.flatMap(sealedColumns))
  const isPlain = (value: unknown, name = ''): boolean => {
    if (typeof value === 'string')
      return columns.has(name) && value !== '' && !value.startsWith(`enc1.${keyId}.`)
    if (Array.isArray(value)) return value.some((each) => isPlain(each, name))
    return isRecord(value) && Object.entries(value).some(([key, each]) => isPlain(each, key))
  }
  if (isPlain(JSON.parse(body))) throw new Error('A text was to be sent without being sealed.')
}

/** How many rows are sealed or opened before the browser may do something else: it does not by itself, whatever is waited for. */
const ROWS_AT_ONCE = 50

/** Maps rows without keeping the page from reacting for long. */
export async function mapRows<Given, Mapped>(
  rows: readonly Given[],
  map: (row: Given) => Promise<Mapped>,
): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    if (start > 0) await timeout(0)
    mapped.push(...(await Promise.all(rows.slice(start, start + ROWS_AT_ONCE).map(map))))
  }
  return mapped
}

async function mapTexts<Fields extends Texts>(
  table: TableName,
  fields: Fields,
  map: (text: string, column: SealedColumn) => Promise<string>,
): Promise<Fields> {
  const texts: Record<string, string> = {}
  const all = Object.entries(SEALED[table]).map(async ([name, column]) => {
    const text = fields[name]
    if (typeof text === 'string') texts[name] = await map(text, column)
  })
  await Promise.all(all)
  return { ...fields, ...texts }
}
