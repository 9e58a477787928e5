import { byTime, type Change, type RejectedChange, rejectedChange, Rejection, type Update } from './change.ts'
import { fromStorage, seqsOf, successorsOf, type Waiting, withUnstored } from './outbox.ts'
import { createReceivedRows } from './received-rows.ts'
import { dependentsOf } from './references.ts'
import {
  type Cursor,
  type Fields,
  forEachTable,
  LATER_TABLES,
  type Row,
  type RowOf,
  type Rules,
  type TableName,
  TABLES,
} from './schema.ts'
import { type Batch, type Contents, isSameCursor, type Storage, type StoredRow } from './storage.ts'
import { createViews } from './view.ts'

/** The rows that a change has affected, as the server has them. */
export type Saved = Pick<Batch, 'put' | 'remove'>

/** The data of one user in this page. Writes go to the storage first, then they show, here and in other tabs. */
export interface LocalData {
  /** The rows of the server with the waiting changes applied, in order. */
  shown: <Name extends TableName>(table: Name) => readonly RowOf<Name>[]
  /** A table's rows as last received from the server, by id. */
  received: (table: TableName) => ReadonlyMap<string, Row>
  waiting: () => readonly Waiting[]
  /** The first change that was not sent. */
  nextToSend: () => Waiting | undefined
  isSent: (waiting: Waiting) => boolean
  rejected: () => readonly RejectedChange[]
  /** Up to where the rows are stored; null until all of them have been once. */
  cursor: () => Cursor | null
  /** Whether all rows have been received once, even if they could not be stored. */
  isComplete: () => boolean
  /** Whether the stored rows of a table have been read. */
  hasRead: (table: TableName) => boolean
  /**
   * Resolves when the change is stored, or saved by the server; rejects if neither was possible.
   *
   * @param replaced id of the rejected change that this one replaces
   */
  accept: (change: Change, replaced?: string) => Promise<void>
  /**
   * Removes a change that the server has saved, together with storing what it has returned.
   *
   * @param sentFrom the cursor at the time of the request
   */
  acknowledge: (change: Change, saved: Saved, sentFrom: Cursor | null) => Promise<void>
  /**
   * The server has saved a change. It leaves the outbox with the pull that brings this revision of the row, or a later one;
   * null for the next pull.
   */
  markSent: (change: Change, rev: number | null) => void
  /**
   * Moves a change, and those that depend on it, to those that could not be saved. Rejects if the storage does; the
   * changes then wait as before.
   */
  reject: (change: Change, rejection: Rejection) => Promise<void>
  /**
   * Puts other changes in the place of one of which only these fields could be saved. Rejects if the storage does; the
   * change then waits as before.
   */
  replace: (change: Update, replacements: readonly Change[], saved: Fields) => Promise<void>
  /** The server cannot be reached: undoes the changes that exist in this page only. */
  failVolatile: (error: Error) => void
  /**
   * Writes what was pulled. If there is no space for it, it still shows in this page, and is pulled again by the next
   * round. Resolves to false if nothing was written because another tab has pulled meanwhile.
   *
   * @param makeBatch computes what to write from the rows that are stored
   */
  receive: (from: Cursor | null, makeBatch: () => Batch) => Promise<boolean>
  /** Forgets a change that could not be saved. */
  discard: (rejectedId: string) => Promise<void>
  /** Shows the first rows of tables before all rows have been received and stored. */
  showEarly: (rows: ReadonlyMap<TableName, readonly Row[]>) => void
  /** Reads what is new in the storage. If it cannot be read, this page goes on with what it has. */
  refresh: () => Promise<void>
}

interface LocalDataOptions {
  rules: Rules
  storage: Storage
  /** What is stored, with the rows of these tables. Those of the others are read by the first refresh. */
  contents: Contents
  tables: readonly TableName[]
  /** Called when what is shown has changed. */
  onChange: () => void
  /** Called after every write to the storage. */
  onCommit: () => void
  /** Called when a change can be sent. */
  onWaiting: () => void
  onRejected: (change: RejectedChange) => void
}

const ALL = TABLES.map((table) => ({ table }))

export function createLocalData({ rules, storage, contents, tables, ...on }: LocalDataOptions): LocalData {
  const rows = createReceivedRows(rules)
  /** Shown until all rows have been received. */
  const earlyRows = forEachTable((): readonly Row[] => [])
  const views = createViews(
    rules,
    (table) => (isComplete ? rows.of(table).values() : [...earlyRows[table], ...rows.of(table).values()]),
    () => outbox.map(({ change }) => change),
  )
  let outbox: readonly Waiting[] = []
  let rejected: readonly RejectedChange[] = []
  let cursor: Cursor | null = null
  let isComplete = false
  let readTables = tables
  let version = 0
  /** The revisions of changes that this page has sent, by id. If it is closed before a pull, they are sent again. */
  const sent = new Map<string, number | null>()
  let lastOperation: Promise<unknown> = Promise.resolve()

  /** Storage operations run one after the other, so that this page applies them in the order of the storage. */
  const inTurn = <Result>(operation: () => Promise<Result>): Promise<Result> => {
    const result = lastOperation.then(operation)
    lastOperation = result.catch(() => {})
    return result
  }
  const notify = (changed: Parameters<typeof views.outdate>[0]) => {
    views.outdate(changed)
    on.onChange()
  }
  const load = (read: readonly TableName[], stored: Contents) => {
    rows.load(read, stored.rows)
    // A newer version of the app may have stored changes of other tables: they wait for it.
    const known = stored.outbox.filter(({ change }) => TABLES.includes(change.table))
    const storedIds = new Set(known.map(({ change }) => change.id))
    // The storage may have failed after it had written a change.
    for (const { change, settle } of outbox) if (storedIds.has(change.id)) settle(null)
    outbox = withUnstored(known.map(fromStorage), outbox)
    ;({ cursor, version } = stored)
    rejected = stored.rejected.filter(({ table }) => TABLES.includes(table)).toSorted(byTime)
    isComplete = cursor !== null
    notify(read.map((table) => ({ table })))
  }
  const reload = async () => {
    const stored = await storage.read()
    readTables = TABLES
    load(TABLES, stored)
  }
  const readLaterTables = async () => {
    const stored = await storage.read(LATER_TABLES)
    if (stored.version !== version) return reload()
    readTables = TABLES
    load(LATER_TABLES, stored)
  }
  /** Brings this page up to date with a batch that was written. New changes are in its outbox already. */
  const apply = (batch: Batch, seqs: readonly number[]) => {
    rows.apply(batch)
    const [removed, discarded] = [new Set(batch.removeChanges), new Set(batch.removeRejected)]
    const added = new Map(batch.addChanges?.map(({ id }, index) => [id, seqs[index]]))
    const markStored = (waiting: Waiting): Waiting => {
      const seq = added.get(waiting.change.id)
      return seq === undefined ? waiting : { ...waiting, state: 'stored', seq }
    }
    const left = outbox.filter(({ seq }) => seq !== null && removed.has(seq))
    const replacing = (batch.addChanges ?? []).flatMap((change) => {
      const seq = added.get(change.id)
      return seq === undefined || find(change) ? [] : [fromStorage({ seq, change })]
    })
    outbox = [...outbox.filter((waiting) => !left.includes(waiting)).map(markStored), ...replacing]
    rejected = [...rejected.filter(({ id }) => !discarded.has(id)), ...(batch.addRejected ?? [])]
    const wasComplete = isComplete
    if (batch.cursor) {
      cursor = batch.cursor
      isComplete = true
    }
    if (batch.clearRows || isComplete !== wasComplete) notify(ALL)
    else {
      const changes = [...left, ...replacing].map(({ change }) => change)
      notify([...(batch.put ?? []), ...(batch.remove ?? []), ...changes])
    }
  }
  /**
   * Writes what is computed from what is stored. If another tab has written in between, it is computed again. Resolves to
   * false if there was nothing to write; rejects if the storage does.
   */
  const write = (makeBatch: () => Batch | null) =>
    inTurn(async () => {
      for (;;) {
        const made = makeBatch()
        if (!made) return false
        const batch = rows.consistent(made)
        const seqs = await storage.commit(batch, version)
        if (seqs) {
          version += 1
          apply(batch, seqs)
          on.onCommit()
          return true
        }
        await reload()
      }
    })
  const isSent = ({ change }: Waiting) => sent.has(change.id)
  /** Whether a pull includes what was sent. A server that was restored from a backup may have lost it. */
  const isIncluded = (waiting: Waiting, { addRejected, clearRows, put = [], remove = [] }: Batch) => {
    const { change } = waiting
    if (!isSent(waiting) || addRejected) return false
    const rev = sent.get(change.id) ?? null
    if (rev === null || clearRows || change.kind === 'call') return true
    const received =
      put.find(({ row }) => row.id === change.row)?.row ?? rows.of(change.table).get(change.row)
    return (received?.rev ?? 0) >= rev || remove.some(({ id }) => id === change.row)
  }
  const find = ({ id }: Change) => outbox.find(({ change }) => change.id === id)
  const leaveOutbox = (left: readonly Waiting[]) => {
    const ids = new Set(left.map(({ change }) => change.id))
    outbox = outbox.filter(({ change }) => !ids.has(change.id))
    notify(left.map(({ change }) => change))
  }
  const markSent = (change: Change, rev: number | null) => {
    const waiting = find(change)
    if (waiting?.state === 'stored') sent.set(change.id, rev)
    else if (waiting) {
      leaveOutbox([waiting])
      waiting.settle(null)
    }
  }
  /** The row of a change of which these fields were saved. Its revision comes with the next pull. */
  const savedRow = ({ table, row: id }: Update, fields: Fields): readonly StoredRow[] => {
    const row = rows.of(table).get(id)
    return row ? [{ table, row: { ...row, ...fields } }] : []
  }
  load(tables, contents)
  return {
    shown: views.rows,
    received: rows.of,
    waiting: () => outbox,
    nextToSend: () => outbox.find((waiting) => !isSent(waiting)),
    isSent,
    rejected: () => rejected,
    cursor: () => cursor,
    isComplete: () => isComplete,
    hasRead: (table) => readTables.includes(table),
    accept: (change, replaced) =>
      new Promise((resolve, reject) => {
        const settle = (error: Error | null) => (error ? reject(error) : resolve())
        outbox = [...outbox, { change, state: 'storing', seq: null, settle }]
        notify([change])
        const becomeVolatile = () => {
          outbox = outbox.map((waiting) =>
            waiting.change.id === change.id ? { ...waiting, state: 'volatile' } : waiting,
          )
          on.onChange()
        }
        const removeRejected = replaced === undefined ? [] : [replaced]
        void write(() => (find(change)?.state === 'stored' ? null : { addChanges: [change], removeRejected }))
          .then(() => (find(change)?.state === 'storing' ? becomeVolatile() : resolve()), becomeVolatile)
          .then(on.onWaiting)
      }),
    acknowledge: async (change, { put = [], remove = [] }, sentFrom) => {
      const isStored = find(change)?.state === 'stored'
      // Otherwise the server may have been restored since, without the change.
      const isSaved = () => !isStored || (cursor?.epoch ?? null) === (sentFrom?.epoch ?? null)
      const saved = () => ({
        // What is older than the last pull is part of it, or was deleted since.
        put: put.filter(({ row }) => row.rev > (cursor?.rev ?? 0)),
        remove: isSameCursor(cursor, sentFrom) ? remove : [],
        removeChanges: seqsOf(outbox.filter((each) => each.change.id === change.id)),
      })
      const isWritten = await write(() => (isSaved() ? saved() : null)).catch(() => {
        // Without space for it, what the server has shows in this page only, and a later pull tries again to store it. A
        // stored change shows as long as it is in the outbox.
        if (!isStored) apply(rows.consistent(saved()), [])
        return true
      })
      if (isWritten) markSent(change, put[0]?.row.rev ?? null)
    },
    markSent,
    reject: async (change, rejection) => {
      let left: readonly Waiting[] = []
      await write(() => {
        const waiting = find(change)
        // The server will reject one that is still being stored.
        const known = outbox.filter(({ state }) => state !== 'storing')
        const changes = known.map((each) => each.change)
        const dependents = new Set(dependentsOf(change, changes, rules))
        left = waiting ? [waiting, ...known.filter((each) => dependents.has(each.change))] : []
        const stored = left.filter(({ state }) => state === 'stored')
        const addRejected = stored.map((each) =>
          rejectedChange(each.change, each === waiting ? rejection : new Rejection('depends')),
        )
        if (stored.length === 0) return null
        return { removeChanges: seqsOf(stored), addRejected }
      })
      leaveOutbox(left)
      for (const { settle } of left) settle(rejection)
      if (left[0]?.state === 'stored') on.onRejected(rejectedChange(change, rejection))
    },
    replace: async (change, replacements, saved) => {
      await write(() => {
        const waiting = find(change)
        if (waiting?.state !== 'stored') return null
        return { removeChanges: seqsOf([waiting]), addChanges: replacements, put: savedRow(change, saved) }
      })
      const waiting = find(change)
      if (!waiting) return
      outbox = outbox.flatMap((each) => (each === waiting ? successorsOf(waiting, replacements) : [each]))
      apply({ put: savedRow(change, saved) }, [])
      notify([change, ...replacements])
    },
    failVolatile: (error) => {
      const failed = outbox.filter(({ state }) => state === 'volatile')
      if (failed.length === 0) return
      leaveOutbox(failed)
      for (const { settle } of failed) settle(error)
    },
    receive: async (from, makeBatch) => {
      const pulled = () => (isSameCursor(cursor, from) ? makeBatch() : null)
      const withSent = () => {
        const made = pulled()
        const batch = made && rows.consistent(made)
        return batch && { ...batch, removeChanges: seqsOf(outbox.filter((each) => isIncluded(each, batch))) }
      }
      try {
        const isWritten = await write(withSent)
        if (isWritten) sent.clear()
        return isWritten
      } catch (error) {
        const batch = pulled()
        // Rows that the server has lost must be safe before others take their place.
        if (!batch || batch.addRejected?.length) throw error
        const { cursor: _notStored, ...shown } = rows.consistent(batch)
        apply(shown, [])
        isComplete = true
        return true
      }
    },
    discard: async (id) => void (await write(() => ({ removeRejected: [id] }))),
    showEarly: (early) => {
      for (const [table, first] of early) earlyRows[table] = first
      notify([...early.keys()].map((table) => ({ table })))
    },
    refresh: () =>
      inTurn(async () => {
        if ((await storage.version()) !== version) await reload()
        else if (readTables !== TABLES) await readLaterTables()
      }).catch(() => {}),
  }
}
