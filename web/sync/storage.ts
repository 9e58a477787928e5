import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb'
import type { Change, Cursor, RejectedChange, Row, TableName } from './schema.ts'

/** A row with the name of its table. */
export interface StoredRow {
  table: TableName
  row: Row
}

/** A change with its position in the outbox. */
export interface OutboxEntry {
  seq: number
  change: Change
}

/** Everything that is kept for one user. */
export interface Contents {
  /** Incremented by every commit, of any tab. */
  version: number
  rows: readonly StoredRow[]
  outbox: readonly OutboxEntry[]
  rejected: readonly RejectedChange[]
  /** Null until all rows have been received once. */
  cursor: Cursor | null
}

/** Writes that take effect together or not at all. Each property is optional. */
export interface Batch {
  /** Forgets all rows before the others are written. */
  clearRows?: boolean
  put?: readonly StoredRow[]
  /** Like `put`, unless the stored row is newer: another tab may have received it. */
  putUnlessOlder?: readonly StoredRow[]
  remove?: readonly { table: TableName; id: string }[]
  addChanges?: readonly Change[]
  removeChanges?: readonly number[]
  addRejected?: readonly RejectedChange[]
  removeRejected?: readonly string[]
  /** Moves the cursor. If it is not at `from` any more, nothing at all is written. */
  moveCursor?: { from: Cursor | null; to: Cursor }
}

export interface Commit {
  version: number
  /** The positions of the added changes. */
  seqs: readonly number[]
}

/** Where the data of one user is kept. */
export interface Storage {
  /** Whether data survives the page. */
  durable: boolean
  read: () => Promise<Contents>
  version: () => Promise<number>
  /** Resolves when the writes are safe; to null if the cursor had moved. Rejects if nothing was written. */
  commit: (batch: Batch) => Promise<Commit | null>
  close: () => void
}

interface Schema extends DBSchema {
  rows: { key: [table: TableName, id: string]; value: StoredRow }
  outbox: { key: number; value: Change }
  rejected: { key: string; value: RejectedChange }
  meta: { key: 'state'; value: { cursor: Cursor | null; version: number } }
}

const SCHEMA_VERSION = 1
const STORES = ['rows', 'outbox', 'rejected', 'meta'] as const
const EMPTY = { cursor: null, version: 0 }

export function databaseName(userId: string): string {
  return `intercede-${userId}`
}

/**
 * Opens the database of one user in this browser. Rejects if the browser has no IndexedDB or does not allow it.
 *
 * @param onOutdated called when another tab needs a newer schema: this storage is then closed
 */
export async function openDatabase(userId: string, onOutdated: () => void): Promise<Storage> {
  const open = () =>
    openDB<Schema>(databaseName(userId), SCHEMA_VERSION, {
      upgrade: (database) => {
        database.createObjectStore('rows')
        database.createObjectStore('outbox', { autoIncrement: true })
        database.createObjectStore('rejected')
        database.createObjectStore('meta')
      },
      blocking: (_current, _next, event) => {
        if (event.target instanceof IDBDatabase) event.target.close()
        onOutdated()
      },
    })
  let database = await open()
  let closed = false

  /** Browsers close connections for reasons of their own: then it is opened again, once. */
  const withDatabase = async <Result>(work: (database: IDBPDatabase<Schema>) => Promise<Result>) => {
    try {
      return await work(database)
    } catch (error) {
      if (closed || !isConnectionLost(error)) throw error
      database = await open()
      return work(database)
    }
  }
  return {
    durable: true,
    read: () => withDatabase(readAll),
    version: () => withDatabase(async (opened) => ((await opened.get('meta', 'state')) ?? EMPTY).version),
    commit: (batch) => withDatabase((opened) => write(opened, batch)),
    close: () => {
      closed = true
      database.close()
    },
  }
}

function isConnectionLost(error: unknown): boolean {
  return error instanceof DOMException && ['InvalidStateError', 'UnknownError'].includes(error.name)
}

async function readAll(database: IDBPDatabase<Schema>): Promise<Contents> {
  const transaction = database.transaction(STORES)
  transaction.done.catch(() => {})
  const [rows, seqs, changes, rejected, state] = await Promise.all([
    transaction.objectStore('rows').getAll(),
    transaction.objectStore('outbox').getAllKeys(),
    transaction.objectStore('outbox').getAll(),
    transaction.objectStore('rejected').getAll(),
    transaction.objectStore('meta').get('state'),
    transaction.done,
  ])
  const outbox = changes.flatMap((change, index) => {
    const seq = seqs[index]
    return seq === undefined ? [] : [{ seq, change }]
  })
  return { rows, outbox, rejected, ...(state ?? EMPTY) }
}

async function write(database: IDBPDatabase<Schema>, batch: Batch): Promise<Commit | null> {
  // Strict: the transaction is complete when the data is on the disk, not in a buffer of the operating system.
  const transaction = database.transaction(STORES, 'readwrite', { durability: 'strict' })
  // A failed request also ends the transaction; one of the two errors is enough.
  transaction.done.catch(() => {})
  const [rows, outbox] = [transaction.objectStore('rows'), transaction.objectStore('outbox')]
  const [rejected, meta] = [transaction.objectStore('rejected'), transaction.objectStore('meta')]
  const { cursor, version } = (await meta.get('state')) ?? EMPTY
  const { moveCursor } = batch
  if (moveCursor && !isSameCursor(cursor, moveCursor.from)) {
    await transaction.done
    return null
  }
  const seqs: number[] = []
  const writes: Promise<unknown>[] = [
    meta.put({ cursor: moveCursor?.to ?? cursor, version: version + 1 }, 'state'),
  ]
  if (batch.clearRows) writes.push(rows.clear())
  for (const stored of batch.put ?? []) writes.push(rows.put(stored, [stored.table, stored.row.id]))
  for (const stored of batch.putUnlessOlder ?? []) {
    const known = await rows.get([stored.table, stored.row.id])
    if (!known || known.row.rev <= stored.row.rev)
      writes.push(rows.put(stored, [stored.table, stored.row.id]))
  }
  for (const { table, id } of batch.remove ?? []) writes.push(rows.delete([table, id]))
  for (const change of batch.addChanges ?? []) writes.push(outbox.add(change).then((seq) => seqs.push(seq)))
  for (const seq of batch.removeChanges ?? []) writes.push(outbox.delete(seq))
  for (const change of batch.addRejected ?? []) writes.push(rejected.put(change, change.id))
  for (const id of batch.removeRejected ?? []) writes.push(rejected.delete(id))
  await Promise.all([...writes, transaction.done])
  return { version: version + 1, seqs }
}

export function isSameCursor(a: Cursor | null, b: Cursor | null): boolean {
  return a?.rev === b?.rev && a?.epoch === b?.epoch
}

/** A storage that keeps nothing: its contents live as long as the page. */
export function memoryStorage(): Storage {
  let [version, seq] = [0, 0]
  return {
    durable: false,
    read: async () => ({ version, rows: [], outbox: [], rejected: [], cursor: null }),
    version: async () => version,
    commit: async ({ addChanges = [] }) => ({ version: ++version, seqs: addChanges.map(() => ++seq) }),
    close: () => {},
  }
}

/** Deletes the database of a user from this browser. */
export async function deleteDatabase(userId: string): Promise<void> {
  await deleteDB(databaseName(userId))
}
