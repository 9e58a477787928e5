import * as fake from 'fake-indexeddb'
import type { NewChange, Rules } from '#web/sync/schema.ts'
import { openDatabase } from '#web/sync/database.ts'
import type { Contents, Storage } from '#web/sync/storage.ts'
import { createSync, type Sync } from '#web/sync/sync.ts'
import { type Network, ORIGIN } from './network.ts'

for (const [name, value] of Object.entries(fake)) {
  if (name.startsWith('IDB')) Object.defineProperty(globalThis, name, { value, configurable: true })
}

/** One open page of the app. */
export interface Tab {
  sync: Sync
  /** Whether a round runs that does not wait for the network. */
  isActive: () => boolean
  /** Starts a round, or has the current one followed by another; does not wait for it. */
  startSync: () => void
  /** Waits until the change is stored, or is known to exist in this tab only. */
  change: (made: NewChange) => Promise<{ accepted: Promise<void> }>
  /** Likewise, for a change that was rejected. */
  tryAgain: (rejectedId: string) => Promise<{ accepted: Promise<void> }>
}

/** A browser: its storage survives when tabs are killed. */
export interface Device {
  tabs: readonly Tab[]
  open: () => Promise<Tab>
  kill: (tab: Tab) => void
  /** How many of the next writes fail because the disk is full. */
  failingWrites: number
  /** What is stored, whatever the tabs show. */
  stored: () => Promise<Contents>
}

export interface DeviceOptions {
  userId: string
  rules: Rules
  network: Network
  newId: () => string
  now: () => Date
  /** Called when a round has ended. */
  onRest: () => void
}

export function createDevice({ userId, rules, network, newId, now, onRest }: DeviceOptions): Device {
  const browser = new fake.IDBFactory()
  const killed = new Set<Tab>()
  const openStorage = async (): Promise<Storage> => {
    globalThis.indexedDB = browser
    const storage = await openDatabase(userId, { onOutdated: () => {}, onDeleted: () => {} })
    return {
      ...storage,
      commit: async (batch, version) => {
        if (device.failingWrites === 0) return storage.commit(batch, version)
        device.failingWrites -= 1
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      },
    }
  }
  const openTab = async (): Promise<Tab> => {
    let isSyncing = false
    let onWaiting = () => {}
    const sync = await createSync({
      userId,
      rules,
      newId,
      now,
      storage: await openStorage(),
      url: ORIGIN.slice(0, -1),
      send: network.sendFor(() => tab),
      isAccountDeleted: async () => false,
      // Without a lock, as on pages that the browser does not consider secure.
      exclusively: (round) => round(),
      onCommit: () => {},
      onWaiting: () => onWaiting(),
    })
    const whenWaiting = async (accept: () => Promise<void>) => {
      const isWaiting = new Promise<void>((resolve) => (onWaiting = resolve))
      const accepted = accept()
      await isWaiting
      return { accepted }
    }
    const tab: Tab = {
      sync,
      isActive: () => isSyncing && !network.isWaiting(tab) && !killed.has(tab),
      startSync: () => {
        isSyncing = true
        void sync.syncNow().finally(() => {
          isSyncing = false
          onRest()
        })
      },
      change: (made) => whenWaiting(() => sync.change(made)),
      tryAgain: (id) => whenWaiting(() => sync.tryAgain(id)),
    }
    return tab
  }
  const device: Device = {
    tabs: [],
    failingWrites: 0,
    open: async () => {
      const tab = await openTab()
      device.tabs = [...device.tabs, tab]
      return tab
    },
    kill: (tab) => {
      tab.sync.close()
      network.cutOff(tab)
      killed.add(tab)
      device.tabs = device.tabs.filter((each) => each !== tab)
    },
    stored: async () => {
      const storage = await openStorage()
      const contents = await storage.read()
      storage.close()
      return contents
    },
  }
  return device
}
