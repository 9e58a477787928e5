import type { Change, RejectedChange } from './change.ts'
import { type Pending, PendingChanges, pendingOf, TRANSITIONS } from './pending.ts'
import { applyBatch, loadRows, type ReceivedRows } from './received-rows.ts'
import { type Cursor, forEachTable, type Row, type Rules, type TableName, tablesOf } from './schema.ts'
import { type Batch, type Contents, isContinued, type OutboxEntry, type RowRef } from './storage.ts'
import { nothingTouched, type TouchedRows } from './touched-rows.ts'

/** The data of one user in this page. Only `applyEvent` changes it. */
export interface State {
  /** The rows as last received from the server, without pending changes. */
  rows: ReceivedRows
  /** Changes that are not part of these rows, in the order in which they are applied and sent. */
  pending: PendingChanges
  /** The rows that may show differently since the view was computed, which empties this. */
  touched: TouchedRows
  /** Changes that could not be saved, oldest first. */
  rejected: readonly RejectedChange[]
  /** Up to where the rows are stored; null until all of them have been once. */
  cursor: Cursor | null
  /** Whether all rows have been received once, or show at least until the storage is read again. */
  isComplete: boolean
  /** Rows that were removed from this page, but not from the storage. */
  notRemoved: readonly RowRef[]
  /** The tables whose stored rows have been read. */
  tables: readonly TableName[]
  /** The number of the last commit that this page knows. */
  version: number
}

/** The state for those that only read it. */
export type ReadonlyState = Readonly<Omit<State, 'rows' | 'pending' | 'touched'>> & {
  readonly rows: Readonly<Record<TableName, ReadonlyMap<string, Row>>>
  readonly pending: Omit<PendingChanges, 'add' | 'update' | 'step' | 'remove' | 'replaceAll' | 'takeSafe'>
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
  /** The server has saved a change, as this revision of its row (see Pending). */
  | { type: 'saved'; id: string; rev: number | null }
  /** The rows of saved changes that are not stored were received. */
  | { type: 'acknowledged'; ids: readonly string[] }
  /** Changes could not be stored; or, after that, they could not be saved either. */
  | { type: 'not-stored' | 'undone'; ids: readonly string[] }
  /** Others take the place of a change that exists in this page only. */
  | { type: 'replaced'; id: string; replacements: readonly Change[] }

/** A state without anything. */
export function createState(rules: Rules): State {
  const touched = nothingTouched(rules)
  return {
    rows: forEachTable(rules, () => new Map()),
    pending: new PendingChanges(rules, touched),
    touched,
    rejected: [],
    cursor: null,
    isComplete: false,
    notRemoved: [],
    tables: [],
    version: 0,
  }
}

/** Changes the state as an event says. */
export function applyEvent(state: State, event: StateEvent, rules: Rules): void {
  const { pending } = state
  switch (event.type) {
    case 'loaded':
      load(state, event, rules)
      return
    case 'made':
      for (const change of event.changes) pending.add(pendingOf(change, 'storing'))
      return
    case 'committed':
      commit(state, event, rules)
      return
    case 'received': {
      const { remove = [] } = applyBatch(state, event.batch, rules)
      state.notRemoved = remove
      state.isComplete ||= event.isComplete
      return
    }
    case 'pulled':
      for (const each of pending) pending.step(each, 'missed')
      return
    case 'saved':
      pending.step(pending.get(event.id), 'saved', { rev: event.rev })
      return
    case 'acknowledged':
    case 'not-stored':
    case 'undone':
      for (const id of event.ids) pending.step(pending.get(id), event.type)
      return
    case 'replaced':
      pending.replaceAll([...pending].flatMap((each) => replace(each, event)))
  }
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
  rules: Rules,
): void {
  const { rows, outbox, rejected, cursor, version } = contents
  loadRows(state.rows, tables, rows, state.touched)
  continueAt(state, cursor)
  const { pending } = state
  // A newer version of the app may have stored changes of other tables: they wait for it.
  const isKnown = ({ table }: Change) => table in rules
  pending.replaceAll(
    withStored(
      pending,
      outbox.filter(({ change }) => isKnown(change)),
    ),
  )
  state.rejected = inOrder(rejected.filter(isKnown), rules)
  state.isComplete = cursor !== null
  state.notRemoved = []
  state.tables = tablesOf(rules).filter((table) => tables.includes(table) || state.tables.includes(table))
  state.version = version
}

function commit(
  state: State,
  { batch, seqs }: { batch: Batch; seqs: readonly number[] },
  rules: Rules,
): void {
  const { pending } = state
  const { addChanges = [], removeChanges = [], addRejected = [], removeRejected = [], cursor } = batch
  applyBatch(state, batch, rules)
  continueAt(state, cursor ?? state.cursor)
  const event = addChanges.length + addRejected.length > 0 ? 'replaced' : 'acknowledged'
  const added = new Set(addChanges.map(({ id }) => id))
  for (const seq of removeChanges) {
    const known = pending.withSeq(seq)
    // Those that only get another position keep what is known about them.
    if (known && !added.has(known.change.id)) pending.step(known, event)
  }
  if (seqs.length === 0) addNotKept(pending, addChanges)
  else
    addStored(
      pending,
      addChanges.flatMap((change, index) => {
        const seq = seqs[index]
        return seq === undefined ? [] : [{ seq, change }]
      }),
    )
  if (addRejected.length + removeRejected.length > 0) {
    const others = state.rejected.filter(({ id }) => !removeRejected.includes(id))
    state.rejected = inOrder([...others, ...addRejected], rules)
  }
  const removed = new Set(batch.remove?.map(({ id }) => id))
  state.isComplete ||= cursor !== undefined
  state.notRemoved = batch.clearRows ? [] : state.notRemoved.filter(({ id }) => !removed.has(id))
  state.version += 1
}

const NOT_BEGUN: Cursor = { rev: 0, epoch: null }

/** The rows are stored up to another cursor. What was saved before the server was restored from a backup may be lost. */
function continueAt(state: State, to: Cursor | null): void {
  const { pending, cursor: from } = state
  state.cursor = to
  if (from === to || isContinued(from ?? NOT_BEGUN, to)) return
  for (const each of pending) pending.update(each, { rev: null })
  for (const each of pending) pending.step(each, 'missed')
}

/** What a restored server has lost was not kept. It comes before the changes of this page, which may need it. */
function addNotKept(pending: PendingChanges, changes: readonly Change[]): void {
  const lost = changes.filter(({ id }) => !pending.get(id))
  if (lost.length > 0)
    pending.replaceAll([...lost.map((change) => pendingOf(change, 'volatile')), ...pending])
}

/**
 * Changes were stored. Those that this page knows keep their place; others come behind those that were stored before them, and so
 * before what this page has not stored yet.
 */
function addStored(pending: PendingChanges, entries: readonly OutboxEntry[]): void {
  const others: Pending[] = []
  for (const { seq, change } of entries) {
    const known = pending.get(change.id)
    if (known) pending.update(known, stored(known, seq))
    else others.push(stored(pendingOf(change, 'stored'), seq))
  }
  const [first] = others
  // Usually, they are the last ones.
  const all = first && (pending.isUnsafe || others.length < entries.length) ? [...pending] : []
  const isEarlier = ({ seq }: Pending) => seq !== null && seq < (first?.seq ?? 0)
  const last = all.slice(all.findLastIndex(isEarlier) + 1)
  for (const each of last) pending.remove(each)
  for (const each of [...others, ...last]) pending.add(each)
}

/**
 * The changes that are stored, with what is known about them, and those of this page that are not, each before the changes
 * of this page that were made later: these may need what it adds.
 */
function withStored(known: PendingChanges, outbox: readonly OutboxEntry[]): readonly Pending[] {
  const all = outbox.map(({ seq, change }) =>
    stored(known.get(change.id) ?? pendingOf(change, 'stored'), seq),
  )
  const positions = new Map(all.map(({ change }, index) => [change.id, index]))
  /** Those that are not stored, by the position of what they come before, the last one first. */
  const before = new Map<number, Pending[]>()
  let position = all.length
  for (const each of [...known].toReversed()) {
    const own = positions.get(each.change.id)
    if (own !== undefined) position = Math.min(position, own)
    else if (each.seq === null) {
      const others = before.get(position)
      if (others) others.push(each)
      else before.set(position, [each])
    }
  }
  const ownBefore = (index: number) => before.get(index)?.toReversed() ?? []
  return [...all.flatMap((each, index) => [...ownBefore(index), each]), ...ownBefore(all.length)]
}

function stored(pending: Pending, seq: number): Pending {
  const next = TRANSITIONS[pending.state].stored ?? 'gone'
  return { ...pending, state: next === 'gone' ? pending.state : next, seq }
}

/** The oldest first. Of changes from the same moment, those come first that others may refer to. */
function inOrder(rejected: readonly RejectedChange[], rules: Rules): readonly RejectedChange[] {
  const tables = tablesOf(rules)
  return rejected.toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at) || tables.indexOf(a.table) - tables.indexOf(b.table),
  )
}
