import { unlessSame } from './is-equal.ts'
import { deletedWith } from './references.ts'
import { forEachTable, type Row, type Rules, type TableName } from './schema.ts'
import type { Batch, RowRef, StoredRow } from './storage.ts'
import type { TouchedRows } from './touched-rows.ts'

/** The received rows of each table, by id. */
export type ReceivedRows = Record<TableName, Map<string, Row>>

/** Puts the stored rows of these tables in the place of the known ones. */
export function loadRows(
  rows: ReceivedRows,
  tables: readonly TableName[],
  stored: readonly StoredRow[],
  touched: TouchedRows,
): void {
  for (const table of tables) {
    const [known, read] = [rows[table], stored.filter((each) => each.table === table)]
    rows[table] = new Map(read.map(({ row }) => [row.id, unlessSame(known.get(row.id), row)]))
    touched[table].all = true
  }
}

interface ReceivedState {
  rows: ReceivedRows
  touched: TouchedRows
  /** Those that are still stored, although they were deleted. */
  notRemoved: readonly RowRef[]
}

/** Changes the rows as a batch says, once it is consistent with them: then it is returned. */
export function applyBatch(state: ReceivedState, given: Batch, rules: Rules): Batch {
  const { rows, touched } = state
  const batch = consistent(given, state, rules)
  const { put = [], remove = [] } = batch
  const known = { ...rows }
  if (batch.clearRows) {
    Object.assign(
      rows,
      forEachTable(rules, () => new Map()),
    )
    for (const each of Object.values(touched)) each.all = true
  }
  for (const { table, row } of put) {
    rows[table].set(row.id, unlessSame(known[table].get(row.id), row))
    touched[table].ids.add(row.id)
  }
  for (const { table, id } of remove) {
    rows[table].delete(id)
    touched[table].ids.add(id)
  }
  return batch
}

/**
 * A batch without rows that are older than the received ones, which another tab has received; and with the deletion of
 * rows that are deleted together with others, which the server does not report, and of those that are still stored.
 */
export function consistent(
  batch: Batch,
  { rows, notRemoved }: Omit<ReceivedState, 'touched'>,
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
