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

/** What can be done with it. */
export interface Operations {
  read: () => Promise<Contents>
  version: () => Promise<number>
  /** Resolves when the writes are safe; to null if the cursor had moved. Rejects if nothing was written. */
  commit: (batch: Batch) => Promise<Commit | null>
}

/** Where the data of one user is kept. */
export interface Storage extends Operations {
  /** Whether data survives the page. Becomes false if the data is deleted. */
  readonly durable: boolean
  close: () => void
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
