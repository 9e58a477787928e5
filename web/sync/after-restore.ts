import type { Change, RejectedChange } from './change.ts'
import { conflictCopies } from './conflict-copies.ts'
import { isEqual } from './is-equal.ts'
import { type Fields, type Row, type Rules, type TableName, TABLES } from './schema.ts'
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

/** What a device keeps of its rows after a restore: changes to be sent, and what the user has to decide. */
export interface Kept {
  changes: readonly Change[]
  rejected: readonly RejectedChange[]
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
          const { copies, undecided } = keepBoth(options, kept, server)
          changes.push(...copies)
          rejected.push(...undecided)
        }
      } else if (!deleted.has(row.id) && !deleted.has(parent))
        changes.push({ ...made(), kind: 'insert', table, row: row.id, fields, isLost: true })
      else if (!wasSeen(row) && !wasSeen(typeof parent === 'string' ? parents?.get(parent) : undefined))
        rejected.push(deletedUnseen({ ...made(), table, row: row.id, fields }))
    }
  }
  return { changes, rejected }
}

interface Typed {
  id: string
  user_id: string
  at: string
  table: TableName
  row: string
  /** The columns that differ. */
  fields: Fields
}

/** Keeps what was typed here besides the row of the server: long texts as conflict copies, others for the user to decide. */
export function keepBoth(
  options: { rules: Rules; newId: () => string },
  { fields, ...change }: Typed,
  server: Row,
): { copies: readonly Change[]; undecided: readonly RejectedChange[] } {
  const { typed, texts } = options.rules[change.table]
  const differing = typed.filter((name) => name in fields && !isEqual(server[name], fields[name]))
  const isText = (name: string) => texts.some((text) => text === name)
  const others = differing.filter((name) => !isText(name))
  return {
    copies: conflictCopies(options, change, pick(fields, differing.filter(isText)), server),
    undecided:
      others.length === 0
        ? []
        : [{ ...change, kind: 'update', fields: pick(fields, others), base: {}, ...reasonOf('restored') }],
  }
}

/** A row whose deletion has not seen what was typed here: its texts are offered, to be saved under another id. */
export function deletedUnseen(change: Typed): RejectedChange {
  return { ...change, kind: 'update', base: {}, ...reasonOf('deleted') }
}

function reasonOf<Reason extends 'restored' | 'deleted'>(reason: Reason) {
  return { reason, code: '', message: '' }
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}
