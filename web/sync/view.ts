import type { Change } from './change.ts'
import { type Row, type RowOf, type Rules, type TableName, type TableRules, TABLES } from './schema.ts'
import type { State } from './state.ts'

/** What the user sees of a state. */
export interface Views {
  /** The rows of a table with the pending changes applied, in the table's order. */
  rows: <Name extends TableName>(state: State, table: Name) => readonly RowOf<Name>[]
  /** How many received rows are not shown, because this version of the app does not know their form. */
  countUnreadable: (state: State) => number
}

type RowsOf = { [Name in TableName]: (state: State) => readonly RowOf<Name>[] }
type Readers = { [Name in TableName]: Reader<Name> }

/** Sorting thousands of rows takes a while on a phone: a table that nothing has changed for keeps what was computed. */
export function createViews(rules: Rules): Views {
  const readers: Readers = {
    categories: createReader('categories', rules.categories),
    prayers: createReader('prayers', rules.prayers),
    prayer_updates: createReader('prayer_updates', rules.prayer_updates),
  }
  const rowsOf = <Name extends TableName>(table: Name, read: Reader<Name>) => {
    let sorted: { received: unknown; rows: ReadonlyMap<string, RowOf<Name>> } | null = null
    let known: { sorted: unknown; changes: readonly Change[]; rows: readonly RowOf<Name>[] } | null = null
    return ({ rows, pending }: State) => {
      const received = rows[table]
      if (sorted?.received !== received)
        sorted = { received, rows: sortedRows<Name>(received.values(), rules[table], read) }
      const changes = pending.map(({ change }) => change).filter((change) => affects(change, table, rules))
      if (known?.sorted !== sorted || !isSameList(known.changes, changes))
        known = { sorted, changes, rows: applyChanges<Name>(table, sorted.rows, changes, rules[table], read) }
      return known.rows
    }
  }
  const views: RowsOf = {
    categories: rowsOf('categories', readers.categories),
    prayers: rowsOf('prayers', readers.prayers),
    prayer_updates: rowsOf('prayer_updates', readers.prayer_updates),
  }
  return {
    rows: (state, table) => views[table](state),
    countUnreadable: ({ rows }) =>
      TABLES.flatMap((table) => [...rows[table].values()].filter((row) => readers[table](row) === null))
        .length,
  }
}

/** A row with the columns that it may lack; null if others are missing or have other types. */
type Reader<Name extends TableName> = (row: Row) => RowOf<Name> | null

/**
 * Validating thousands of rows takes a while on a phone: each row is read once, when it has arrived, not after every change.
 * Those that are not valid may be of a newer version of the app. That is reported once, and they stay stored.
 */
function createReader<Name extends TableName>(
  table: Name,
  { defaults, isRow }: TableRules<Name>,
): Reader<Name> {
  const names = Object.keys(defaults)
  const known = new WeakMap<Row, RowOf<Name> | null>()
  let isReported = false
  return (row) => {
    const read = known.get(row)
    if (read !== undefined) return read
    const complete = names.every((name) => name in row) ? row : { ...defaults, ...row }
    const valid = isRow(complete) ? complete : null
    if (!valid && !isReported) {
      isReported = true
      console.error(`Rows of ${table} cannot be shown: their columns are not those that the app knows.`)
    }
    known.set(row, valid)
    return valid
  }
}

/** Whether a change may be seen in the rows of a table. */
function affects(change: Change, table: TableName, rules: Rules): boolean {
  const { reference } = rules[table]
  return shownChanges(change).some(
    ({ table: changed, kind }) =>
      changed === table || (kind === 'delete' && reference?.cascades && reference.table === changed),
  )
}

/** What a change does to rows. */
function shownChanges(change: Change): readonly Change[] {
  if (change.kind !== 'call' || !change.shownAs) return [change]
  const { id, user_id, at } = change
  return change.shownAs.map((each) => Object.assign({ seen: [] }, each, { id, user_id, at }))
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/** The received rows in the table's order, without those that are not valid. */
function sortedRows<Name extends TableName>(
  received: Iterable<Row>,
  { compare }: TableRules<Name>,
  read: Reader<Name>,
): ReadonlyMap<string, RowOf<Name>> {
  const rows = [...received].flatMap((row) => read(row) ?? []).toSorted(compare)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * The rows as the user should see them: those of the server with the changes applied, in the table's order. Rows that no
 * change affects keep their identity.
 *
 * @param received in the table's order: sorting them again after the changes takes a moment only
 */
function applyChanges<Name extends TableName>(
  table: Name,
  received: ReadonlyMap<string, RowOf<Name>>,
  changes: readonly Change[],
  rules: TableRules<Name>,
  read: Reader<Name>,
): readonly RowOf<Name>[] {
  if (changes.length === 0) return [...received.values()]
  const rows = new Map(received)
  const deleted = new Set<unknown>()
  for (const change of changes.flatMap(shownChanges)) {
    if (change.table === table) applyChange(rows, change, rules, read)
    else if (change.kind === 'delete' && change.table === rules.reference?.table) deleted.add(change.row)
  }
  const shown = [...rows.values()].toSorted(rules.compare)
  const { reference } = rules
  return reference?.cascades && deleted.size > 0
    ? shown.filter((row) => !deleted.has(row[reference.column]))
    : shown
}

function applyChange<Name extends TableName>(
  rows: Map<string, RowOf<Name>>,
  change: Change,
  rules: TableRules<Name>,
  read: Reader<Name>,
): void {
  switch (change.kind) {
    case 'insert': {
      const added = read({ ...change.fields, id: change.row, rev: 0 })
      // If the server has the row already, it may have been changed since.
      if (added && !rows.has(added.id)) rows.set(added.id, added)
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
