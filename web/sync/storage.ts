import type { Change, RejectedChange } from './change.ts'
import type { Cursor, Row, TableName } from './schema.ts'
import type { Keys } from './sealing/sealed-text.ts'

/** A row with the name of its table. */
export interface StoredRow {
  table: TableName
  row: Row
}

/** A row, or where one was. */
export interface RowRef {
  table: TableName
  id: string
}

/** A change with its position in the outbox. */
export interface OutboxEntry {
  seq: number
  change: Change
}

/** Everything that is kept for one user. */
export interface Contents {
  /** Incremented by every commit, of any tab. A database begins with `firstVersion`. */
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
  remove?: readonly RowRef[]
  addChanges?: readonly Change[]
  removeChanges?: readonly number[]
  addRejected?: readonly RejectedChange[]
  removeRejected?: readonly string[]
  cursor?: Cursor
}

/** How the contents are read and written. */
export interface Operations {
  /** Everything, or everything but the rows of other tables. */
  read: (tables?: readonly TableName[]) => Promise<Contents>
  /** How many rows these tables have. */
  count: (tables: readonly TableName[]) => Promise<number>
  version: () => Promise<number>
  /** The keys of an encrypted account. */
  readKeys: () => Promise<readonly Keys[]>
  /** Adds those of one prayer key. */
  addKeys: (keys: Keys) => Promise<void>
  deleteKeys: () => Promise<void>
  /** Resolves when the writes are safe. Rejects if nothing was written, as far as that is known. */
  commit: (batch: Batch, version: number) => Promise<CommitResult>
}

/** A commit as other tabs are told of it. */
export interface Commit {
  /** The version of the contents after it. */
  version: number
  batch: Batch
  /** The positions of the changes that it has added. */
  seqs: readonly number[]
}

export type CommitResult =
  /** The positions of the added changes in the outbox. */
  | { seqs: readonly number[] }
  /** Nothing was written: the contents have another version, because another tab has written. */
  | 'outdated'
  /** This storage keeps nothing. */
  | 'not-kept'

/** Where the data of one user is kept. */
export interface DeviceStorage extends Operations {
  /** Whether data survives the page. Becomes false if the data is deleted. */
  readonly durable: boolean
  close: () => void
}

/** How many commits there are room for in the numbers of one database. */
const VERSIONS = 2 ** 32

/** Where the versions of a new database begin: elsewhere than those of one that it replaces. */
export function firstVersion(): number {
  return Math.floor(Math.random() * 2 ** 21) * VERSIONS
}

/** Whether a version is of another database than one that was read before. Those of older versions of the app all begin with 0. */
export function isOfOtherDatabase(version: number, before: number): boolean {
  return version < before || Math.floor(version / VERSIONS) !== Math.floor(before / VERSIONS)
}

export function isSameCursor(a: Cursor | null, b: Cursor | null): boolean {
  return a?.rev === b?.rev && a?.epoch === b?.epoch
}

/** Whether the epoch of an account is known: it begins with the first change. Until then, a device cannot tell what a restore has lost. */
export function hasBegun(cursor: Cursor | null): boolean {
  return cursor !== null && cursor.epoch !== null
}

/**
 * Whether the server certainly knew at the second cursor everything that it knew at the first one: it was not restored in between. Without
 * a first cursor, that cannot be told.
 */
export function isContinued(from: Cursor | null, to: Cursor | null): boolean {
  if (from === null || to === null) return from === to
  if (from.epoch === null) return (to.restores ?? []).length === 0
  return from.epoch === to.epoch && from.rev <= to.rev
}

/** A storage that keeps nothing: its contents live as long as the page. */
export function memoryStorage(): DeviceStorage {
  let version = 0
  let keys: readonly Keys[] = []
  return {
    durable: false,
    readKeys: async () => keys,
    addKeys: async (added) => {
      keys = [...keys, added]
    },
    deleteKeys: async () => {
      keys = []
    },
    read: async () => ({ version, rows: [], outbox: [], rejected: [], cursor: null }),
    count: async () => 0,
    version: async () => version,
    commit: async (_batch, expected) => {
      if (version !== expected) return 'outdated'
      version += 1
      return 'not-kept'
    },
    close: () => {},
  }
}
