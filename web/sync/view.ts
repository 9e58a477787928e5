import type { Change, Row, RowOf, TableName, TableRules } from './schema.ts'

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
  for (const row of received) if (rules.isRow(row)) rows.set(row.id, row)
  for (const change of changes) if (change.table === table) applyChange(rows, change, rules)
  return [...rows.values()].toSorted(rules.compare)
}

function applyChange<Name extends TableName>(
  rows: Map<string, RowOf<Name>>,
  { kind, row: id, fields }: Change,
  rules: TableRules<Name>,
): void {
  const row = rows.get(id)
  switch (kind) {
    case 'insert': {
      const added = { ...fields, id, rev: 0 }
      // If the server has the row already, it may have been changed since.
      if (!row && rules.isRow(added)) rows.set(id, added)
      return
    }
    case 'update':
      if (row) rows.set(id, { ...row, ...fields })
      return
    case 'delete':
      rows.delete(id)
      return
    case 'call':
      for (const changed of rules.calls[id]?.([...rows.values()], fields) ?? []) rows.set(changed.id, changed)
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
