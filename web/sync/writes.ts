import type { Json } from '#shared/database.types.ts'
import {
  type Change,
  type Deletion,
  type Insert,
  type RejectedChange,
  Rejection,
  type Update,
} from './change.ts'
import { hasText, type KeptChanges } from './conflicts.ts'
import { isEqual } from './is-equal.ts'
import { isSaved, type Pending } from './pending.ts'
import { consistent } from './received-rows.ts'
import { dependentsOf } from './references.ts'
import type { Cursor, Rules, Values } from './schema.ts'
import { plainColumns } from './sealing/encryption-status.ts'
import type { State } from './state.ts'
import { type Batch, type Contents, hasBegun, isContinued, isSameCursor } from './storage.ts'

// What is written to the storage, computed from the state of the page. If another tab has written since that was read, it is
// read again, and the batch computed again. Null means that there is nothing to write any more.

/** The rows that a change has affected, as the server has them. */
export type SavedRows = Pick<Batch, 'put' | 'remove'>

/** A change that the server has saved, and has returned everything about. */
export interface Acknowledgement {
  change: Change
  rows: SavedRows
}

/**
 * Removes changes that the server has saved, and stores their rows. Null if the server was restored meanwhile and may have lost
 * them, or if this device could not notice that.
 *
 * @param sentFrom the cursor at the time of the request
 */
export function acknowledgementBatch(
  state: State,
  acknowledged: readonly Acknowledgement[],
  sentFrom: Cursor | null,
): Batch | null {
  if (!hasBegun(sentFrom) || !isContinued(sentFrom, state.cursor)) return null
  const put = acknowledged.flatMap(({ rows }) => rows.put ?? [])
  const remove = acknowledged.flatMap(({ rows }) => rows.remove ?? [])
  return {
    // What is older than the last pull is part of it, or was deleted since.
    put: put.filter(({ row }) => row.rev > (state.cursor?.rev ?? 0)),
    remove: isSameCursor(state.cursor, sentFrom) ? remove : [],
    removeChanges: seqsOf(acknowledged.flatMap(({ change }) => state.pending.get(change.id) ?? [])),
  }
}

/** What becomes of a change that cannot be saved, and of those that depend on it. */
interface RejectionBatch {
  /** Moves them from the outbox to the rejected changes. */
  batch: Batch | null
  /** Those that exist in this page only. */
  undone: readonly Pending[]
  /** Those that are kept for the user's decision. */
  kept: readonly RejectedChange[]
}

/** @param hasAuthor whether a form still has what was typed, should the change not be stored */
export function rejectionBatch(
  state: State,
  pending: Pending | undefined,
  rejection: Rejection,
  rules: Rules,
  hasAuthor: (pending: Pending) => boolean,
): RejectionBatch {
  const dependents = pending ? dependentsOf(pending.change, state.pending, rules) : []
  const left = pending ? [pending, ...dependents] : []
  const undone = left.filter(({ seq }) => seq === null)
  // Of rows that were deleted here since, by someone who had seen their texts, nothing is left to decide.
  const ofRow = (row: string) => left.filter(({ change }) => change.kind !== 'call' && change.row === row)
  const deleted = new Set(
    dependents.flatMap(({ change: deletion, seq }) =>
      deletion.kind === 'delete' && seq !== null && isSeen(deletion, ofRow(deletion.row), rules)
        ? [deletion.row]
        : [],
    ),
  )
  const isLeft = ({ change }: Pending) => change.kind === 'call' || !deleted.has(change.row)
  const kept = left
    .filter((each) => isLeft(each) && (each.seq !== null || !hasAuthor(each)))
    .map((each) => rejectedChange(each.change, each === pending ? rejection : new Rejection('depends')))
  const removeChanges = seqsOf(left)
  return {
    undone,
    kept,
    batch: removeChanges.length + kept.length === 0 ? null : { removeChanges, addRejected: kept },
  }
}

/** Whether a deletion, or a change that was typed over them, has seen the texts of the changes of its row. */
function isSeen({ seen }: Deletion, ofRow: readonly Pending[], rules: Rules): boolean {
  const written = ofRow.flatMap(({ change }) =>
    change.kind === 'insert' || change.kind === 'update' ? [change] : [],
  )
  const replaced = written.flatMap((change) =>
    change.kind === 'update' ? Object.values<Json>(change.base) : [],
  )
  const known = new Set<Json>([...seen, ...replaced])
  return written.every(({ table, fields }) => {
    const typed: Values = fields
    return rules[table].texts.every((name) => !hasText(typed[name]) || known.has(typed[name]))
  })
}

/** A change that could not be saved, as it is kept for the user's decision. */
function rejectedChange(change: Change, { reason, code, message }: Rejection): RejectedChange {
  return { ...change, reason, code, message }
}

/** What takes the place of a change that has lost against that of another device. */
export interface Replacement {
  lost: Insert | Update
  /** The fields that have not lost, to be sent in its place. */
  rest: readonly Update[]
  kept: KeptChanges
}

/** Puts what is left and kept of a stored change in its place. */
export function replacementBatch(
  state: State,
  pending: Pending | undefined,
  { rest, kept }: Omit<Replacement, 'lost'>,
): Batch | null {
  const seq = pending?.seq ?? null
  if (seq === null) return null
  // What is left comes before later changes of the same fields: these get another position.
  const later = rest.length > 0 ? state.pending.filter((each) => each.seq !== null && each.seq > seq) : []
  return {
    removeChanges: [seq, ...seqsOf(later)],
    addChanges: [...rest, ...kept.changes, ...later.map(({ change }) => change)],
    addRejected: kept.rejected,
  }
}

/** What a pull has fetched. */
export interface PullResult {
  /** The cursor from which it was pulled. */
  from: Cursor | null
  /** Computes what to write from the rows that are stored, perhaps repeatedly. */
  makeBatch: () => Batch
  /** The server was restored from a backup: it may have lost what it had saved. */
  isAfterRestore?: true
}

interface PullBatch {
  /** Null if another tab has pulled meanwhile. */
  batch: Batch | null
  /** The ids of the saved changes that it includes, and that are not stored. */
  unstored: readonly string[]
}

/** Stores what was pulled, and removes the saved changes that it includes. */
export function pullBatch(
  state: State,
  { from, makeBatch, isAfterRestore }: PullResult,
  rules: Rules,
): PullBatch {
  if (!isSameCursor(state.cursor, from)) return { batch: null, unstored: [] }
  const batch = consistent(makeBatch(), state, rules)
  const included = isAfterRestore ? [] : includedIn(batch, state)
  const removeChanges = [...(batch.removeChanges ?? []), ...seqsOf(included)]
  return {
    batch: { ...batch, removeChanges, removeRejected: decidedIn(batch, state, rules) },
    unstored: included.flatMap(({ seq, change }) => (seq === null ? [change.id] : [])),
  }
}

/** Of the texts that are kept because they were not encrypted, those that another device has sent encrypted: so they are the user's. */
function decidedIn({ put = [] }: Batch, { rejected }: State, rules: Rules): readonly string[] {
  const received = new Map(put.map(({ row }) => [row.id, row]))
  const isDecided = (change: RejectedChange) => {
    if (change.kind !== 'update' || !change.isPlain) return false
    const row = received.get(change.row)
    const fields: Values = change.fields
    const texts = rules[change.table].typed.filter((name) => name in fields)
    return row && plainColumns(row).length === 0 && texts.every((name) => isEqual(row[name], fields[name]))
  }
  return rejected.filter(isDecided).map(({ id }) => id)
}

/**
 * What a new storage lacks of the changes that the server does not have, because the browser has deleted the old one while this
 * page was open. Null if nothing.
 */
export function missingIn({ outbox, rejected }: Contents, state: State): Batch | null {
  const known = new Set([...outbox.map(({ change }) => change.id), ...rejected.map(({ id }) => id)])
  const stored = state.pending.filter(({ seq, change }) => seq !== null && !known.has(change.id))
  const addRejected = state.rejected.filter(({ id }) => !known.has(id))
  if (stored.length + addRejected.length === 0) return null
  return { addChanges: stored.map(({ change }) => change), addRejected }
}

/** The saved changes that a pull includes. */
function includedIn(
  { clearRows, put = [], remove = [], cursor: to }: Batch,
  { rows, pending, cursor: from }: State,
): readonly Pending[] {
  // It cannot be known whether they were saved before the server was restored.
  if (!hasBegun(from) && to?.restores?.length) return []
  const received = new Map(put.map(({ row }) => [row.id, row]))
  const removed = new Set(remove.map(({ id }) => id))
  return pending.filter(({ state, change, rev }) => {
    if (!isSaved({ state })) return false
    // A row that is missing was deleted since, unless the server was restored to before the first change.
    if (rev === null || (clearRows && hasBegun(from)) || change.kind === 'call') return true
    const row = received.get(change.row) ?? (clearRows ? undefined : rows[change.table].get(change.row))
    return (row?.rev ?? 0) >= rev || removed.has(change.row)
  })
}

function seqsOf(pending: readonly Pending[]): readonly number[] {
  return pending.flatMap(({ seq }) => (seq === null ? [] : [seq]))
}
