import type { Change } from './change.ts'
import { type Row, type RowOf, type Rules, type TableName, type TableRules, TABLES } from './schema.ts'

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
  const viewOf = <Name extends TableName>(table: Name) =>
    cached(() => applyChanges<Name>(table, received(table), changes(), rules[table]))
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
): readonly RowOf<Name>[] {
  const rows = new Map<string, RowOf<Name>>()
  const withDefaults = completing(rules)
  for (const each of received) {
    const row = withDefaults(each)
    if (rules.isRow(row)) rows.set(row.id, row)
  }
  const deleted = new Set<unknown>()
  for (const change of changes) {
    if (change.table === table) applyChange(rows, change, rules, withDefaults)
    else if (change.kind === 'delete' && change.table === rules.reference?.table) deleted.add(change.row)
  }
  const shown = [...rows.values()].toSorted(rules.compare)
  const { reference } = rules
  return reference?.cascades && deleted.size > 0
    ? shown.filter((row) => !deleted.has(row[reference.column]))
    : shown
}

/** Returns a function that adds the columns that a row lacks. */
function completing<Name extends TableName>({ defaults }: TableRules<Name>): (row: Row) => Row {
  const names = Object.keys(defaults)
  return (row) => (names.every((name) => name in row) ? row : { ...defaults, ...row })
}

function applyChange<Name extends TableName>(
  rows: Map<string, RowOf<Name>>,
  change: Change,
  rules: TableRules<Name>,
  withDefaults: (row: Row) => Row,
): void {
  switch (change.kind) {
    case 'insert': {
      const added = withDefaults({ ...change.fields, id: change.row, rev: 0 })
      // If the server has the row already, it may have been changed since.
      if (!rows.has(added.id) && rules.isRow(added)) rows.set(added.id, added)
      return
    }
    case 'update': {
      const row = rows.get(change.row)
      if (row) rows.set(row.id, { ...row, ...rules.derive?.(row, change), ...change.fields })
      return
    }
    case 'delete':
      rows.delete(change.row)
      return
    case 'call': {
      const { apply } = rules.calls[change.name] ?? {}
      for (const changed of apply?.([...rows.values()], change.args) ?? []) rows.set(changed.id, changed)
    }
  }
}

/** The known object if nothing has changed, so that it does not render again. */
export function unlessSame(known: Row | undefined, row: Row): Row {
  if (!known) return row
  const names = Object.keys(row)
  const isSame =
    names.length === Object.keys(known).length && names.every((name) => known[name] === row[name])
  return isSame ? known : row
}
