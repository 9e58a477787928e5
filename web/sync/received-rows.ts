import { isEqual } from './is-equal.ts'
import { deletedWith } from './references.ts'
import { forEachTable, type Row, type RowsByTable, type Rules, type TableName, TABLES } from './schema.ts'
import type { Batch, RowRef, StoredRow } from './storage.ts'

export const NO_ROWS: RowsByTable = forEachTable(() => new Map())

/** The stored rows of these tables in the place of the known ones. */
export function loadRows(
  known: RowsByTable,
  tables: readonly TableName[],
  stored: readonly StoredRow[],
): RowsByTable {
  const rows = { ...known }
  for (const table of tables) {
    const read = stored.filter((each) => each.table === table)
    rows[table] = new Map(read.map(({ row }) => [row.id, unlessSame(known[table].get(row.id), row)]))
  }
  return rows
}

/** The rows after a batch. Tables without a change stay the same object. */
export function applyBatch(known: RowsByTable, { clearRows, put = [], remove = [] }: Batch): RowsByTable {
  const rows = { ...known }
  for (const table of TABLES) {
    const putHere = put.filter((each) => each.table === table)
    const removedHere = remove.filter((each) => each.table === table)
    if (!clearRows && putHere.length === 0 && removedHere.length === 0) continue
    const changed = new Map(clearRows ? [] : known[table])
    for (const { row } of putHere) changed.set(row.id, unlessSame(known[table].get(row.id), row))
    for (const { id } of removedHere) changed.delete(id)
    rows[table] = changed
  }
  return rows
}

/**
 * A batch without rows that are older than the received ones, which another tab has received; and with the deletion of
 * rows that are deleted together with others, which the server does not report, and of those that are still stored.
 */
export function consistent(
  batch: Batch,
  { rows, notRemoved }: { rows: RowsByTable; notRemoved: readonly RowRef[] },
  rules: Rules,
): Batch {
  if (batch.clearRows) return batch
  const { put = [], remove = [] } = batch
  const isCurrent = ({ table, row }: StoredRow) => (rows[table].get(row.id)?.rev ?? 0) <= row.rev
  const added = new Set(put.map(({ row }) => row.id))
  const overdue = notRemoved.filter(({ id }) => !added.has(id))
  return {
    ...batch,
    put: put.filter(isCurrent),
    remove: [...remove, ...deletedWith(remove, rows, rules), ...overdue],
  }
}

/** The known object if nothing has changed, so that it does not render again. */
function unlessSame(known: Row | undefined, row: Row): Row {
  return known && isEqual(known, row) ? known : row
}
