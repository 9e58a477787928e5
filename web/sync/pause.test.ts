import { beforeEach, describe, expect, it } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { failure, FakeServer } from './fake-server.test-data.ts'
import { memoryStorage } from './storage.ts'
import { categoryRow, insertOf, openTab } from './sync.test-data.ts'
import type { SyncEngine } from './sync-engine.ts'

const NEW = insertOf('categories', categoryRow('new', 'Neighbours', 3))

let server: FakeServer
let isPaused: boolean
let requests: number

beforeEach(() => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('categories', categoryRow('family', 'Family', 1))
  isPaused = false
  requests = 0
})

const open = (options: Parameters<typeof openTab>[1] = {}): Promise<SyncEngine> =>
  openTab(server, {
    isPaused: () => isPaused,
    send: (input, init) => {
      requests += 1
      return server.fetch(input, init)
    },
    ...options,
  })

/** Two-factor sign-in was turned on elsewhere: the server asks for a code, and the app learns that with the response. */
function askForCode(): void {
  server.intercept = () => {
    isPaused = true
    return failure(401, 'PT401')
  }
}

function giveCode(): void {
  server.intercept = () => null
  isPaused = false
}

const namesOf = (sync: SyncEngine) => sync.rows('categories').map(({ name }) => name)

describe('when the server asks for the code of two-factor sign-in', () => {
  it('keeps the rows and what waits, rejects nothing, and asks no more until it is given', async () => {
    const sync = await open()
    await sync.syncNow()
    await sync.change(NEW)
    askForCode()
    expect(await sync.syncNow()).toBe(false)
    const asked = requests
    expect(await sync.syncNow()).toBe(false)
    expect(requests).toBe(asked)
    expect(namesOf(sync)).toEqual(['Family', 'Neighbours'])
    expect(sync.status()).toMatchObject({ waiting: 1, rejected: [], error: null, fetching: false })
    giveCode()
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [], error: null })
    expect(server.tables.categories).toHaveLength(2)
  })

  it('does not take what is stored nowhere else back, but saves it later', async () => {
    let onPending = () => {}
    const isPending = new Promise<void>((resolve) => (onPending = resolve))
    const sync = await open({ storage: memoryStorage(), onPending })
    await sync.syncNow()
    askForCode()
    const accepted = sync.change(NEW)
    await isPending
    expect(await sync.syncNow()).toBe(false)
    expect(namesOf(sync)).toEqual(['Family', 'Neighbours'])
    giveCode()
    await sync.syncNow()
    await expect(accepted).resolves.toBeUndefined()
    expect(server.tables.categories).toHaveLength(2)
  })
})

it('sends nothing while the code is missing from the start', async () => {
  isPaused = true
  const sync = await open()
  await sync.change(NEW)
  expect(await sync.syncNow()).toBe(false)
  expect(requests).toBe(0)
  expect(sync.status().waiting).toBe(1)
})
