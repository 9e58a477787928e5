import { deletedWith } from './references.ts'
import { forEachTable, type Row, type Rules, type TableName, TABLES } from './schema.ts'
import type { Batch, StoredRow } from './storage.ts'
import { unlessSame } from './view.ts'

/** The rows in this page as they were received from the server, without the changes that wait. */
export interface ReceivedRows {
  /** By id. */
  of: (table: TableName) => ReadonlyMap<string, Row>
  /** Replaces the rows of these tables by those that are stored. */
  load: (tables: readonly TableName[], stored: readonly StoredRow[]) => void
  /** Changes the rows as a batch has changed the stored ones. */
  apply: (batch: Batch) => void
  /**
   * A batch without rows that are older than the received ones, which another tab has received; and with the deletion of
   * rows that are deleted together with others, which the server does not report.
   */
  consistent: (batch: Batch) => Batch
}

export function createReceivedRows(rules: Rules): ReceivedRows {
  const rows = forEachTable((): Map<string, Row> => new Map())
  return {
    of: (table) => rows[table],
    load: (tables, stored) => {
      for (const table of tables) {
        const known = rows[table]
        const read = stored.filter((each) => each.table === table)
        rows[table] = new Map(read.map(({ row }) => [row.id, unlessSame(known.get(row.id), row)]))
      }
    },
    apply: ({ clearRows, put = [], remove = [] }) => {
      const known = { ...rows }
      if (clearRows) for (const table of TABLES) rows[table] = new Map()
      for (const { table, row } of put) rows[table].set(row.id, unlessSame(known[table].get(row.id), row))
      for (const { table, id } of remove) rows[table].delete(id)
    },
    consistent: (batch) => {
      if (batch.clearRows) return batch
      const { put = [], remove = [] } = batch
      const isCurrent = ({ table, row }: StoredRow) => (rows[table].get(row.id)?.rev ?? 0) <= row.rev
      return {
        ...batch,
        put: put.filter(isCurrent),
        remove: [...remove, ...deletedWith(remove, rows, rules)],
      }
    },
  }
}
