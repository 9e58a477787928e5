import { isRecord } from '#shared/is-record.ts'
import { newId } from '#web/lib/new-id.ts'
import { createStore, type Store } from '#web/lib/storage/store.ts'
import { openDatabase } from './database.ts'
import { registerDatabase } from './local-databases.ts'
import { rememberedOf } from './sealing/remembered.ts'
import { formatOf, type Rules, tablesOf } from './schema.ts'
import { type Commit, type DeviceStorage, memoryStorage } from './storage.ts'
import { createSyncEngine, type SyncEngine } from './sync-engine.ts'
import { startTriggers, type Triggers } from './triggers.ts'

/** How long a round waits for those of other tabs, in milliseconds. A suspended tab may never end its own. */
const MAX_LOCK_WAIT_MS = 25_000

/** The data of one user on this device, kept up to date with the server and with this browser's other tabs. */
export interface Sync extends Omit<SyncEngine, 'follow' | 'refresh'> {
  /**
   * Whether another tab has opened the data with a newer version of the app. This page must then be reloaded: it can
   * still show the data, but changes fail, so that forms keep what was typed. If that was before this page was opened, its data lives in
   * the page only.
   */
  outdated: Pick<Store<boolean>, 'get' | 'subscribe'>
  /** How much is kept on this device: the number of rows that show, and about how many bytes they take. */
  size: () => { rows: number; bytes: number }
}

export interface SyncOptions {
  userId: string
  rules: Rules
  /** URL of the data API. */
  url: string
  /** Sends a request with the owner's credentials; rejects if the owner is not signed in. */
  send: typeof fetch
  /** See SyncEngineOptions. */
  isAccountDeleted: () => Promise<boolean>
  /** See SyncEngineOptions. */
  isPaused: () => boolean
}

/**
 * Opens a user's data on this device, and synchronises it until it is closed. If this browser cannot or must not store it,
 * the data lives in the page only (`status().durable` is false). Never rejects.
 */
export async function openSync({ userId, ...options }: SyncOptions): Promise<Sync> {
  const outdated = createStore(false)
  const format = formatOf(options.rules)
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`intercede-${userId}`)
  let triggers: Triggers | null = null
  let isPersistenceRequested = false

  const create = (storage: DeviceStorage) =>
    createSyncEngine({
      ...options,
      userId,
      storage,
      remembered: rememberedOf(userId),
      newId,
      now: () => new Date(),
      exclusively: async (round) => {
        // The newer tab sends what is waiting; this page would send it again.
        if (storage.durable && outdated.get()) throw new Error('Another tab uses a newer version of the app.')
        return runExclusively(`intercede-sync-${userId}`, round)
      },
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has a single origin.
      onCommit: (committed) => channel?.postMessage(messageOf(committed, format)),
      onPending: () => triggers?.onPending(),
    })
  /** The browser may have deleted everything: what only this page has is stored again, for the next time the user signs in. */
  const recover = async () => {
    await registerDatabase(userId).catch(() => {})
    triggers?.onDeleted()
  }
  const openDurable = async () => {
    await registerDatabase(userId)
    const storage = await openDatabase(userId, {
      onOutdated: () => outdated.set(true),
      onClosed: () => void recover(),
      onDeleted: () => triggers?.onDeleted(),
    })
    return create(storage).catch((error: unknown) => {
      storage.close()
      throw error
    })
  }
  const sync = await openDurable().catch(() => create(memoryStorage()))
  const started = startTriggers(sync)
  triggers = started
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    started.onCommitElsewhere(isMessage(data, format) ? data : null),
  )
  const stopWarning = warnBeforeLeaving(sync)
  // More updates than the first screen can wait for are read when it has been painted.
  requestAnimationFrame(() => setTimeout(() => void sync.refresh()))
  return {
    ...sync,
    outdated,
    size: () => sizeOf(sync, options.rules),
    change: async (...changes) => {
      await sync.change(...changes)
      if (!sync.status().durable || isPersistenceRequested) return
      isPersistenceRequested = true
      requestPersistence()
    },
    syncNow: started.run,
    close: () => {
      started.stop()
      stopWarning()
      channel?.close()
      sync.close()
    },
  }
}

interface CommitMessage extends Commit {
  format: string
}

/** Null if the other tabs had better read the storage, because there is so much. */
function messageOf(committed: Commit, format: string): CommitMessage | null {
  return committed.batch.clearRows ? null : { ...committed, format }
}

/** Tabs with another version of the app may send something else: then the storage is read. */
function isMessage(value: unknown, format: string): value is CommitMessage {
  return isRecord(value) && value['format'] === format
}

/** Has the browser ask before it leaves the page, while it has changes that are stored nowhere else. */
function warnBeforeLeaving(sync: Pick<SyncEngine, 'status' | 'subscribe'>): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  const update = () => {
    // A listener that is not needed may keep the browser from showing the page again without loading it.
    if (sync.status().unsafe) addEventListener('beforeunload', warn)
    else removeEventListener('beforeunload', warn)
  }
  const unsubscribe = sync.subscribe(update)
  return () => {
    unsubscribe()
    removeEventListener('beforeunload', warn)
  }
}

function sizeOf(
  { status, rows }: Pick<SyncEngine, 'status' | 'rows'>,
  rules: Rules,
): { rows: number; bytes: number } {
  const { durable, rejected } = status()
  if (!durable) return { rows: 0, bytes: 0 }
  const shown = tablesOf(rules).flatMap<unknown>((table) => rows(table))
  return { rows: shown.length, bytes: new Blob([JSON.stringify([shown, rejected])]).size }
}

/**
 * Runs one round at a time in this browser. This saves requests, but no text depends on it: without Web Locks (plain http), or if another
 * tab does not give up its lock, the round runs nevertheless.
 */
async function runExclusively<Result>(name: string, round: () => Promise<Result>): Promise<Result> {
  const { locks }: Partial<Navigator> = navigator
  if (!locks) return round()
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), MAX_LOCK_WAIT_MS)
  return runWithLock(locks, name, waiting.signal, () => {
    clearTimeout(timer)
    return round()
  })
}

/** What synchronising needs of a browser's Web Locks. */
export interface Locks {
  request: <Result>(
    name: string,
    options: { signal: AbortSignal },
    callback: () => Promise<Result>,
  ) => Promise<Result>
}

/** Runs a round when the lock is free, or without it once the signal says that it has waited for too long. */
export async function runWithLock<Result>(
  locks: Locks,
  name: string,
  signal: AbortSignal,
  round: () => Promise<Result>,
): Promise<Result> {
  let started: Promise<Result> | null = null
  const start = () => {
    started = round()
    return started
  }
  return locks.request(name, { signal }, start).catch(() => started ?? start())
}

/** Asks the browser not to delete the data when space runs out. */
function requestPersistence(): void {
  const { storage }: Partial<Navigator> = navigator
  storage?.persist().catch(() => {})
}
