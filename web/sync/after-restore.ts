import type { Change, RejectedChange } from './change.ts'
import { type Kept, keepBoth, pick, undecided } from './conflicts.ts'
import { isEqual } from './is-equal.ts'
import { type Row, type Rules, type TableName, TABLES } from './schema.ts'
import type { State } from './state.ts'
import type { StoredRow } from './storage.ts'

/** Where a row was, with its revision when it was deleted. */
export interface Tombstone {
  table: TableName
  id: string
  rowRev: number
}

export interface Restored {
  rules: Rules
  userId: string
  newId: () => string
  /** The time, as ISO 8601 text. */
  at: string
  /** Of the rows that this device has received, those up to this revision were in the backup. */
  known: number
  /** The rows of the restored server. */
  rows: readonly StoredRow[]
  tombstones: readonly Tombstone[]
}

/**
 * What this device has received and a server that was restored from an older backup does not have any more. Rows that are
 * missing are added again. Of texts that differ, one that the server has only from the backup is replaced; otherwise theirs
 * stays, and the one from here becomes a conflict copy. What has no copy, or was deleted by someone who has not seen it, is
 * kept for the user to decide.
 */
export function keptAfterRestore(received: State['rows'], options: Restored): Kept {
  const { rules, userId, newId, at, known, rows, tombstones } = options
  const onServer = new Map(rows.map(({ row }) => [row.id, row]))
  const deleted = new Map<unknown, Tombstone>(tombstones.map((tombstone) => [tombstone.id, tombstone]))
  const changes: Change[] = []
  const rejected: RejectedChange[] = []
  const made = () => ({ id: newId(), user_id: userId, at })
  const wasSeen = (row: Row | undefined) => row !== undefined && deleted.get(row.id)?.rowRev === row.rev

  for (const table of TABLES) {
    const { typed, reference } = rules[table]
    const parents = reference?.cascades ? received[reference.table] : null
    for (const row of received[table].values()) {
      if (row.rev <= known) continue
      const { rev: _rev, ...fields } = row
      const server = onServer.get(row.id)
      const parent = reference?.cascades ? row[reference.column] : null
      if (server) {
        const differing = typed.filter((name) => name in fields && !isEqual(server[name], fields[name]))
        const kept = { ...made(), table, row: row.id, fields: pick(fields, differing) }
        if (differing.length === 0) continue
        if (server.rev <= known) changes.push({ ...kept, kind: 'update', base: pick(server, differing) })
        else {
          const both = keepBoth(options, kept, server)
          changes.push(...both.changes)
          rejected.push(...both.rejected)
        }
      } else if (!deleted.has(row.id) && !deleted.has(parent))
        changes.push({ ...made(), kind: 'insert', table, row: row.id, fields, isLost: true })
      else if (!wasSeen(row) && !wasSeen(typeof parent === 'string' ? parents?.get(parent) : undefined))
        rejected.push(undecided({ ...made(), table, row: row.id, fields }, 'deleted'))
    }
  }
  return { changes, rejected }
}
