import { isEqual } from './is-equal.ts'
import {
  type Change,
  type Row,
  type RowOf,
  type Rules,
  type TableName,
  type TableRules,
  TABLES,
} from './schema.ts'

/** The rows of all tables as the user should see them, computed when they are read for the first time after a change. */
export interface Views {
  rows: <Name extends TableName>(table: Name) => readonly RowOf<Name>[]
  /** Sorting thousands of rows takes a while on a phone: tables that nothing has changed for keep what was computed. */
  outdate: (changed: readonly ChangedTable[]) => void
}

/** A table with a row that has changed, or a change of one that was made or taken back. */
interface ChangedTable {
  table: TableName
  kind?: Change['kind']
}

type CachedRows = { [Name in TableName]: (() => readonly RowOf<Name>[]) & { outdate: () => void } }

/**
 * @param received the rows of a table as received from the server
 * @param changes those to be applied to them
 */
export function createViews(
  rules: Rules,
  received: (table: TableName) => Iterable<Row>,
  changes: () => readonly Change[],
): Views {
  const viewOf = <Name extends TableName>(table: Name) => {
    const read = createReader<Name>(rules[table])
    return cached(() => applyChanges<Name>(table, received(table), changes(), rules[table], read))
  }
  const views: CachedRows = {
    categories: viewOf('categories'),
    prayers: viewOf('prayers'),
    prayer_updates: viewOf('prayer_updates'),
  }
  return {
    rows: (table) => views[table](),
    outdate: (changed) => {
      for (const table of TABLES) {
        const { reference } = rules[table]
        const isAffected = (each: ChangedTable) =>
          each.table === table ||
          (each.kind === 'delete' && reference?.cascades && reference.table === each.table)
        if (changed.some(isAffected)) views[table].outdate()
      }
    },
  }
}

function cached<Value>(compute: () => Value): (() => Value) & { outdate: () => void } {
  let current: { value: Value } | null = null
  return Object.assign(() => (current ??= { value: compute() }).value, {
    outdate: () => void (current = null),
  })
}

/**
 * The rows as the user should see them: those of the server with the changes applied, in the table's order. Rows that no
 * change affects keep their identity.
 */
export function applyChanges<Name extends TableName>(
  table: Name,
  received: Iterable<Row>,
  changes: readonly Change[],
  rules: TableRules<Name>,
  read: Reader<Name> = createReader(rules),
): readonly RowOf<Name>[] {
  const rows = new Map<string, RowOf<Name>>()
  for (const each of received) {
    const row = read(each)
    if (row) rows.set(row.id, row)
  }
  const deleted = new Set<unknown>()
  for (const change of changes) {
    if (change.table === table) applyChange(rows, change, rules, read)
    else if (change.kind === 'delete' && change.table === rules.reference?.table) deleted.add(change.row)
  }
  const shown = [...rows.values()].toSorted(rules.compare)
  const { reference } = rules
  return reference?.cascades && deleted.size > 0
    ? shown.filter((row) => !deleted.has(row[reference.column]))
    : shown
}

/** A row with the columns that it may lack; null if others are missing or have other types. */
type Reader<Name extends TableName> = (row: Row) => RowOf<Name> | null

/** Validating thousands of rows takes a while on a phone: each row is read once, not after every change. */
function createReader<Name extends TableName>({ defaults, isRow }: TableRules<Name>): Reader<Name> {
  const names = Object.keys(defaults)
  const known = new WeakMap<Row, RowOf<Name> | null>()
  return (row) => {
    const read = known.get(row)
    if (read !== undefined) return read
    const complete = names.every((name) => name in row) ? row : { ...defaults, ...row }
    const valid = isRow(complete) ? complete : null
    known.set(row, valid)
    return valid
  }
}

function applyChange<Name extends TableName>(
  rows: Map<string, RowOf<Name>>,
  change: Change,
  rules: TableRules<Name>,
  read: Reader<Name>,
): void {
  const { kind, row: id, fields } = change
  const row = rows.get(id)
  switch (kind) {
    case 'insert': {
      const added = read({ ...fields, id, rev: 0 })
      // If the server has the row already, it may have been changed since.
      if (!row && added) rows.set(id, added)
      return
    }
    case 'update':
      if (row) rows.set(id, { ...row, ...rules.derive?.(row, change), ...fields })
      return
    case 'delete':
      rows.delete(id)
      return
    case 'call':
      for (const changed of rules.calls[id]?.apply([...rows.values()], fields) ?? [])
        rows.set(changed.id, changed)
  }
}

/** The known object if nothing has changed, so that it does not render again. */
export function unlessSame(known: Row | undefined, row: Row): Row {
  return known && isEqual(known, row) ? known : row
}
