import type { Json } from '#shared/database.types.ts'
import type { Change, RejectedChange, Update } from './change.ts'
import { isTypedBefore } from './earlier-attempts.ts'
import { isEqual } from './is-equal.ts'
import type { Row, Rules, Values } from './schema.ts'

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
export function conflictingColumns(update: Update, row: Row, rules: Rules): readonly string[] {
  const { fields, base }: { fields: Values; base: Values } = update
  const texts: readonly string[] = rules[update.table].texts
  return Object.keys(base).filter(
    (name) =>
      name in fields &&
      !isEqual(row[name], base[name]) &&
      !isEqual(row[name], fields[name]) &&
      !isTypedBefore(update, name, row[name]) &&
      (hasText(row[name]) || !texts.includes(name)),
  )
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
