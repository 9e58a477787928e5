import type { Change } from './change.ts'
import type { Row, RowOf, Rules, TableName, TableRules } from './schema.ts'
import type { State } from './state.ts'

type ShownRows = <Name extends TableName>(state: State, table: Name) => readonly RowOf<Name>[]

type Views = { [Name in TableName]: (state: State) => readonly RowOf<Name>[] }

/**
 * Returns a function that returns the rows of a table as the user should see them. Sorting thousands of rows takes a while on
 * a phone: a table that nothing has changed for keeps what was computed.
 */
export function createViews(rules: Rules): ShownRows {
  const viewOf = <Name extends TableName>(table: Name) => {
    let known: { received: unknown; changes: readonly Change[]; rows: readonly RowOf<Name>[] } | null = null
    return ({ rows, pending }: State) => {
      const received = rows[table]
      const changes = pending.map(({ change }) => change).filter((change) => affects(change, table, rules))
      if (known?.received !== received || !isSameList(known.changes, changes))
        known = {
          received,
          changes,
          rows: applyChanges<Name>(table, received.values(), changes, rules[table]),
        }
      return known.rows
    }
  }
  const views: Views = {
    categories: viewOf('categories'),
    prayers: viewOf('prayers'),
    prayer_updates: viewOf('prayer_updates'),
  }
  return (state, table) => views[table](state)
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
  for (const change of changes.flatMap(shownChanges)) {
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
