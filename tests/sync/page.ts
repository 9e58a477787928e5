import { TABLES } from '#web/data/tables.ts'
import { type Sync, openSync } from '#web/sync/open-sync.ts'
import { NO_EVENTS, openDatabase } from '#web/sync/database.ts'
import type { NewChange } from '#web/sync/change.ts'
import type { RowOf, TableName } from '#web/sync/schema.ts'
import type { Contents } from '#web/sync/storage.ts'
import type { SyncStatus } from '#web/sync/sync-engine.ts'

export type Rows = { readonly [Name in TableName]: readonly RowOf<Name>[] }

/** What a tab shows. */
interface Snapshot {
  /** How often it has changed. */
  changes: number
  /** `Rows` as JSON: there may be thousands, which would take long to pass as objects. */
  rows: string
  status: SyncStatus
}

/** The data of a user in a page, as a test uses it from outside. All of it is the app's own code; only the ids are the test's. */
export interface PageData {
  snapshot: () => Snapshot
  /** Null if what the tab shows has not changed since a snapshot with this number. */
  newerSnapshot: (changes: number) => Snapshot | null
  startSync: () => void
  /**
   * @param json a list of `NewChange`
   * @param changeIds those of the changes
   */
  change: (json: string, changeIds: readonly string[]) => Promise<void>
  tryAgain: (rejectedId: string, id: string) => Promise<void>
  discard: Sync['discard']
  encryption: Sync['encryption']
  stored: () => Promise<Contents>
}

declare global {
  var openData: (userId: string, pageId: string) => Promise<PageData>
}

/** The clock stands still. Code that only lets the browser do something else goes on nevertheless. */
const { setTimeout: setTimer } = globalThis
Object.assign(globalThis, {
  setTimeout: (run: () => void, delay?: number) =>
    delay === 0 ? void scheduler.postTask(run) : setTimer(run, delay),
})

globalThis.openData = async (userId, pageId) => {
  const ids: string[] = []
  let count = 0
  const randomUUID = () => ids.shift() ?? pageId.slice(0, -8) + (count += 1).toString(16).padStart(8, '0')
  Object.assign(crypto, { randomUUID })
  const sync = await openSync({
    userId,
    rules: TABLES,
    url: `${location.origin}/rest/v1`,
    send: (input, init) => fetch(input, init),
    isAccountDeleted: async () => false,
    isPaused: () => false,
  })
  let changes = 0
  sync.subscribe(() => (changes += 1))
  const snapshot = (): Snapshot => {
    const rows: Rows = {
      categories: sync.rows('categories'),
      prayers: sync.rows('prayers'),
      prayer_updates: sync.rows('prayer_updates'),
    }
    return { changes, rows: JSON.stringify(rows), status: sync.status() }
  }
  return {
    snapshot,
    newerSnapshot: (known) => (known === changes ? null : snapshot()),
    startSync: () => void sync.syncNow(),
    change: (json, changeIds) => {
      ids.push(...changeIds)
      const made: NewChange[] = JSON.parse(json)
      return sync.change(...made)
    },
    tryAgain: (rejectedId, id) => {
      ids.push(id)
      return sync.tryAgain(rejectedId)
    },
    discard: sync.discard,
    encryption: sync.encryption,
    stored: async () => {
      const storage = await openDatabase(userId, NO_EVENTS)
      const contents = await storage.read()
      storage.close()
      return contents
    },
  }
}
