import { newId } from '#web/lib/new-id.ts'
import { createStore, type Store } from '#web/lib/store.ts'
import type { Rules } from './schema.ts'
import { memoryStorage, openDatabase, type Storage } from './storage.ts'
import { createSync, type Sync } from './sync.ts'
import { startTriggers, type Triggers } from './triggers.ts'

/** How long the browser's database may take to open, in milliseconds. Some browsers never report a failure. */
const MAX_OPENING_MS = 10_000
/** How long a round waits for those of other tabs, in milliseconds. A suspended tab may never end its own. */
const MAX_LOCK_WAIT_MS = 25_000

/** The data of one user on this device, kept up to date with the server and with this browser's other tabs. */
export interface DeviceSync extends Omit<Sync, 'refresh'> {
  /**
   * Whether another tab has opened the data with a newer version of the app. This page must then be reloaded: it can
   * still show the data, but changes fail, so that forms keep what was typed.
   */
  outdated: Pick<Store<boolean>, 'get' | 'subscribe'>
}

export interface DeviceSyncOptions {
  userId: string
  rules: Rules
  /** URL of the data API. */
  url: string
  /** Sends a request with the owner's credentials; rejects if the owner is not signed in. */
  send: typeof fetch
}

/**
 * Opens a user's data on this device, and synchronises it until it is closed. Without a usable database in this browser,
 * the data lives in the page only (`status().durable` is false). Never rejects.
 */
export async function openSync({ userId, ...options }: DeviceSyncOptions): Promise<DeviceSync> {
  const outdated = createStore(false)
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`intercede-${userId}`)
  let triggers: Triggers | null = null
  let isPersistenceRequested = false

  const create = (storage: Storage) =>
    createSync({
      ...options,
      userId,
      storage,
      newId,
      now: () => new Date(),
      exclusively: async (round) => {
        // The newer tab sends what is waiting, and this page would send it again.
        if (outdated.get()) throw new Error('Another tab uses a newer version of the app.')
        await runExclusively(`intercede-sync-${userId}`, round)
      },
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
      onCommit: () => channel?.postMessage(null),
      onWaiting: () => triggers?.onWaiting(),
    })
  const sync = await openDurable(userId, () => outdated.set(true), create).catch(() =>
    create(memoryStorage()),
  )
  const started = startTriggers(sync)
  triggers = started
  channel?.addEventListener('message', started.onCommitElsewhere)
  return {
    ...sync,
    outdated,
    change: async (change) => {
      await sync.change(change)
      if (!sync.status().durable || isPersistenceRequested) return
      isPersistenceRequested = true
      requestPersistence()
    },
    syncNow: started.run,
    close: () => {
      started.stop()
      channel?.close()
      sync.close()
    },
  }
}

/** Rejects if the browser's database cannot be opened and read. */
async function openDurable(
  userId: string,
  onOutdated: () => void,
  create: (storage: Storage) => Promise<Sync>,
): Promise<Sync> {
  const opening = openDatabase(userId, onOutdated)
  const creating = opening.then(create)
  try {
    return await withTimeout(creating, MAX_OPENING_MS)
  } catch (error) {
    // A connection that is opened too late would keep other tabs from upgrading the database.
    opening.then(
      (storage) => storage.close(),
      () => {},
    )
    throw error
  }
}

async function withTimeout<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The operation took too long.')), milliseconds)
  })
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer))
}

/**
 * Runs one round at a time in this browser. This saves requests, but nothing depends on it: without Web Locks (plain http),
 * or if another tab does not give up its lock, the round runs nevertheless.
 */
async function runExclusively(name: string, round: () => Promise<void>): Promise<void> {
  const { locks }: Partial<Navigator> = navigator
  if (!locks) return round()
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), MAX_LOCK_WAIT_MS)
  let started: Promise<void> | null = null
  const start = () => {
    clearTimeout(timer)
    started = round()
    return started
  }
  await locks.request(name, { signal: waiting.signal }, start).catch(() => started ?? start())
}

/** Asks the browser not to delete the data when space runs out. */
function requestPersistence(): void {
  const { storage }: Partial<Navigator> = navigator
  storage?.persist().catch(() => {})
}
