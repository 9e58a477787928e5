import type { Json } from '#shared/database.types.ts'
import type { Change, RejectedChange, Update } from './change.ts'
import { isEqual } from './is-equal.ts'
import type { Fields, Row, Rules } from './schema.ts'

interface ConflictOptions {
  rules: Rules
  newId: () => string
}

/** Columns of a row as they are on this device. */
export type Version = Pick<Update, 'id' | 'user_id' | 'at' | 'table' | 'row' | 'fields'>

/** What is kept of a version that has lost against that of another device. */
export interface Kept {
  changes: readonly Change[]
  rejected: readonly RejectedChange[]
}

/** The columns of an update that another device has changed meanwhile, to something else. Theirs stay, unless they emptied a text. */
export function conflictingColumns(
  { table, fields, base }: Update,
  row: Row,
  rules: Rules,
): readonly string[] {
  const texts: readonly string[] = rules[table].texts
  return Object.keys(base).filter(
    (name) =>
      name in fields &&
      !isEqual(row[name], base[name]) &&
      !isEqual(row[name], fields[name]) &&
      (hasText(row[name]) || !texts.includes(name)),
  )
}

/**
 * Keeps what was typed here besides the row of the server: texts as conflict copies, names for the user to decide. What is the
 * same on both sides, and what was not typed, is not kept.
 */
export function keepBoth(options: ConflictOptions, version: Version, server: Row): Kept {
  const { typed, texts } = options.rules[version.table]
  const isText = (name: string) => texts.some((text) => text === name)
  const differing = typed.filter(
    (name) => name in version.fields && !isEqual(server[name], version.fields[name]),
  )
  const others = pick(
    version.fields,
    differing.filter((name) => !isText(name)),
  )
  return {
    changes: conflictCopies(
      options,
      { ...version, fields: pick(version.fields, differing.filter(isText)) },
      server,
    ),
    rejected: Object.keys(others).length === 0 ? [] : [undecided({ ...version, fields: others }, 'restored')],
  }
}

/** Changes that keep texts. They are stored together with their ids, so that each is made once. */
function conflictCopies(
  { rules, newId }: ConflictOptions,
  { table, user_id, at, fields }: Version,
  server: Row,
): readonly Change[] {
  return Object.values(fields).flatMap((text) => {
    const copy = hasText(text) && rules[table].conflictCopy?.(text, server, at)
    if (!copy) return []
    const id = newId()
    const all = { ...copy.fields, id, user_id }
    return [{ id: newId(), user_id, table: copy.table, kind: 'insert', row: id, fields: all, at }]
  })
}

/** A version that the user has to decide about: its row was deleted, or has another name. */
export function undecided(version: Version, reason: 'restored' | 'deleted'): RejectedChange {
  const { id, user_id, at, table, row, fields } = version
  return { id, user_id, at, table, kind: 'update', row, fields, base: {}, reason, code: '', message: '' }
}

/** The fields with these names. */
export function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}

export function hasText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
