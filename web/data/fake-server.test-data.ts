import { createStore } from '#web/lib/store.ts'
import type { FakeServer } from '#web/sync/fake-server.test-data.ts'
import { memoryStorage, type Storage } from '#web/sync/storage.ts'
import { createSync } from '#web/sync/sync.ts'
import type { Category } from './categories.ts'
import type { PrayerUpdate } from './prayer-updates.ts'
import type { Prayer } from './prayers.ts'
import type { UserData } from './rows.ts'
import { createUserData, RULES } from './user-data.tsx'

export { connectionLost, failure, FakeServer } from '#web/sync/fake-server.test-data.ts'

export const sampleCategory: Category = {
  id: 'family',
  user_id: 'me',
  name: 'Family',
  order: 1,
  is_visible: true,
  created_at: '2026-01-01T00:00:00+00:00',
  updated_at: '2026-01-01T00:00:00+00:00',
  rev: 1,
}

export const samplePrayer: Prayer = {
  id: 'anna',
  user_id: 'me',
  category_id: 'family',
  person_name: 'Anna',
  note: null,
  resolved: false,
  due_on: null,
  pray_days: null,
  resting_until: null,
  last_prayed_on: null,
  times_prayed: 0,
  answered_on: null,
  answer: null,
  created_at: '2026-01-01T00:00:00+00:00',
  rev: 1,
}

export const sampleUpdate: PrayerUpdate = {
  id: 'update',
  user_id: 'me',
  prayer_id: 'anna',
  body: 'She is better',
  created_at: '2026-01-02T00:00:00+00:00',
  updated_at: '2026-01-02T00:00:00+00:00',
  rev: 1,
}

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
    const sync = await createSync({
      userId: 'me',
      rules: RULES,
      storage: durable ? durableStorage() : memoryStorage(),
      url: 'http://localhost/rest/v1',
      send: server.fetch,
      isAccountDeleted,
      newId: () => `change-${String((ids += 1))}`,
      now: () => new Date('2026-11-03T14:05:00Z'),
      exclusively: (round) => round(),
      onCommit: () => {},
      onWaiting: () => void sync.syncNow(),
    })
    return { ...sync, outdated, size: () => ({ rows: 0, bytes: 0 }) }
  }
  return createUserData('me', open())
}

/** Claims to have stored what it is given. */
function durableStorage(): Storage {
  const memory = memoryStorage()
  let seq = 0
  return {
    ...memory,
    durable: true,
    commit: async (batch, version) => {
      const seqs = await memory.commit(batch, version)
      return seqs && (batch.addChanges ?? []).map(() => (seq += 1))
    },
  }
}
