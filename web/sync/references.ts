import type { Json } from '#shared/database.types.ts'
import { type Change, fieldsOf } from './change.ts'
import type { Pending } from './pending.ts'
import { type Values, type RowsByTable, type Rules, type TableName, tablesOf } from './schema.ts'

/** The pending changes that are impossible without a row that could not be added, or a row that refers to it. */
export function dependentsOf(rejected: Change, all: Iterable<Pending>, rules: Rules): readonly Pending[] {
  if (rejected.kind !== 'insert') return []
  const missing = new Set([rejected.row])
  const isMissing = (id: string) => missing.has(id)
  const dependents: Pending[] = []
  for (const pending of all) {
    const { change, state } = pending
    // The server will reject one that is still being stored.
    if (change.id === rejected.id || state === 'storing') continue
    const rows = changedRows(change, rules)
    // A change of many rows skips those that do not exist: it is impossible without any of them.
    const isWithoutRows = rows.length > 0 && rows.every(isMissing)
    if (!isWithoutRows && !missing.has(parentOf(change, rules) ?? '')) continue
    dependents.push(pending)
    if (change.kind === 'insert') missing.add(change.row)
  }
  return dependents
}

/** The ids of the rows that a change is about; none if it changes whatever there is. */
export function changedRows(change: Change, rules: Rules): readonly string[] {
  if (change.kind !== 'call') return [change.row]
  return rules[change.table].calls[change.name]?.refersTo?.(change.args) ?? []
}

/** The id of the row to which these rows refer from then on; null if the change does not say that. */
export function parentOf(change: Change, rules: Rules): string | null {
  const { calls, reference } = rules[change.table]
  const fields = change.kind === 'call' ? calls[change.name]?.update?.(change.args) : fieldsOf(change)
  const id = reference && fields?.[reference.column]
  return typeof id === 'string' ? id : null
}

/** The rows that the database deletes together with the given ones. */
export function deletedWith(
  removed: readonly { table: TableName; id: string }[],
  rows: RowsByTable,
  rules: Rules,
): readonly { table: TableName; id: string }[] {
  return tablesOf(rules).flatMap((table) => {
    const ids = new Set<unknown>(removed.filter((each) => each.table === table).map(({ id }) => id))
    if (ids.size === 0) return []
    return childTables(table, rules).flatMap(({ child, column }) => {
      const children = [...rows[child].values()].filter((row) => ids.has(row[column]))
      return children.map(({ id }) => ({ table: child, id }))
    })
  })
}

/** The tables whose rows are deleted together with a row of the given one, with the column that refers to it. */
export function childTables(table: TableName, rules: Rules): readonly ChildTable[] {
  return Object.values(rules).flatMap(({ name: child, reference, texts }) =>
    reference?.cascades && reference.table === table ? [{ child, column: reference.column, texts }] : [],
  )
}

interface ChildTable {
  child: TableName
  column: string
  texts: readonly string[]
}

/** The texts of the rows that are deleted together with the given one. */
export function textsBelow(
  table: TableName,
  id: string,
  rowsOf: (child: TableName) => Iterable<Values>,
  rules: Rules,
): readonly Json[] {
  return childTables(table, rules).flatMap(({ child, column, texts }) =>
    [...rowsOf(child)]
      .filter((row) => row[column] === id)
      .flatMap((row) => texts.map((name) => row[name] ?? null)),
  )
}
