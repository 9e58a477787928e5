import type { Json } from '#shared/database.types.ts'
import type { Change, Insert, RejectedChange, Update } from './change.ts'
import { isEqual } from './is-equal.ts'
import type { Columns, Row, Rules, Values } from './schema.ts'

/** Columns of a row as they are on this device. */
export type OwnRow = Pick<
  Update,
  'id' | 'user_id' | 'at' | 'table' | 'row' | 'fields' | 'isLost' | 'typedBefore'
>

/** What is kept of a row that has lost against that of another device. */
export interface KeptChanges {
  changes: readonly Change[]
  rejected: readonly RejectedChange[]
}

/** The columns of an update that another device has changed meanwhile, to something else. Theirs stay, unless they emptied a text. */
export function conflictingColumns(
  { table, typedBefore = [], ...update }: Update,
  row: Row,
  rules: Rules,
): readonly string[] {
  const { fields, base }: { fields: Values; base: Values } = update
  const isTypedBefore = (name: string) =>
    [typedBefore].flat().some((before: Values) => isEqual(row[name], before[name]))
  const texts: readonly string[] = rules[table].texts
  return Object.keys(base).filter(
    (name) =>
      name in fields &&
      !isEqual(row[name], base[name]) &&
      !isEqual(row[name], fields[name]) &&
      !isTypedBefore(name) &&
      (hasText(row[name]) || !texts.includes(name)),
  )
}

/** What only the first attempt of a form decides about. */
const SET_ONCE = new Set(['id', 'user_id', 'created_at'])

/**
 * The fields of an insert whose form has sent it before: its texts, about which a conflict is decided later, and what was ever typed
 * differently. If the row has another value of something else, it was changed since.
 */
export function fieldsTypedAgain({ typedBefore, fields }: Insert, texts: readonly string[]): Columns {
  if (!typedBefore) return {}
  const earlier: readonly Values[] = [typedBefore].flat()
  // An insert lacks what is not used.
  const unused = Object.fromEntries(earlier.flatMap(Object.keys).map((name) => [name, null]))
  const isTypedAgain = ([name, value]: [string, Json]) =>
    texts.includes(name) || earlier.length === 0 || earlier.some((before) => !isEqual(before[name], value))
  const typed = Object.entries({ ...unused, ...fields }).filter(([name]) => !SET_ONCE.has(name))
  return Object.fromEntries(typed.filter(isTypedAgain))
}

/** The fields with these names. */
export function pick<Fields extends object>(fields: Fields, names: readonly string[]): Partial<Fields> {
  const picked: Partial<Fields> = {}
  for (const name in fields) if (names.includes(name)) picked[name] = fields[name]
  return picked
}

export function hasText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
