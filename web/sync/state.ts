import { type Change, type RejectedChange, valuesOf } from './change.ts'
import { applyBatch, consistent, loadRows, NO_ROWS } from './received-rows.ts'
import { idsReferredTo } from './references.ts'
import { type Cursor, type RowsByTable, type Rules, type TableName, TABLES } from './schema.ts'
import { type Batch, type Contents, isContinued, type OutboxEntry, type RowRef } from './storage.ts'

/** Where a change is that the server does not have yet, as far as this page knows. */
export type PendingState =
  /** It is being stored on this device. */
  | 'storing'
  /** It could not be stored and exists in this page only: it is not accepted before the server has saved it. */
  | 'volatile'
  /** It is safe on this device, and waits until it is sent. */
  | 'stored'
  /** The server has a fault with it: others are sent first (see push.ts). */
  | 'set-aside'
  /** The server has saved it. It shows until a pull has brought the row; if the page is closed before, it is sent again. */
  | 'sent'

/** What happens to a pending change. */
export type PendingEvent =
  /** It was written to the outbox. */
  | 'stored'
  /** It could not be. */
  | 'not-stored'
  /** The server has failed at it too often. */
  | 'set-aside'
  /** The server has saved it. */
  | 'saved'
  /** A pull was stored without it: the row was written again meanwhile, or the server was restored from a backup. */
  | 'missed'
  /** It has left the outbox, because it was pulled, rejected or replaced; or it was undone, because it could not be saved. */
  | 'removed'

/** What becomes of a change in each state. What is not listed leaves it as it is. */
export const TRANSITIONS: Readonly<
  Record<PendingState, Partial<Readonly<Record<PendingEvent, PendingState | 'gone'>>>>
> = {
  storing: { stored: 'stored', 'not-stored': 'volatile', removed: 'gone' },
  volatile: { stored: 'stored', saved: 'gone', removed: 'gone' },
  stored: { 'set-aside': 'set-aside', saved: 'sent', removed: 'gone' },
  'set-aside': { saved: 'sent', removed: 'gone' },
  sent: { missed: 'stored', removed: 'gone' },
}

/** A change that the server does not have yet, as far as this page knows. */
export interface Pending {
  change: Change
  state: PendingState
  /** Its position in the outbox; null while it is not stored. */
  seq: number | null
  /** Once it is sent: the revision of its row with it; null if any later pull includes it, or a restored server may have lost it. */
  rev: number | null
  /** The id of the change that the user has made: another one if this is a conflict copy of its text. */
  origin: string
}

/** The data of one user in this page. */
export interface State {
  /** The rows as last received from the server, without pending changes. */
  rows: RowsByTable
  /** Changes that are not part of these rows, in the order in which they are applied and sent. */
  pending: readonly Pending[]
  /** Changes that could not be saved, oldest first. */
  rejected: readonly RejectedChange[]
  /** Up to where the rows are stored; null until all of them have been once. */
  cursor: Cursor | null
  /** Whether all rows have been received once, even if they could not be stored. */
  isComplete: boolean
  /** Rows that were removed from this page, but not from the storage. */
  notRemoved: readonly RowRef[]
  /** The tables whose stored rows have been read. */
  tables: readonly TableName[]
  /** The number of the last commit that this page knows. */
  version: number
}

export type StateEvent =
  /** The storage was read, with the rows of these tables. */
  | { type: 'loaded'; contents: Contents; tables: readonly TableName[] }
  /** The user has made changes. */
  | { type: 'made'; changes: readonly Change[] }
  /** A batch was stored. `seqs` are the positions of the changes that it has added; empty if nothing is kept. */
  | { type: 'committed'; batch: Batch; seqs: readonly number[] }
  /** Rows show that are not stored, because there is no space for them, or because the others are still to come. */
  | { type: 'received'; batch: Batch; isComplete: boolean }
  /** A pull was stored. */
  | { type: 'pulled' }
  | { type: 'not-stored' | 'set-aside'; ids: readonly string[] }
  /** The server has saved a change, as this revision of its row (see Pending). */
  | { type: 'saved'; id: string; rev: number | null }
  /** Changes that exist in this page only could not be saved. */
  | { type: 'undone'; ids: readonly string[] }
  /** Others take the place of a change that exists in this page only. */
  | { type: 'replaced'; id: string; replacements: readonly Change[] }

export const NOTHING: State = {
  rows: NO_ROWS,
  pending: [],
  rejected: [],
  cursor: null,
  isComplete: false,
  notRemoved: [],
  tables: [],
  version: 0,
}

/** The first change that was not sent, apart from those that are set aside and what depends on them. */
export function nextToSend(state: State, rules: Rules): Pending | undefined {
  const held = heldBack(state, rules)
  const isNext = ({ change, state: kept }: Pending) =>
    kept !== 'sent' && kept !== 'set-aside' && !held.has(change.id)
  return state.pending.find(isNext)
}

/**
 * The ids of the changes that must not be sent before those that are set aside: later ones of the same rows and of rows that
 * refer to them, deletions of rows that they refer to, and functions that change whatever there is. And so on: what depends
 * on these has to wait as well.
 */
function heldBack({ pending, rows }: State, rules: Rules): ReadonlySet<string> {
  const held = new Set<string>()
  const [waiting, referredTo, tables] = [new Set<string>(), new Set<unknown>(), new Set<TableName>()]
  for (const { change, state } of pending) {
    if (state === 'sent') continue
    const { id, table } = change
    const ids = idsReferredTo(change, rules)
    const isOfWaitingRow = ids.some((row) => waiting.has(row))
    const isDeletionBelow = change.kind === 'delete' && referredTo.has(change.row)
    const isOfWaitingTable = change.kind === 'call' && ids.length === 0 && tables.has(table)
    if (isOfWaitingRow || isDeletionBelow || isOfWaitingTable) held.add(id)
    else if (state !== 'set-aside') continue
    const { reference } = rules[table]
    if (change.kind === 'call') for (const row of ids) waiting.add(row)
    else {
      waiting.add(change.row)
      // What it refers to by now, and from then on.
      const both = [rows[table].get(change.row) ?? {}, valuesOf(change)]
      if (reference) for (const row of both) referredTo.add(row[reference.column])
    }
    tables.add(table)
  }
  return held
}

/** The state after an event. */
export function reduce(state: State, event: StateEvent, rules: Rules): State {
  const { pending } = state
  switch (event.type) {
    case 'loaded':
      return load(state, event)
    case 'made':
      return {
        ...state,
        pending: [...pending, ...event.changes.map((change) => pendingOf(change, 'storing'))],
      }
    case 'committed':
      return commit(state, event, rules)
    case 'received': {
      const batch = consistent(event.batch, state, rules)
      const rows = applyBatch(state.rows, batch)
      const isComplete = state.isComplete || event.isComplete
      return { ...state, rows, notRemoved: batch.remove ?? [], isComplete }
    }
    case 'pulled':
      return { ...state, pending: pending.flatMap((each) => step(each, 'missed')) }
    case 'saved':
      return { ...state, pending: stepOf(pending, [event.id], 'saved', { rev: event.rev }) }
    case 'not-stored':
    case 'set-aside':
      return { ...state, pending: stepOf(pending, event.ids, event.type) }
    case 'undone':
      return { ...state, pending: stepOf(pending, event.ids, 'removed') }
    case 'replaced':
      return { ...state, pending: pending.flatMap((each) => replace(each, event)) }
  }
}

/** Nothing if the change is gone. */
function step(pending: Pending, event: PendingEvent, set: Partial<Pending> = {}): readonly Pending[] {
  const next = TRANSITIONS[pending.state][event]
  if (next === undefined) return [pending]
  return next === 'gone' ? [] : [{ ...pending, ...set, state: next }]
}

function stepOf(
  pending: readonly Pending[],
  ids: readonly string[],
  event: PendingEvent,
  set?: Partial<Pending>,
): readonly Pending[] {
  return pending.flatMap((each) => (ids.includes(each.change.id) ? step(each, event, set) : [each]))
}

function replace(
  pending: Pending,
  { id, replacements }: { id: string; replacements: readonly Change[] },
): readonly Pending[] {
  if (pending.change.id !== id) return [pending]
  return replacements.map((change) => Object.assign({}, pending, { change }))
}

function load(
  state: State,
  { contents, tables }: { contents: Contents; tables: readonly TableName[] },
): State {
  const { rows, outbox, rejected, cursor, version } = contents
  return {
    rows: loadRows(state.rows, tables, rows),
    pending: withStored(pendingAt(state, cursor), outbox.filter(isOfKnownTable)),
    rejected: rejected.filter(({ table }) => TABLES.includes(table)).toSorted(byTime),
    cursor,
    isComplete: cursor !== null,
    notRemoved: [],
    tables: TABLES.filter((table) => tables.includes(table) || state.tables.includes(table)),
    version,
  }
}

function commit(
  state: State,
  { batch, seqs }: { batch: Batch; seqs: readonly number[] },
  rules: Rules,
): State {
  const { addChanges = [], removeChanges = [], addRejected = [], removeRejected = [], cursor } = batch
  const left = pendingAt(state, cursor ?? state.cursor).flatMap((each) =>
    each.seq !== null && removeChanges.includes(each.seq) ? step(each, 'removed') : [each],
  )
  const outbox = left.flatMap(({ seq, change }) => (seq === null ? [] : [{ seq, change }]))
  const added = addChanges.flatMap((change, index) => {
    const seq = seqs[index]
    return seq === undefined ? [] : [{ seq, change }]
  })
  const rejected = state.rejected.filter(({ id }) => !removeRejected.includes(id))
  const removed = new Set(batch.remove?.map(({ id }) => id))
  return {
    ...state,
    rows: applyBatch(state.rows, consistent(batch, state, rules)),
    pending: withStored(left, [...outbox, ...added]),
    rejected: [...rejected, ...addRejected].toSorted(byTime),
    cursor: cursor ?? state.cursor,
    isComplete: state.isComplete || cursor !== undefined,
    notRemoved: batch.clearRows ? [] : state.notRemoved.filter(({ id }) => !removed.has(id)),
    version: state.version + 1,
  }
}

/** The pending changes, as known at a cursor. What was sent before the server was restored from a backup may be lost. */
function pendingAt({ pending, cursor: from }: State, to: Cursor | null): readonly Pending[] {
  if (from === null || isContinued(from, to)) return pending
  return pending.flatMap((each) => step({ ...each, rev: null }, 'missed'))
}

/**
 * The changes that are stored, with what is known about them, and those of this page that are not, each before the changes
 * of this page that were made later: these may need what it adds.
 */
function withStored(known: readonly Pending[], outbox: readonly OutboxEntry[]): readonly Pending[] {
  const merged = outbox.map(({ seq, change }): Pending => {
    const pending = known.find((each) => each.change.id === change.id) ?? pendingOf(change, 'stored')
    const [stored = pending] = step(pending, 'stored')
    return { ...stored, seq }
  })
  for (const [index, pending] of known.entries()) {
    if (pending.seq !== null || outbox.some(({ change }) => change.id === pending.change.id)) continue
    const later = new Set(known.slice(index).map(({ change }) => change.id))
    const position = merged.findIndex(({ change }) => later.has(change.id))
    merged.splice(position < 0 ? merged.length : position, 0, pending)
  }
  return merged
}

function pendingOf(change: Change, state: 'storing' | 'stored'): Pending {
  return { change, state, seq: null, rev: null, origin: change.id }
}

/** A newer version of the app may have stored changes of other tables: they wait for it. */
function isOfKnownTable({ change }: OutboxEntry): boolean {
  return TABLES.includes(change.table)
}

/** Of changes from the same moment, those come first that others may refer to. */
function byTime(a: RejectedChange, b: RejectedChange): number {
  return Date.parse(a.at) - Date.parse(b.at) || TABLES.indexOf(a.table) - TABLES.indexOf(b.table)
}
