import type { Change, RejectedChange, Rejection } from './change.ts'
import { createEarlierAttempts } from './earlier-attempts.ts'
import { consistent } from './received-rows.ts'
import { type Cursor, type RowOf, type Rules, type TableName, tablesOf } from './schema.ts'
import type { Pending } from './pending.ts'
import { applyEvent, createState, type ReadonlyState, type StateEvent } from './state.ts'
import {
  type Batch,
  type Commit,
  type Contents,
  type DeviceStorage,
  isContinued,
  isOfOtherDatabase,
} from './storage.ts'
import { createViews } from './view.ts'
import {
  type Acknowledgement,
  acknowledgementBatch,
  missingIn,
  pullBatch,
  type PullResult,
  rejectionBatch,
  type Replacement,
  replacementBatch,
} from './writes.ts'

/**
 * The data of one user in this page. What the user changes shows at once, and in other tabs once it is stored. What comes from the
 * server is stored before it shows, unless there is no space for it, and except the first rows (`showEarly`).
 */
export interface Replica {
  state: () => ReadonlyState
  /** The rows of the server with the pending changes applied, in order. */
  shown: <Name extends TableName>(table: Name) => readonly RowOf<Name>[]
  /** How many received rows are not shown, because this version of the app does not know their form. */
  countUnreadable: () => number
  /**
   * Stores changes, all of them or none. Resolves when each is stored, or saved by the server; rejects if neither was possible
   * for one of them.
   *
   * @param rejectedId of the rejected change that they replace
   */
  accept: (changes: readonly Change[], rejectedId?: string) => Promise<void>
  /**
   * Removes changes that the server has saved with one request, together with storing what it has returned.
   *
   * @param sentFrom the cursor at the time of the request
   */
  acknowledge: (acknowledged: readonly Acknowledgement[], sentFrom: Cursor | null) => Promise<void>
  /**
   * The server has saved changes. Each leaves the outbox with the pull that brings this revision of its row, or a later one;
   * null for the next pull.
   *
   * @param sentFrom the cursor at the time of the request
   */
  markSaved: (changes: readonly SavedChange[], sentFrom: Cursor | null) => void
  /**
   * Moves a change, and those that depend on it, to those that could not be saved; undoes those whose forms still wait. All wait as before
   * if the server was restored meanwhile, and if the storage rejects, which this does then, too.
   *
   * @param sentFrom the cursor at the time of the request
   */
  reject: (change: Change, rejection: Rejection, sentFrom: Cursor | null) => Promise<void>
  /** Likewise, puts what is left and kept of a change that has lost in its place. */
  replace: (replacement: Replacement, sentFrom: Cursor | null) => Promise<void>
  /** A round could not send all changes: undoes the changes that exist in this page only, and whose authors keep what was typed. */
  failVolatile: (error: Error) => void
  /**
   * Writes what was pulled. If there is no space for it, it still shows in this page, and is pulled again by the next
   * round; after a restore, rejects. Resolves to false if nothing was written because another tab has pulled meanwhile.
   */
  receive: (pull: PullResult) => Promise<boolean>
  /** Forgets a change that could not be saved. */
  discard: (rejectedId: string) => Promise<void>
  /** Shows rows before all have been received and stored; not any more after that. */
  showEarly: (batch: Batch) => void
  /**
   * Applies a commit of another tab. If it is not the next one after those that this page knows, messages were lost or are
   * still to come: then the storage is read.
   */
  follow: (committed: Commit) => Promise<void>
  /** Reads what is new in the storage. If it cannot be read, this page goes on with what it has. */
  refresh: () => Promise<void>
}

/** A change that the server has saved, as this revision of its row. */
export interface SavedChange {
  change: Change
  rev: number | null
}

interface ReplicaOptions {
  rules: Rules
  storage: DeviceStorage
  /** What is stored, with the rows of these tables. Those of the others are read by the first refresh. */
  contents: Contents
  tables: readonly TableName[]
  /** Called when what is shown has changed. */
  onChange: () => void
  /** Called after every write that other tabs have to follow. */
  onCommit: (committed: Commit) => void
  /** Called when a change can be sent. */
  onPending: () => void
  onRejected: (change: RejectedChange) => void
}

interface Author {
  /** What it has made in one step. */
  changes: readonly Change[]
  resolve: () => void
  reject: (error: Error) => void
  /** How many of its changes are not safe yet. */
  waiting: number
}

/** Stores what happens, applies it to the state of this page (state.ts), and reports it. */
export function createReplica({ rules, storage, contents, tables, ...on }: ReplicaOptions): Replica {
  const state = createState(rules)
  applyEvent(state, { type: 'loaded', contents, tables }, rules)
  const views = createViews(state, rules)
  const allTables = tablesOf(rules)
  /** Callers of `accept` that wait to learn whether their changes are safe, by the ids of these. */
  const authors = new Map<string, Author>()
  const earlier = createEarlierAttempts(state)
  let lastOperation: Promise<unknown> = Promise.resolve()

  const dispatch = (...events: readonly StateEvent[]) => {
    for (const event of events) applyEvent(state, event, rules)
    for (const id of state.pending.takeSafe()) {
      const author = authors.get(id)
      if (!author) continue
      authors.delete(id)
      author.waiting -= 1
      if (author.waiting === 0) author.resolve()
    }
    on.onChange()
  }
  const undo = (undone: readonly Pending[], error: Error) => {
    if (undone.length === 0) return
    for (const author of new Set(undone.map(({ origin }) => authors.get(origin)))) {
      author?.reject(error)
      earlier.addUndone(author?.changes ?? [])
    }
    dispatch({ type: 'undone', ids: undone.map(({ change }) => change.id) })
  }
  /** Storage operations run one after the other, so that this page applies them in the order of the storage. */
  const inTurn = <Result>(operation: () => Promise<Result>): Promise<Result> => {
    const result = lastOperation.then(operation)
    lastOperation = result.catch(() => {})
    return result
  }
  const reload = async () => {
    for (;;) {
      const stored = await storage.read()
      const isNew = storage.durable && isOfOtherDatabase(stored.version, state.version)
      const missing = isNew ? missingIn(stored, state) : null
      if (!missing) return dispatch({ type: 'loaded', contents: stored, tables: allTables })
      await storage.commit(missing, stored.version)
    }
  }
  const readLaterTables = async () => {
    const missing = allTables.filter((table) => !state.tables.includes(table))
    const stored = await storage.read(missing)
    if (stored.version !== state.version) return reload()
    dispatch({ type: 'loaded', contents: stored, tables: missing })
  }
  const readNew = async () => {
    if ((await storage.version()) !== state.version) await reload()
    else if (state.tables.length < allTables.length) await readLaterTables()
  }
  /**
   * Writes the batch that is computed from what is stored, unless it is null. If another tab has written in between, it is
   * computed again. Resolves to what was computed last; rejects if the storage does.
   */
  const write = <Computed extends { batch: Batch | null }>(compute: () => Computed): Promise<Computed> =>
    inTurn(async () => {
      for (;;) {
        const computed = compute()
        if (!computed.batch) return computed
        const { clearRows, remove = [] } = computed.batch
        // The rows that were not read yet may have to be deleted with these, or to be sent to a restored server.
        if (state.tables.length < allTables.length && (clearRows || remove.length > 0)) {
          await readLaterTables()
          continue
        }
        const batch = consistent(computed.batch, state, rules)
        const result = await storage.commit(batch, state.version)
        if (result !== 'outdated') {
          const seqs = result === 'not-kept' ? [] : result.seqs
          dispatch({ type: 'committed', batch, seqs })
          if (result !== 'not-kept') on.onCommit({ version: state.version, batch, seqs })
          return computed
        }
        await reload()
      }
    })
  /** Whether the form that made a change still waits: it keeps what was typed, so the change may be undone. */
  const hasAuthor = ({ origin }: Pending) => authors.has(origin)
  /** Whether it adds a row of which something else is stored, which would then be lost: a call skips rows that do not exist. */
  const isNeeded = ({ change }: Pending) =>
    change.kind === 'insert' &&
    state.pending
      .ofRow(change.table, change.row)
      .some(({ id }) => state.pending.get(id)?.state !== 'volatile')
  const isVolatile = ({ id }: Change) => state.pending.get(id)?.state === 'volatile'
  /** What is pending of a change that was sent. What was decided about it does not count if the server was restored meanwhile. */
  const stillPending = ({ id }: Change, sentFrom: Cursor | null) =>
    isContinued(sentFrom, state.cursor) ? state.pending.get(id) : undefined
  const markSaved = (changes: readonly SavedChange[], sentFrom: Cursor | null) => {
    // Otherwise, a server that was restored meanwhile may have lost them: they are sent again.
    if (isContinued(sentFrom, state.cursor))
      dispatch(...changes.map(({ change, rev }) => ({ type: 'saved', id: change.id, rev }) as const))
  }
  return {
    state: () => state,
    shown: (table) => views.rows(table),
    countUnreadable: () => views.countUnreadable(),
    accept: (given, rejectedId) =>
      new Promise((resolve, reject) => {
        const changes = given.map(earlier.withTypedBefore)
        const author = { changes, resolve, reject, waiting: changes.length }
        for (const { id } of changes) authors.set(id, author)
        dispatch({ type: 'made', changes })
        const removeRejected = rejectedId === undefined ? [] : [rejectedId]
        // They may turn out to be stored although the storage has reported a failure.
        const compute = () => {
          const addChanges = changes.filter(({ id }) => state.pending.get(id)?.state === 'storing')
          return { batch: addChanges.length > 0 ? { addChanges, removeRejected } : null }
        }
        void write(compute)
          .catch(() => {})
          .then(() => {
            dispatch({ type: 'not-stored', ids: changes.map(({ id }) => id) })
            on.onPending()
          })
      }),
    acknowledge: async (acknowledged, sentFrom) => {
      const compute = () => ({ batch: acknowledgementBatch(state, acknowledged, sentFrom) })
      const isVolatileNow = ({ change }: Acknowledgement) => isVolatile(change)
      const { batch } = await write(compute).catch(() => {
        // Without space for it, what the server has shows in this page only, and a later pull tries again to store it. A
        // stored change shows as long as it is in the outbox.
        const received = acknowledgementBatch(state, acknowledged.filter(isVolatileNow), sentFrom)
        if (received) dispatch({ type: 'received', batch: received, isComplete: false })
        return { batch: received }
      })
      const unstored = batch ? acknowledged.filter(isVolatileNow) : []
      dispatch({ type: 'acknowledged', ids: unstored.map(({ change }) => change.id) })
      // Those that the storage still has, and all of an account whose epoch is not known.
      const saved = acknowledged.map(({ change, rows }) => ({ change, rev: rows.put?.[0]?.row.rev ?? null }))
      markSaved(saved, sentFrom)
    },
    markSaved,
    reject: async (change, rejection, sentFrom) => {
      const { undone, kept } = await write(() =>
        rejectionBatch(state, stillPending(change, sentFrom), rejection, rules, hasAuthor),
      )
      undo(undone, rejection)
      const [rejected] = kept
      if (rejected) on.onRejected(rejected)
    },
    replace: async ({ lost, rest, kept }, sentFrom) => {
      const compute = () => replacementBatch(state, stillPending(lost, sentFrom), { rest, kept })
      const { batch } = await write(() => ({ batch: compute() }))
      if (batch || stillPending(lost, sentFrom)?.state !== 'volatile') return
      if (kept.rejected.length > 0) await write(() => ({ batch: { addRejected: kept.rejected } }))
      dispatch({ type: 'replaced', id: lost.id, replacements: [...rest, ...kept.changes] })
    },
    failVolatile: (error) =>
      undo(
        state.pending.filter((each) => each.state === 'volatile' && hasAuthor(each) && !isNeeded(each)),
        error,
      ),
    receive: async (pull) => {
      try {
        const { batch, unstored } = await write(() => pullBatch(state, pull, rules))
        if (batch) dispatch({ type: 'acknowledged', ids: unstored }, { type: 'pulled' })
        return batch !== null
      } catch (error) {
        const { batch, unstored } = pullBatch(state, pull, rules)
        // What the server has lost must be safe before other rows take its place.
        if (!batch || pull.isAfterRestore) throw error
        dispatch({ type: 'received', batch, isComplete: true }, { type: 'acknowledged', ids: unstored })
        return true
      }
    },
    discard: async (id) => void (await write(() => ({ batch: { removeRejected: [id] } }))),
    showEarly: (batch) => {
      // Those of a round that has failed may arrive after the next one.
      if (!state.isComplete) dispatch({ type: 'received', batch, isComplete: false })
    },
    follow: ({ version, batch, seqs }) =>
      inTurn(async () => {
        if (!storage.durable || version !== state.version + 1) await readNew()
        else dispatch({ type: 'committed', batch, seqs })
      }).catch(() => {}),
    refresh: () => inTurn(readNew).catch(() => {}),
  }
}
