import type { Change, Update } from './change.ts'
import { hasText, type Kept, keepBoth, pick, undecided, type Version } from './conflicts.ts'
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

const NOTHING: Kept = { changes: [], rejected: [] }

export interface Restored {
  rules: Rules
  userId: string
  newId: () => string
  /** The time, as ISO 8601 text. */
  at: string
  /** Of the rows that this device has received, those up to this revision were in the backup. */
  known: number
  /** Of the rows of the restored server, this device has received those up to this revision before. */
  seen: number
  /** The rows of the restored server. */
  rows: readonly StoredRow[]
  tombstones: readonly Tombstone[]
}

/**
 * What this device has received and a server that was restored from an older backup does not have any more. Rows that are
 * missing are added again, and those that the server has only from the backup are changed again. Of a row that was changed
 * since, theirs stays: a text from here becomes a conflict copy. What has no copy, or was deleted by someone who has not seen
 * it, is kept for the user to decide.
 */
export function keptAfterRestore(received: State['rows'], options: Restored): Kept {
  const { rules, userId, newId, at, known, seen, rows, tombstones } = options
  const onServer = new Map(rows.map(({ row }) => [row.id, row]))
  const deleted = new Map<unknown, Tombstone>(tombstones.map((tombstone) => [tombstone.id, tombstone]))
  const wasSeen = (row: Row | undefined) => row !== undefined && deleted.get(row.id)?.rowRev === row.rev

  const keep = (table: TableName, { rev, ...fields }: Row): Kept => {
    if (writtenRev({ rev, ...fields }) <= known) return NOTHING
    const version: Version = { id: newId(), user_id: userId, at, table, row: fields.id, fields }
    const server = onServer.get(fields.id)
    if (server && writtenRev(server) > seen) return keepBoth(options, version, server)
    if (server) return { changes: updatesOf(options, version, server), rejected: [] }
    const { reference } = rules[table]
    const parentId = reference?.cascades ? fields[reference.column] : null
    if (!deleted.has(fields.id) && !deleted.has(parentId))
      return { changes: [{ ...version, kind: 'insert', isLost: true }], rejected: [] }
    const parent =
      reference && typeof parentId === 'string' ? received[reference.table].get(parentId) : undefined
    // A change of a row raises its parent's revision. What was written here after the parent was received is not part of it, so
    // whoever deleted the parent has not seen it.
    const isPartOfParent = parent !== undefined && rev <= parent.rev
    const isSeen = wasSeen(received[table].get(fields.id)) || (isPartOfParent && wasSeen(parent))
    return isSeen ? NOTHING : { changes: [], rejected: [undecided(version, 'deleted')] }
  }
  const kept = TABLES.flatMap((table) => [...received[table].values()].map((row) => keep(table, row)))
  const changes = kept.flatMap((each) => each.changes)
  const isInsert = ({ kind }: Change) => kind === 'insert'
  return {
    // Rows first: a text may be gone in one row because it has moved to another one.
    changes: [...changes.filter(isInsert), ...changes.filter((change) => !isInsert(change))],
    rejected: kept.flatMap(({ rejected }) => rejected),
  }
}

/** The revision of the last write that has changed more than what the database computes, if the table has a column for it. */
function writtenRev({ rev, written_rev: written }: Row): number {
  return typeof written === 'number' ? written : rev
}

/** What turns a row of the backup into the one that was received, unless another device changes it meanwhile. */
function updatesOf({ rules, newId }: Restored, version: Version, server: Row): readonly Update[] {
  const { fields } = version
  const computed: readonly string[] = rules[version.table].computed
  const texts: readonly string[] = rules[version.table].texts
  const differing = Object.keys(fields).filter(
    (name) => name in server && !computed.includes(name) && !isEqual(server[name], fields[name]),
  )
  // Texts that are gone come first: the database would keep the answer of a prayer that is reopened as an update, which this
  // device has as well.
  const isGone = (name: string) => texts.includes(name) && !hasText(fields[name])
  const updateOf = (names: readonly string[]): Update => {
    const [received, base] = [pick(fields, names), pick(server, names)]
    return { ...version, id: newId(), kind: 'update', fields: received, base }
  }
  return [differing.filter(isGone), differing.filter((name) => !isGone(name))]
    .filter((names) => names.length > 0)
    .map(updateOf)
}
