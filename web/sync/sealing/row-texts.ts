import type { TableName } from '../schema.ts'
import { claimsSealed, keyIdOf, type Keys, openText, type Place, sealText } from './sealed-text.ts'

/** What stands for a text that no known key opens. It is never sent. */
export const UNREADABLE = 'This text cannot be read with your prayer key'

/** Fields of a row, of which some are texts. */
type Texts = Readonly<Record<string, unknown>>

const KINDS: Readonly<Record<TableName, Readonly<Record<string, Place['kind']>>>> = {
  categories: { name: 'category' },
  prayers: { person_name: 'person', note: 'text', answer: 'text' },
  prayer_updates: { body: 'text' },
}

/** The columns that are sealed. */
export function sealedColumns(table: TableName): readonly string[] {
  return Object.keys(KINDS[table])
}

/** The fields of a row with its texts sealed. Empty texts stay empty. */
export async function sealRow<Fields extends Texts>(
  keys: Keys,
  table: TableName,
  id: string,
  fields: Fields,
): Promise<Fields> {
  return mapTexts(table, fields, async (text, kind) => {
    if (text === '') return text
    // As the database does it with plain names.
    return sealText(keys, { kind, id }, kind === 'text' ? text : text.trim())
  })
}

/** The fields of a row with its sealed texts opened; those that no key opens are `UNREADABLE`. */
export async function openRow<Fields extends Texts>(
  keys: ReadonlyMap<string, Keys>,
  table: TableName,
  id: string,
  fields: Fields,
): Promise<Fields> {
  return mapTexts(table, fields, async (text, kind) => {
    if (!claimsSealed(text)) return text
    const key = keys.get(keyIdOf(text) ?? '')
    return (key && (await openText(key, { kind, id }, text))) ?? UNREADABLE
  })
}

async function mapTexts<Fields extends Texts>(
  table: TableName,
  fields: Fields,
  map: (text: string, kind: Place['kind']) => Promise<string>,
): Promise<Fields> {
  const texts: Record<string, string> = {}
  const all = Object.entries(KINDS[table]).map(async ([column, kind]) => {
    const text = fields[column]
    if (typeof text === 'string') texts[column] = await map(text, kind)
  })
  await Promise.all(all)
  return { ...fields, ...texts }
}
