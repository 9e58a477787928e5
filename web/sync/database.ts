import { type DBSchema, deleteDB, type IDBPDatabase, openDB, unwrap, wrap } from 'idb'
import type { Call, Change, RejectedChange } from './change.ts'
import type { Arguments, CallName, Cursor, TableName } from './schema.ts'
import type { Keys } from './sealing/sealed-text.ts'
import {
  type Batch,
  type CommitResult,
  type Contents,
  type DeviceStorage,
  firstVersion,
  memoryStorage,
  type Operations,
  type StoredRow,
} from './storage.ts'

interface Schema extends DBSchema {
  rows: { key: [table: TableName, id: string]; value: StoredRow }
  outbox: { key: number; value: Change | OldCall<Change> }
  rejected: { key: string; value: RejectedChange | OldCall<RejectedChange> }
  meta: { key: 'state'; value: { cursor: Cursor | null; version: number } }
  /** Only in the second version. */
  keys: { key: string; value: Keys }
}

/** A call as version 0.2.0 has stored it. */
type OldCall<Any extends Change> = Omit<Extract<Any, Call>, 'name' | 'args'> & OldArguments
interface OldArguments {
  row: CallName
  fields: Arguments
}

type UserDatabase = IDBPDatabase<Schema>
type Writing = ReturnType<typeof startWriting>

/** A database without keys, and one with them, which older versions of the app must not open: they would send what they find as it is. */
const [WITHOUT_KEYS, WITH_KEYS] = [1, 2]
const STORES = ['rows', 'outbox', 'rejected', 'meta'] as const
/** Of a database that a version of the app up to 0.2.0 has created, until its first commit. */
const EMPTY = { cursor: null, version: 0 }
/** How many rows are written at once: requests for thousands of them would keep a phone from reacting. */
const ROWS_AT_ONCE = 200
/** How long the browser may take for one response, in milliseconds. Some browsers never report a failure. */
const TIMEOUT_MS = 10_000

export interface DatabaseEvents {
  /** Another tab has upgraded the database, or is about to: this page cannot use it any more. */
  onOutdated: () => void
  /** The browser has closed the connection, perhaps because the user has deleted the data of this site. */
  onClosed: () => void
  /** The database was deleted by this or another tab. From now on, the storage keeps nothing. */
  onDeleted: () => void
}

/** For those who use a database briefly. */
export const NO_EVENTS: DatabaseEvents = { onOutdated: () => {}, onClosed: () => {}, onDeleted: () => {} }

/** Opens the database of one user in this browser. Rejects if the browser has no IndexedDB or does not allow it. */
export async function openDatabase(userId: string, on: DatabaseEvents): Promise<DeviceStorage> {
  let isClosed = false
  let replacement: DeviceStorage | null = null

  const events = {
    ...on,
    onDeleted: () => {
      replacement ??= memoryStorage()
      on.onDeleted()
    },
  }
  const openAgain = (version?: number) => open(userId, events, version)
  let database = await openAgain()

  /** Browsers close connections for reasons of their own: then the database is opened again, once. */
  const run = async <Result>(operation: (on: Operations) => Promise<Result>): Promise<Result> => {
    if (replacement) return operation(replacement)
    try {
      return await withTimeout(operation(operationsOn(database)), database)
    } catch (error) {
      if (replacement) return operation(replacement)
      if (isClosed || error instanceof StorageTimeout) throw error
      database.close()
      database = await openAgain()
      return withTimeout(operation(operationsOn(database)), database)
    }
  }
  return {
    get durable() {
      return replacement === null
    },
    read: (tables) => run((storage) => storage.read(tables)),
    count: (tables) => run((storage) => storage.count(tables)),
    version: () => run((storage) => storage.version()),
    commit: (batch, version) => run((storage) => storage.commit(batch, version)),
    readKeys: () => run((storage) => storage.readKeys()),
    addKeys: async (keys) => {
      if (replacement === null && database.version < WITH_KEYS) {
        database.close()
        database = await openAgain(WITH_KEYS)
      }
      await run((storage) => storage.addKeys(keys))
    },
    deleteKeys: () => run((storage) => storage.deleteKeys()),
    close: () => {
      isClosed = true
      database.close()
    },
  }
}

/**
 * Deletes the database of a user from this browser. If a suspended tab still uses it, the browser deletes it when that tab
 * is closed; it is empty until then.
 */
export async function deleteDatabase(userId: string): Promise<void> {
  // A database with a newer schema can only be deleted.
  await emptyDatabase(userId).catch(() => {})
  const deleted = new Promise<void>((resolve, reject) => {
    deleteDB(databaseName(userId), { blocked: () => resolve() }).then(resolve, reject)
  })
  await withTimeout(deleted)
}

/**
 * Deletes the rows of a user from this browser, but not what the server does not have yet. Resolves to the number of
 * changes that are left.
 */
export function forgetRows(userId: string): Promise<number> {
  return withConnection(userId, async (database) => {
    await deleteKeys(database)
    const transaction = startWriting(database)
    const [outbox, rejected, state] = await Promise.all([
      transaction.objectStore('outbox').count(),
      transaction.objectStore('rejected').count(),
      transaction.objectStore('meta').get('state'),
    ])
    const version = (state ?? EMPTY).version + 1
    await Promise.all([
      transaction.objectStore('rows').clear(),
      transaction.objectStore('meta').put({ cursor: null, version }, 'state'),
      transaction.done,
    ])
    return outbox + rejected
  })
}

function emptyDatabase(userId: string): Promise<void> {
  return withConnection(userId, async (database) => {
    await deleteKeys(database)
    const transaction = startWriting(database)
    const state = await transaction.objectStore('meta').get('state')
    // Tabs that still use it must not take it for a new database, to which they would add what it lacks.
    const version = (state ?? EMPTY).version + 1
    await Promise.all([
      ...STORES.map((name) => transaction.objectStore(name).clear()),
      transaction.objectStore('meta').put({ cursor: null, version }, 'state'),
      transaction.done,
    ])
  })
}

async function withConnection<Result>(
  userId: string,
  work: (database: UserDatabase) => Promise<Result>,
): Promise<Result> {
  const database = await open(userId, NO_EVENTS)
  try {
    return await withTimeout(work(database), database)
  } finally {
    database.close()
  }
}

async function open(
  userId: string,
  { onOutdated, onClosed, onDeleted }: DatabaseEvents,
  version?: number,
): Promise<UserDatabase> {
  // Without a version: the one that it has, or the first.
  const opening = openDB<Schema>(databaseName(userId), version, {
    upgrade: (database, oldVersion, newVersion, transaction) => {
      // Without space it fails, and opening with it: one of the two errors is enough.
      transaction.done.catch(() => {})
      if (newVersion === WITH_KEYS) database.createObjectStore('keys')
      if (oldVersion >= WITHOUT_KEYS) return
      database.createObjectStore('rows')
      database.createObjectStore('outbox', { autoIncrement: true })
      database.createObjectStore('rejected')
      const meta = unwrap(database.createObjectStore('meta'))
      meta.put({ cursor: null, version: firstVersion() }, 'state')
    },
    blocking: (_version, nextVersion, event) => {
      if (event.target instanceof IDBDatabase) event.target.close()
      if (nextVersion === null) onDeleted()
      // Otherwise it is opened again when it is needed.
      else if (nextVersion > WITH_KEYS) onOutdated()
    },
    terminated: onClosed,
  })
  try {
    const database = await withTimeout(opening)
    if (database.version <= WITH_KEYS) return database
    onOutdated()
    throw new Error('A newer version of the app uses the database.')
  } catch (error) {
    // A connection that is opened too late must not stay open.
    opening.then(
      (database) => database.close(),
      () => {},
    )
    throw error
  }
}

function databaseName(userId: string): string {
  return `intercede-${userId}`
}

class StorageTimeout extends Error {
  override name = 'StorageTimeout'
}

/**
 * Rejects when the browser has not responded for too long, up to twice as long after a response. There are thousands of these
 * when many rows are written: a timer for each would keep a phone busy.
 */
async function withTimeout<Result>(operation: Promise<Result>, database?: UserDatabase): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasResponded = false
  const noteResponse = () => {
    hasResponded = true
  }
  const timeout = new Promise<never>((_resolve, reject) => {
    const check = () => {
      if (!hasResponded) return reject(new StorageTimeout('The browser’s database does not respond.'))
      hasResponded = false
      timer = setTimeout(check, TIMEOUT_MS)
    }
    timer = setTimeout(check, TIMEOUT_MS)
  })
  // These events do not bubble, but pass the connection on their way to the request.
  database?.addEventListener('success', noteResponse, { capture: true })
  return Promise.race([operation, timeout]).finally(() => {
    clearTimeout(timer)
    database?.removeEventListener('success', noteResponse, { capture: true })
  })
}

function operationsOn(database: UserDatabase): Operations {
  return {
    read: (tables) => readAll(database, tables),
    count: (tables) => countRows(database, tables),
    version: () => readVersion(database),
    commit: (batch, version) => write(database, batch, version),
    readKeys: async () => {
      if (hasKeys(database)) return database.getAll('keys')
      // Fails if another page has added the keys, and with it closed this connection.
      await readVersion(database)
      return []
    },
    addKeys: async (keys) => {
      const transaction = startWritingKeys(database)
      await Promise.all([transaction.store.put(keys, keys.keyId), transaction.done])
    },
    deleteKeys: () => deleteKeys(database),
  }
}

function hasKeys(database: UserDatabase): boolean {
  return database.objectStoreNames.contains('keys')
}

async function deleteKeys(database: UserDatabase): Promise<void> {
  if (!hasKeys(database)) return
  const transaction = startWritingKeys(database)
  await Promise.all([transaction.store.clear(), transaction.done])
}

function startWritingKeys(database: UserDatabase) {
  return database.transaction('keys', 'readwrite', { durability: 'strict' })
}

async function readAll(database: UserDatabase, tables?: readonly TableName[]): Promise<Contents> {
  const transaction = database.transaction(STORES)
  const ranges = tables?.map(idsOf) ?? [undefined]
  const [rows, seqs, changes, rejected, state] = await Promise.all([
    Promise.all(ranges.map((range) => transaction.objectStore('rows').getAll(range))),
    transaction.objectStore('outbox').getAllKeys(),
    transaction.objectStore('outbox').getAll(),
    transaction.objectStore('rejected').getAll(),
    transaction.objectStore('meta').get('state'),
    transaction.done,
  ])
  const outbox = changes.flatMap((change, index) => {
    const seq = seqs[index]
    return seq === undefined ? [] : [{ seq, change: isOldCall(change) ? callOf(change) : change }]
  })
  const rejectedNow = rejected.map((change) => (isOldCall(change) ? callOf(change) : change))
  return { rows: rows.flat(), outbox, rejected: rejectedNow, ...(state ?? EMPTY) }
}

function isOldCall<Any extends Change>(change: Any | OldCall<Any>): change is OldCall<Any> {
  return change.kind === 'call' && 'row' in change
}

function callOf<Old extends OldArguments>({ row: name, fields: args, ...others }: Old) {
  return { ...others, name, args }
}

async function countRows(database: UserDatabase, tables: readonly TableName[]): Promise<number> {
  const counts = await Promise.all(tables.map((table) => database.count('rows', idsOf(table))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The keys of all rows of a table. An array is after every text. */
function idsOf(table: TableName): IDBKeyRange {
  return IDBKeyRange.bound([table], [table, []])
}

async function readVersion(database: UserDatabase): Promise<number> {
  const transaction = database.transaction('meta')
  const [state] = await Promise.all([transaction.store.get('state'), transaction.done])
  return (state ?? EMPTY).version
}

function startWriting(database: UserDatabase) {
  // Strict: the transaction is complete when the data is on the disk, not in a buffer of the operating system.
  const transaction = database.transaction(STORES, 'readwrite', { durability: 'strict' })
  // When a request fails, so does the transaction: one of the two errors is enough.
  transaction.done.catch(() => {})
  return transaction
}

async function write(database: UserDatabase, batch: Batch, version: number): Promise<CommitResult> {
  const transaction = startWriting(database)
  try {
    const result = await writeAll(transaction, batch, version)
    await transaction.done
    return result
  } catch (error) {
    // Otherwise the browser would commit what was written before the error.
    abort(transaction)
    throw error
  }
}

async function writeAll(transaction: Writing, batch: Batch, version: number): Promise<CommitResult> {
  const [rows, outbox] = [transaction.objectStore('rows'), transaction.objectStore('outbox')]
  const [rejected, meta] = [transaction.objectStore('rejected'), transaction.objectStore('meta')]
  const state = (await meta.get('state')) ?? EMPTY
  if (state.version !== version) return 'outdated'

  if (batch.clearRows) await rows.clear()
  const put = batch.put ?? []
  // Without a promise for each of thousands: a phone would be busy with them for seconds. If one fails, so do those after it.
  const plainRows = unwrap(rows)
  for (let start = 0; start < put.length; start += ROWS_AT_ONCE) {
    const group = put.slice(start, start + ROWS_AT_ONCE)
    const last = group.map((stored) => plainRows.put(stored, [stored.table, stored.row.id])).at(-1)
    if (last) await wrap(last)
  }
  const [seqs] = await Promise.all([
    Promise.all((batch.addChanges ?? []).map((change) => outbox.add(change))),
    ...(batch.remove ?? []).map(({ table, id }) => rows.delete([table, id])),
    ...(batch.removeChanges ?? []).map((seq) => outbox.delete(seq)),
    ...(batch.addRejected ?? []).map((change) => rejected.put(change, change.id)),
    ...(batch.removeRejected ?? []).map((id) => rejected.delete(id)),
    meta.put({ cursor: batch.cursor ?? state.cursor, version: version + 1 }, 'state'),
  ])
  return { seqs }
}

function abort(transaction: Writing): void {
  try {
    transaction.abort()
  } catch {
    // It has ended already.
  }
}
