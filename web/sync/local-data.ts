import {
  type Change,
  type Cursor,
  type RejectedChange,
  type RejectionReason,
  type Row,
  type RowOf,
  type Rules,
  type TableName,
  TABLES,
} from './schema.ts'
import type { Batch, Contents, OutboxEntry, Storage } from './storage.ts'
import { applyChanges } from './view.ts'

/** A change that waits for the server. */
export interface Waiting {
  change: Change
  /**
   * `storing` until it is known whether it could be stored. A `volatile` change exists in this page only: it is not
   * accepted before the server has saved it.
   */
  state: 'storing' | 'stored' | 'volatile'
  /** Position in the outbox; null unless stored. */
  seq: number | null
  /** For a volatile change: reports how it ended. */
  settle: (error: Error | null) => void
}

/** What the server has returned for a change, and what of the change could not be saved. */
export type Received = Pick<Batch, 'put' | 'putUnlessOlder' | 'remove' | 'addRejected'>

/** Why a change cannot be saved. */
export class Rejection extends Error {
  override name = 'Rejection'
  readonly reason: RejectionReason
  /** SQLSTATE; empty if the server did not reject it. */
  readonly code: string

  constructor(reason: RejectionReason, { code = '', message = '' } = {}) {
    super(message)
    this.reason = reason
    this.code = code
  }
}

/**
 * The data of one user in this page: the rows of the server, and the changes that wait. Writes go to the storage first,
 * then they show, here and in other tabs.
 */
export interface LocalData {
  /** The rows of the server with the waiting changes applied, in order. */
  shown: <Name extends TableName>(table: Name) => readonly RowOf<Name>[]
  /** A table's rows as last received from the server, by id. */
  received: (table: TableName) => ReadonlyMap<string, Row>
  waiting: () => readonly Waiting[]
  rejected: () => readonly RejectedChange[]
  /** Null until all rows have been received once. */
  cursor: () => Cursor | null
  /** Resolves when the change is stored, or saved by the server; rejects if neither was possible. */
  accept: (change: Change) => Promise<void>
  /** Removes a change that the server has saved, in one transaction with what the server has returned. */
  acknowledge: (saved: Waiting, received: Received) => Promise<void>
  /** Moves a change, and those that depend on it, to those that could not be saved. */
  reject: (waiting: Waiting, rejection: Rejection) => Promise<void>
  /** The server cannot be reached: undoes the changes that exist in this page only. */
  failVolatile: (error: Error) => void
  /** Resolves to false if nothing was written because another tab has moved the cursor. */
  receive: (batch: Batch) => Promise<boolean>
  /** Shows the first rows before all of them have been received. */
  showEarly: (table: TableName, rows: readonly Row[]) => void
  /** Reads the storage again if another tab has written to it. */
  refresh: () => Promise<void>
}

interface LocalDataOptions {
  rules: Rules
  storage: Storage
  contents: Contents
  /** Called when what is shown has changed. */
  onChange: () => void
  /** Called after every write to the storage. */
  onCommit: () => void
  /** Called when a change can be sent. */
  onWaiting: () => void
  onRejected: (change: RejectedChange) => void
}

interface Cached<Value> {
  get: () => Value
  /** Has the value computed again the next time. */
  outdate: () => void
}

type Views = { [Name in TableName]: Cached<readonly RowOf<Name>[]> }

export function createLocalData({ rules, storage, contents, ...on }: LocalDataOptions): LocalData {
  const rows: Record<TableName, Map<string, Row>> = { categories: new Map(), prayers: new Map() }
  const viewOf = <Name extends TableName>(table: Name) =>
    cached(() => {
      const changes = outbox.map(({ change }) => change)
      return applyChanges<Name>(table, rows[table].values(), changes, rules[table])
    })
  const views: Views = { categories: viewOf('categories'), prayers: viewOf('prayers') }
  let outbox: readonly Waiting[] = []
  let rejected: readonly RejectedChange[] = []
  let cursor: Cursor | null = null
  let version = 0
  let lastOperation: Promise<unknown> = Promise.resolve()

  /** Storage operations run one after the other, so that this page applies them in the order of the storage. */
  const inTurn = <Result>(operation: () => Promise<Result>): Promise<Result> => {
    const result = lastOperation.then(operation)
    lastOperation = result.catch(() => {})
    return result
  }
  const notify = () => {
    for (const table of TABLES) views[table].outdate()
    on.onChange()
  }
  const load = (stored: Contents) => {
    for (const table of TABLES) {
      const known = rows[table]
      const read = stored.rows.filter((each) => each.table === table)
      rows[table] = new Map(read.map(({ row }) => [row.id, unlessSame(known.get(row.id), row)]))
    }
    // A newer version of the app may have stored changes of other tables: they wait for it.
    const known = stored.outbox.filter(({ change }) => TABLES.includes(change.table))
    const storedIds = new Set(known.map(({ change }) => change.id))
    const unstored = outbox.filter(({ seq, change }) => seq === null && !storedIds.has(change.id))
    outbox = [...known.map(fromStorage), ...unstored]
    ;({ cursor, version } = stored)
    rejected = stored.rejected.filter(({ table }) => TABLES.includes(table))
    notify()
  }
  const reload = async () => load(await storage.read())
  /** Brings this page up to date with a batch; the new changes are in its outbox already. */
  const apply = (batch: Batch) => {
    const known = { ...rows }
    if (batch.clearRows) for (const table of TABLES) rows[table] = new Map()
    for (const { table, row } of batch.put ?? []) {
      rows[table].set(row.id, unlessSame(known[table].get(row.id), row))
    }
    for (const { table, row } of batch.putUnlessOlder ?? []) {
      if ((rows[table].get(row.id)?.rev ?? 0) <= row.rev) rows[table].set(row.id, row)
    }
    for (const { table, id } of batch.remove ?? []) rows[table].delete(id)
    const [removed, discarded] = [new Set(batch.removeChanges), new Set(batch.removeRejected)]
    outbox = outbox.filter(({ seq }) => seq === null || !removed.has(seq))
    rejected = [...rejected.filter(({ id }) => !discarded.has(id)), ...(batch.addRejected ?? [])]
    if (batch.moveCursor) cursor = batch.moveCursor.to
    notify()
  }
  /** Resolves to the positions of added changes; to null if another tab has moved the cursor. */
  const write = (batch: Batch) =>
    inTurn(async () => {
      const commit = await storage.commit(batch)
      const isAlone = commit?.version === version + 1
      if (commit) {
        apply(batch)
        version = commit.version
      }
      // Another tab has written in between.
      if (storage.durable && !isAlone) await reload()
      on.onCommit()
      return commit && commit.seqs
    })
  /**
   * Writes what the server has. If there is no space for it, it still shows in this page, and is fetched again by the
   * next one.
   */
  const keep = async (batch: Batch): Promise<boolean> => {
    try {
      return (await write(batch)) !== null
    } catch {
      apply(batch)
      return true
    }
  }
  const leaveOutbox = (left: readonly Waiting[]) => {
    const ids = new Set(left.map(({ change }) => change.id))
    outbox = outbox.filter(({ change }) => !ids.has(change.id))
    notify()
  }
  load(contents)
  return {
    shown: (table) => views[table].get(),
    received: (table) => rows[table],
    waiting: () => outbox,
    rejected: () => rejected,
    cursor: () => cursor,
    accept: (change) =>
      new Promise((resolve, reject) => {
        const settle = (error: Error | null) => (error ? reject(error) : resolve())
        outbox = [...outbox, { change, state: 'storing', seq: null, settle }]
        notify()
        const finish = (seq: number | undefined) => {
          const isStored = storage.durable && seq !== undefined
          outbox = outbox.map((waiting): Waiting => {
            if (waiting.change.id !== change.id) return waiting
            return isStored ? { ...waiting, state: 'stored', seq } : { ...waiting, state: 'volatile' }
          })
          on.onChange()
          if (isStored) resolve()
          on.onWaiting()
        }
        void write({ addChanges: [change] }).then(
          (seqs) => finish(seqs?.[0]),
          () => finish(undefined),
        )
      }),
    acknowledge: async (saved, received) => {
      await keep({ ...received, removeChanges: seqsOf([saved]) })
      leaveOutbox([saved])
      saved.settle(null)
      for (const change of received.addRejected ?? []) on.onRejected(change)
    },
    reject: async (waiting, rejection) => {
      const dependents = dependentsOf(waiting.change, outbox, rules)
      const all = [waiting, ...dependents]
      const addRejected = all.flatMap((each): RejectedChange[] => {
        if (each.state === 'volatile') return []
        const { reason, code, message } = each === waiting ? rejection : new Rejection('depends')
        return [{ ...each.change, reason, code, message }]
      })
      await keep({ removeChanges: seqsOf(all), addRejected })
      leaveOutbox(all)
      for (const { settle } of all) settle(rejection)
      const [first] = addRejected
      if (first) on.onRejected(first)
    },
    failVolatile: (error) => {
      const failed = outbox.filter(({ state }) => state === 'volatile')
      if (failed.length === 0) return
      leaveOutbox(failed)
      for (const { settle } of failed) settle(error)
    },
    receive: keep,
    showEarly: (table, early) => {
      for (const row of early) rows[table].set(row.id, row)
      notify()
    },
    refresh: () =>
      inTurn(async () => {
        if ((await storage.version()) !== version) await reload()
      }),
  }
}

function cached<Value>(compute: () => Value): Cached<Value> {
  let current: { value: Value } | null = null
  return {
    get: () => (current ??= { value: compute() }).value,
    outdate: () => (current = null),
  }
}

function fromStorage({ seq, change }: OutboxEntry): Waiting {
  return { change, state: 'stored', seq, settle: () => {} }
}

function seqsOf(waiting: readonly Waiting[]): readonly number[] {
  return waiting.flatMap(({ seq }) => (seq === null ? [] : [seq]))
}

/** The later changes of a row that could not be added, and of rows that refer to it. */
function dependentsOf(rejected: Change, outbox: readonly Waiting[], rules: Rules): readonly Waiting[] {
  if (rejected.kind !== 'insert') return []
  const missing = new Set([rejected.row])
  return outbox.filter(({ change }) => {
    if (change.id === rejected.id) return false
    const { reference } = rules[change.table]
    const referred = reference && change.fields[reference.column]
    const depends = missing.has(change.row) || (typeof referred === 'string' && missing.has(referred))
    if (depends && change.kind === 'insert') missing.add(change.row)
    return depends
  })
}

/** The known object if nothing has changed, so that it does not render again. */
function unlessSame(known: Row | undefined, row: Row): Row {
  if (!known) return row
  const names = Object.keys(row)
  const isSame =
    names.length === Object.keys(known).length && names.every((name) => known[name] === row[name])
  return isSame ? known : row
}
