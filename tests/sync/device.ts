import * as fake from 'fake-indexeddb'
import { TABLES } from '#web/data/tables.ts'
import { createStore } from '#web/lib/storage/store.ts'
import type { EncryptedAccount } from '#web/sync/sealing/encrypted-account.ts'
import type { RememberedEncryption } from '#web/sync/sealing/remembered.ts'
import type { NewChange } from '#web/sync/change.ts'
import { deleteDatabase, NO_EVENTS, openDatabase } from '#web/sync/database.ts'
import { runWithLock } from '#web/sync/open-sync.ts'
import type { Commit, Contents, DeviceStorage } from '#web/sync/storage.ts'
import { createSyncEngine, type SyncEngine } from '#web/sync/sync-engine.ts'
import { createLocks } from './locks.ts'
import { type Network, ORIGIN } from './network.ts'

for (const [name, value] of Object.entries(fake)) {
  if (/^idb|^indexedDB$/i.test(name)) Object.defineProperty(globalThis, name, { value, configurable: true })
}
// Loaded later, they would take time the first time only.
await Promise.all([
  import('#web/sync/after-restore.ts'),
  import('#web/sync/conflict-copies.ts'),
  import('#web/sync/sealing/encrypted-account.ts'),
])

/** What a user can do about the encryption of the account. */
export type UserActions = Pick<
  EncryptedAccount,
  'begin' | 'enter' | 'turnOff' | 'goOnWithout' | 'encryptAgain' | 'findPlainTexts' | 'sealPlainTexts'
>

/** One open page of the app. */
export interface Tab {
  sync: Pick<SyncEngine, 'rows' | 'status' | 'refresh' | 'discard'>
  encryption: () => Promise<UserActions>
  /** Starts a round, or has the current one followed by another; does not wait for it. */
  startSync: () => void
  /** Makes changes in one step. Waits until they are stored, or are known to exist in this tab only. */
  change: (...made: readonly NewChange[]) => Promise<{ accepted: Promise<void> }>
  /** Likewise, for a change that was rejected. */
  tryAgain: (rejectedId: string) => Promise<{ accepted: Promise<void> }>
  /** Has a round begin that has waited too long for the lock of another tab. Has no effect in a real browser. */
  stopWaiting: () => void
  kill: () => void | Promise<void>
}

/** A browser: its storage survives when tabs are killed. */
export interface Device {
  tabs: readonly Tab[]
  open: () => Promise<Tab>
  /** How many of the next writes fail because the disk is full. Has no effect in a real browser. */
  failingWrites: number
  /** Whether these are stored nevertheless, and only the failure is wrong. */
  storesFailingWrites: boolean
  /** The user deletes the data of the site, while pages are open. Has no effect in a real browser. */
  deleteSiteData: () => void | Promise<void>
  /** Waits until every tab either rests or waits for the network. */
  quiet: () => Promise<void>
  /** What is stored, whatever the tabs show. */
  stored: () => Promise<Contents>
  /** Ends it, with all its tabs. */
  discard: () => void | Promise<void>
}

export interface DeviceOptions {
  userId: string
  network: Network
  newId: () => string
  now: () => Date
  /** Whether it has Web Locks: not on pages that the browser does not consider secure. */
  hasLocks: boolean
  /** Whether the account is encrypted at times: its pages must then be secure, also without Web Locks. */
  isEncrypted: boolean
  /** Whether its tabs hear of each other's writes, through a BroadcastChannel. */
  hasChannel: boolean
  /** Whether the next of these messages is lost. Has no effect in a real browser. */
  losesMessage: () => boolean
}

export type CreateDevice = (options: DeviceOptions) => Device | Promise<Device>

interface FakeTab extends Tab {
  sync: SyncEngine
}

/** A device in this process, with substitutes for the browser's database, its Web Locks and its BroadcastChannel. */
export function createFakeDevice(options: DeviceOptions): Device {
  const { userId, network, newId, now, hasLocks, hasChannel, losesMessage } = options
  let tabs: readonly FakeTab[] = []
  const active = new Set<Tab>()
  let following = 0
  let wake = () => {}
  /** Browsers share one fake IndexedDB, with databases of other names. One whose data is deleted becomes another one. */
  const newBrowser = () => {
    const name = crypto.randomUUID()
    browsers.push(name)
    return name
  }
  const browsers: string[] = []
  let browser = newBrowser()
  const remembered = createStore<RememberedEncryption | null>(null)
  const locks = createLocks()
  /** Opens the database, and opens it again if the browser has deleted it meanwhile. */
  const openStorage = async (): Promise<DeviceStorage> => {
    let [openedIn, storage] = [browser, await openDatabase(browser, NO_EVENTS)]
    const current = async () => {
      if (openedIn !== browser) [openedIn, storage] = [browser, await openDatabase(browser, NO_EVENTS)]
      return storage
    }
    return {
      durable: true,
      read: async (tables) => (await current()).read(tables),
      count: async (tables) => (await current()).count(tables),
      version: async () => (await current()).version(),
      readKeys: async () => (await current()).readKeys(),
      addKeys: async (keys) => (await current()).addKeys(keys),
      deleteKeys: async () => (await current()).deleteKeys(),
      commit: async (batch, version) => {
        const isFailing = device.failingWrites > 0
        if (isFailing) device.failingWrites -= 1
        const isStored = !isFailing || device.storesFailingWrites
        const result = isStored ? await (await current()).commit(batch, version) : null
        if (result && (!isFailing || result === 'outdated')) return result
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      },
      close: () => storage.close(),
    }
  }
  const follow = async (tab: FakeTab, committed: Commit) => {
    if (tabs.includes(tab)) await tab.sync.follow(committed)
    following -= 1
    wake()
  }
  /** The channel. That of Node.js delivers when it has time: a history would not be the same when it is repeated. */
  const announceCommit = (sender: FakeTab, committed: Commit) => {
    for (const tab of tabs) {
      if (tab === sender || losesMessage()) continue
      following += 1
      setImmediate(() => void follow(tab, structuredClone(committed)))
    }
  }
  const openTab = async (): Promise<FakeTab> => {
    let onPending = () => {}
    let waitingForLock = new AbortController()
    const sync = await createSyncEngine({
      userId,
      rules: TABLES,
      newId,
      now,
      storage: await openStorage(),
      url: ORIGIN.slice(0, -1),
      send: (input, init) => {
        const response = network.sendFor(tab)(input, init)
        wake()
        return response
      },
      isAccountDeleted: async () => false,
      isPaused: () => false,
      remembered,
      exclusively: (round) => {
        if (!hasLocks) return round()
        waitingForLock = new AbortController()
        const ended = runWithLock(locks.of(tab), 'sync', waitingForLock.signal, round)
        wake()
        return ended
      },
      onCommit: (committed) => {
        if (hasChannel) announceCommit(tab, committed)
      },
      onPending: () => onPending(),
    })
    const whenWaiting = async (accept: () => Promise<void>) => {
      const isWaiting = new Promise<void>((resolve) => (onPending = resolve))
      const accepted = accept()
      await isWaiting
      return { accepted }
    }
    const tab: FakeTab = {
      sync,
      encryption: sync.encryption,
      startSync: () => {
        active.add(tab)
        void sync.syncNow().finally(() => {
          active.delete(tab)
          wake()
        })
      },
      change: (...made) => whenWaiting(() => sync.change(...made)),
      tryAgain: (id) => whenWaiting(() => sync.tryAgain(id)),
      stopWaiting: () => waitingForLock.abort(),
      kill: () => {
        sync.close()
        network.cutOff(tab)
        tabs = tabs.filter((each) => each !== tab)
        locks.release(tab)
      },
    }
    return tab
  }
  const isQuiet = () =>
    following === 0 && tabs.every((tab) => !active.has(tab) || network.isWaiting(tab) || locks.isWaiting(tab))
  const device: Device = {
    get tabs() {
      return tabs
    },
    failingWrites: 0,
    storesFailingWrites: false,
    deleteSiteData: async () => {
      // What no open page knows is lost with it.
      const [first, ...others] = tabs
      if (!first) return
      await first.sync.refresh()
      browser = newBrowser()
      // Pages hear of it at once, in any order.
      for (const tab of [...others, first]) await tab.sync.refresh()
    },
    open: async () => {
      const tab = await openTab()
      tabs = [...tabs, tab]
      return tab
    },
    quiet: async () => {
      while (!isQuiet()) await new Promise<void>((resolve) => (wake = resolve))
    },
    stored: async () => {
      const storage = await openStorage()
      const contents = await storage.read()
      storage.close()
      return contents
    },
    discard: async () => {
      for (const tab of tabs) void tab.kill()
      for (const name of browsers) await deleteDatabase(name)
    },
  }
  return device
}
