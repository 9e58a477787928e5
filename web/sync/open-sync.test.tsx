import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { FakeServer } from './fake-server.test-data.ts'
import { setKeepNothing, wipe } from './local-databases.ts'
import { type Sync, openSync } from './open-sync.ts'
import type { NewInsert } from './change.ts'
import { RULES as rules } from './sync.test-data.ts'

const USER = 'user-1'
const NAME = 'intercede-user-1'

const CHANGE: NewInsert<'categories'> = {
  table: 'categories',
  kind: 'insert',
  row: 'category-1',
  fields: { id: 'category-1', user_id: USER, name: 'Family', order: 0, created_at: '2026-01-01T00:00:00Z' },
}

const send = vi.fn<typeof fetch>()
const opened: Sync[] = []

beforeEach(() => {
  stubIndexedDb()
  send.mockRejectedValue(new TypeError('Failed to fetch'))
})

afterEach(() => {
  for (const sync of opened.splice(0)) sync.close()
})

async function open(): Promise<Sync> {
  const url = 'http://127.0.0.1/rest/v1'
  const sync = await openSync({
    userId: USER,
    rules,
    url,
    send,
    isAccountDeleted: async () => false,
    isPaused: () => false,
  })
  opened.push(sync)
  return sync
}

/** From now on, the server responds, which has no rows at first. */
function goOnline(): void {
  const server = new FakeServer()
  server.loseEverything()
  send.mockImplementation(server.fetch)
}

/** Resolves as soon as the data is in a certain state. */
async function until(sync: Sync, condition: () => boolean): Promise<void> {
  if (condition()) return
  await new Promise<void>((resolve) => {
    const unsubscribe = sync.subscribe(() => {
      if (!condition()) return
      unsubscribe()
      resolve()
    })
  })
}

const hasChange = (sync: Sync) => sync.rows('categories').length > 0

it('shows a change in the other tabs', async () => {
  // No tab looks for changes by itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const [first, second] = [await open(), await open()]
  await first.change(CHANGE)
  await until(second, () => hasChange(second))
  expect(second.rows('categories')).toMatchObject([{ name: 'Family' }])
})

it('keeps the sorted rows of a table while another table changes', async () => {
  const sync = await open()
  const prayers = sync.rows('prayers')
  const categories = sync.rows('categories')
  await sync.change(CHANGE)
  expect(sync.rows('prayers')).toBe(prayers)
  expect(sync.rows('categories')).not.toBe(categories)
})

it('sends a change at once', async () => {
  goOnline()
  const sync = await open()
  await sync.change(CHANGE)
  await until(sync, () => sync.status().waiting === 0)
  expect(send.mock.calls.filter(([, init]) => init?.method === 'POST')).toHaveLength(1)
})

it('never rejects a change because the server fails, and sends it within a minute once it does not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  send.mockImplementation(async (_url, init) =>
    init?.method === 'POST'
      ? Response.json({ code: 'XX000', message: 'internal error' }, { status: 500 })
      : Response.json([]),
  )
  const sync = await open()
  await sync.change(CHANGE)
  for (const seconds of [1, 2, 5, 10, 30, 60, 60, 60]) {
    await until(sync, () => !sync.status().fetching)
    await vi.advanceTimersByTimeAsync(seconds * 1000)
  }
  await until(sync, () => !sync.status().fetching)
  expect(send.mock.calls.filter(([, init]) => init?.method === 'POST').length).toBeGreaterThan(5)
  expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
  goOnline()
  await vi.advanceTimersByTimeAsync(60_000)
  await until(sync, () => sync.status().waiting === 0)
  expect(sync.status().rejected).toEqual([])
})

it('reports how much is stored', async () => {
  const sync = await open()
  expect(sync.size()).toEqual({ rows: 0, bytes: '[[],[]]'.length })
  await sync.change(CHANGE)
  expect(sync.size()).toMatchObject({ rows: 1 })
  expect(sync.size().bytes).toBeGreaterThan(40)
})

it('asks the browser once to keep the data', async () => {
  const persist = vi.fn<() => Promise<boolean>>().mockRejectedValue(new TypeError('Not allowed'))
  vi.stubGlobal('navigator', { storage: { persist } })
  const sync = await open()
  expect(persist).not.toHaveBeenCalled()
  await sync.change(CHANGE)
  await sync.change({ ...CHANGE, row: 'category-2' })
  expect(persist).toHaveBeenCalledTimes(1)
})

it.each([
  ['has no IndexedDB', () => vi.stubGlobal('indexedDB', undefined)],
  [
    'does not allow IndexedDB',
    () =>
      vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
        throw new DOMException('Not allowed', 'SecurityError')
      }),
  ],
  [
    'cannot read what is stored',
    () =>
      vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
        throw new DOMException('Not readable', 'UnknownError')
      }),
  ],
  ['must keep nothing', () => setKeepNothing(true)],
])('accepts a change only when the server has it, in a browser that %s', async (_what, prepare) => {
  await prepare()
  const sync = await open()
  expect(sync.status().durable).toBe(false)
  await expect(sync.change(CHANGE)).rejects.toThrow('Failed to fetch')
  expect(hasChange(sync)).toBe(false)
  goOnline()
  await sync.change(CHANGE)
  await until(sync, () => sync.status().waiting === 0)
  expect(sync.rows('categories')).toMatchObject([{ name: 'Family', rev: 2 }])
  expect(sync.size()).toEqual({ rows: 0, bytes: 0 })
})

it('warns before the page is left while a change exists only there', async () => {
  const isWarned = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  const stored = await open()
  await stored.change(CHANGE)
  expect(isWarned()).toBe(false)
  await setKeepNothing(true)
  const sync = await open()
  const change = sync.change(CHANGE)
  expect(isWarned()).toBe(true)
  await expect(change).rejects.toThrow('Failed to fetch')
  expect(isWarned()).toBe(false)
})

it('asks to be reloaded, and neither accepts nor sends changes, after a newer version has upgraded the database', async () => {
  const sync = await open()
  await sync.change(CHANGE)
  const newer = await openDB(NAME, 3)
  expect(sync.outdated.get()).toBe(true)
  goOnline()
  send.mockClear()
  await expect(sync.change({ ...CHANGE, row: 'category-2' })).rejects.toThrow('newer version')
  expect(sync.rows('categories')).toHaveLength(1)
  expect(send).not.toHaveBeenCalled()
  newer.close()
})

it('works without the database if a newer version has upgraded it before', async () => {
  const newer = await openDB(NAME, 3)
  newer.close()
  goOnline()
  const sync = await open()
  expect(sync.outdated.get()).toBe(true)
  expect(sync.status().durable).toBe(false)
  await sync.change(CHANGE)
  expect(hasChange(sync)).toBe(true)
})

it('shows what the server has, and stores nothing, after another tab has deleted the data', async () => {
  const sync = await open()
  await sync.change(CHANGE)
  goOnline()
  await wipe(USER)
  await until(sync, () => sync.status().complete)
  expect(sync.status()).toMatchObject({ durable: false, waiting: 0 })
  expect(sync.outdated.get()).toBe(false)
  expect(hasChange(sync)).toBe(false)
  await sync.change(CHANGE)
  expect(hasChange(sync)).toBe(true)
  expect(await indexedDB.databases()).toEqual([])
})

it('runs one round at a time in all tabs', async () => {
  const request = vi.fn<LockManager['request']>().mockImplementation(() => new Promise(() => {}))
  vi.stubGlobal('navigator', { locks: { request } })
  goOnline()
  const sync = await open()
  expect(request.mock.calls[0]?.[0]).toBe('intercede-sync-user-1')
  expect(sync.status()).toMatchObject({ fetching: true, complete: false })
  expect(send).not.toHaveBeenCalled()
})

it('runs a round after 25 seconds if another tab does not give up its lock', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const request = vi.fn<(name: string, options: LockOptions) => Promise<void>>()
  request.mockImplementation(
    (_name, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
      }),
  )
  vi.stubGlobal('navigator', { locks: { request } })
  goOnline()
  const sync = await open()
  await vi.advanceTimersByTimeAsync(25_000)
  await until(sync, () => sync.status().complete)
  expect(sync.status().error).toBeNull()
})

it('reports why a round with the lock has failed, and does not repeat it without', async () => {
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, _options: unknown, round: () => unknown) => round() },
  })
  const sync = await open()
  await until(sync, () => sync.status().error !== null)
  expect(sync.status().error?.message).toContain('Failed to fetch')
  const rounds = send.mock.calls.filter(([input]) => new Request(input).url.includes('sync_state'))
  expect(rounds).toHaveLength(1)
})
