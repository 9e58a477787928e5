import { createElement, type ReactNode } from 'react'
import { createStore } from '#web/lib/storage/store.ts'
import type { FakeServer } from '#web/sync/fake-server.test-data.ts'
import type { RememberedEncryption } from '#web/sync/sealing/remembered.ts'
import { memoryStorage, type DeviceStorage } from '#web/sync/storage.ts'
import { createSyncEngine } from '#web/sync/sync-engine.ts'
import { type UserData, UserDataContext } from './rows.ts'
import { sampleCategory, samplePrayer, sampleUpdate } from './sample-rows.test-data.ts'
import { TABLES } from './tables.ts'
import { createUserData } from './user-data.tsx'

export { connectionLost, failure, FakeServer } from '#web/sync/fake-server.test-data.ts'

export const family = sampleCategory()

export const anna = samplePrayer({ id: 'anna' })

export const updateOnAnna = sampleUpdate({
  id: 'update',
  prayer_id: 'anna',
  body: 'She is better',
  created_at: '2026-01-02T00:00:00+00:00',
  updated_at: '2026-01-02T00:00:00+00:00',
})

/**
 * Opens the data of the user `me`.
 *
 * @param durable whether the browser can store data
 * @param isAccountDeleted called when the server has nothing any more
 */
export function openData(server: FakeServer, durable = true, isAccountDeleted = async () => false): UserData {
  let ids = 0
  const outdated = createStore(false)
  const open = async () => {
    const sync = await createSyncEngine({
      userId: 'me',
      rules: TABLES,
      storage: durable ? durableStorage() : memoryStorage(),
      url: 'http://localhost/rest/v1',
      send: server.fetch,
      isAccountDeleted,
      isPaused: () => false,
      remembered: createStore<RememberedEncryption | null>(null),
      newId: () => `change-${String((ids += 1))}`,
      now: () => new Date('2026-11-03T14:05:00Z'),
      exclusively: (round) => round(),
      onCommit: () => {},
      onPending: () => void sync.syncNow(),
    })
    return { ...sync, outdated, size: () => ({ rows: 0, bytes: 0 }) }
  }
  return createUserData('me', open())
}

/** The same, after the first round. */
export async function openSynced(server: FakeServer, durable = true) {
  const data = openData(server, durable)
  const sync = await data.opened
  await sync.syncNow()
  return { data, sync }
}

/** Options of `render` and `renderHook` for what shows the data of a user. */
export function withData(data: UserData) {
  return {
    wrapper: ({ children }: { children: ReactNode }) =>
      createElement(UserDataContext, { value: data }, children),
  }
}

/** Claims to have stored what it is given. */
function durableStorage(): DeviceStorage {
  const memory = memoryStorage()
  let seq = 0
  return {
    ...memory,
    durable: true,
    commit: async (batch, version) => {
      const result = await memory.commit(batch, version)
      return result === 'outdated' ? result : { seqs: (batch.addChanges ?? []).map(() => (seq += 1)) }
    },
  }
}
