import { IDBFactory } from 'fake-indexeddb'
import { deleteDB, openDB } from 'idb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { NO_EVENTS, openDatabase } from './database.ts'
import {
  discardKept,
  forgetOthers,
  keepNothing,
  registerDatabase,
  setKeepNothing,
  wipe,
} from './local-databases.ts'
import { rememberedOf } from './sealing/remembered.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import type { Change } from './change.ts'
import type { Contents } from './storage.ts'
import { databaseRegistry, keptData } from './database-registry.ts'

const DAY = 24 * 60 * 60 * 1000
const CURSOR = { rev: 1, epoch: 'epoch-1' }
const ROW = { table: 'prayers', row: { id: 'prayer-1', rev: 1 } } as const

beforeEach(() => {
  stubIndexedDb()
  vi.useFakeTimers({ toFake: ['Date'] })
})

function changeOf(userId: string): Change {
  return {
    id: `change of ${userId}`,
    user_id: userId,
    table: 'prayers',
    row: 'prayer-1',
    kind: 'delete',
    base: {},
    seen: [],
    at: '2026-01-01T00:00:00.000Z',
  }
}

/** Opens a user's data, as far as it matters here, works with it, and closes it. */
async function use(userId: string, { unsaved = 0 } = {}): Promise<Contents> {
  await registerDatabase(userId)
  const storage = await openDatabase(userId, NO_EVENTS)
  const addChanges = Array.from({ length: unsaved }, (_, index) => ({ ...changeOf(userId), id: `${index}` }))
  const contents = await storage.read()
  await storage.commit({ put: [ROW], addChanges, cursor: CURSOR }, contents.version)
  storage.close()
  return contents
}

/** The browser cannot delete databases at present. Returns what ends that. */
function failDeletions(): () => void {
  const deletion = vi.spyOn(IDBFactory.prototype, 'deleteDatabase').mockImplementation(() => {
    throw new DOMException('Not possible', 'UnknownError')
  })
  return () => deletion.mockRestore()
}

async function databases(): Promise<(string | undefined)[]> {
  return (await indexedDB.databases()).map(({ name }) => name)
}

it('leaves nothing of a user who signs out', async () => {
  await use('anna', { unsaved: 1 })
  await wipe('anna')
  expect(await databases()).toEqual([])
  expect(localStorage).toHaveLength(0)
})

it('forgets with it that the prayer key was asked for, but not what else the device has seen of the encryption', async () => {
  const seen = { key: 'none.4', counter: 0, proof: null, seals: false }
  await use('anna', { unsaved: 1 })
  rememberedOf('anna').set({ ...seen, asked: 'key-needed' })
  await forgetOthers(null)
  expect(rememberedOf('anna').get()).toHaveProperty('asked')
  await wipe('anna')
  expect(rememberedOf('anna').get()).toEqual({ ...seen, addresses: [] })
})

it('sends nothing in plain of a user whose memory of the encryption cannot be read, and keeps that of others', () => {
  const seen = { key: 'none.4', counter: 0, proof: null, seals: false }
  localStorage.setItem(
    'intercede-encryption',
    JSON.stringify({ anna: { ...seen, counter: null }, ben: seen }),
  )
  expect(rememberedOf('anna').get()).toMatchObject({ seals: false, asked: 'unproven' })
  expect(rememberedOf('ben').get()).toEqual(seen)
  rememberedOf('ben').set(null)
  expect(rememberedOf('anna').get()).toHaveProperty('asked')
})

it('does not take a user for somebody else who has the same address, and another id, before the user has said so', async () => {
  const signIn = (id: string, email: string) => {
    const session = sessionWith(id, 3600, id)
    storeSession({ ...session, user: { ...session.user, email } })
  }
  signIn('anna', 'anna@example.org')
  rememberedOf('anna').set({ key: '8QJ4T0XN5VKC2MHD.2', counter: 2, proof: null, seals: true })
  signIn('other', 'Anna@example.org')
  expect(rememberedOf('other').get()).toMatchObject({ seals: false, asked: 'unproven' })
  await wipe('other')
  expect(rememberedOf('other').get()).toHaveProperty('asked')
  const answered = { key: 'none.0', counter: 0, proof: null, seals: false }
  rememberedOf('other').set(answered)
  expect(rememberedOf('other').get()).toMatchObject(answered)
  expect(rememberedOf('other').get()).not.toHaveProperty('asked')
  rememberedOf('other').set(null)
  signIn('anna', 'anna@example.com')
  rememberedOf('anna').set({ key: '8QJ4T0XN5VKC2MHD.2', counter: 2, proof: null, seals: true })
  signIn('other', 'anna@example.org')
  expect(rememberedOf('other').get()).toHaveProperty('asked')
  signIn('ben', 'ben@example.org')
  expect(rememberedOf('ben').get()).toBeNull()
  expect(JSON.stringify(localStorage.getItem('intercede-encryption'))).not.toContain('example')
})

it('deletes the data once, although all tabs do so when a user signs out', async () => {
  await use('anna')
  const deletion = vi.spyOn(IDBFactory.prototype, 'deleteDatabase')
  await wipe('anna')
  await wipe('anna')
  expect(deletion).toHaveBeenCalledTimes(1)
})

it('leaves nothing if another tab deletes the data while this one forgets its rows', async () => {
  await use('anna')
  const deleted = deleteDB('intercede-anna')
  const forgotten = forgetOthers(null)
  databaseRegistry.set(null)
  await Promise.all([deleted, forgotten])
  expect(await databases()).toEqual([])
  expect(localStorage).toHaveLength(0)
})

it('deletes later what the browser could not delete at once', async () => {
  await use('anna', { unsaved: 1 })
  const succeed = failDeletions()
  await wipe('anna')
  expect(await databases()).toEqual(['intercede-anna'])
  succeed()
  await forgetOthers(null)
  expect(await databases()).toEqual([])
  expect(localStorage).toHaveLength(0)
})

it('deletes it before the same user opens it again', async () => {
  await use('anna', { unsaved: 1 })
  const succeed = failDeletions()
  await wipe('anna')
  await expect(registerDatabase('anna')).rejects.toThrow('Not possible')
  succeed()
  expect(await use('anna')).toMatchObject({ rows: [], outbox: [] })
})

it('keeps the data of the signed-in user', async () => {
  await use('anna', { unsaved: 1 })
  await forgetOthers('anna')
  expect(await use('anna')).toMatchObject({ rows: [ROW], outbox: [{}], cursor: CURSOR })
  expect(keptData.get()).toBeNull()
})

it('keeps only unsaved changes of other users, and says so', async () => {
  await use('anna', { unsaved: 2 })
  await use('ben', { unsaved: 1 })
  await use('clara')
  await forgetOthers('dora')
  expect(keptData.get()).toBe('unsaved-changes')
  expect(await databases()).toEqual(['intercede-anna', 'intercede-ben'])
  expect(await use('anna')).toMatchObject({ rows: [], outbox: [{}, {}], cursor: null })
})

it('keeps unsaved changes for 30 days after the session has ended, not after the last start', async () => {
  await use('anna', { unsaved: 1 })
  await forgetOthers(null)
  vi.setSystemTime(Date.now() + 30 * DAY - 1)
  await forgetOthers(null)
  expect(keptData.get()).toBe('unsaved-changes')
  vi.setSystemTime(Date.now() + 1)
  await forgetOthers(null)
  expect(keptData.get()).toBeNull()
  expect(await databases()).toEqual([])
})

it('no longer reports unsaved changes that are deleted with their account, but those of others', async () => {
  await use('anna', { unsaved: 2 })
  await use('ben', { unsaved: 1 })
  await forgetOthers(null)
  await wipe('anna')
  await forgetOthers(null)
  expect(keptData.get()).toBe('unsaved-changes')
  await wipe('ben')
  await forgetOthers(null)
  expect(keptData.get()).toBeNull()
})

it('keeps unsaved changes of a user who has signed in again', async () => {
  await use('anna', { unsaved: 1 })
  await forgetOthers(null)
  await use('anna')
  vi.setSystemTime(Date.now() + 31 * DAY)
  await forgetOthers('anna')
  expect(await use('anna')).toMatchObject({ outbox: [{}] })
})

describe('a user whose session the server has lost', () => {
  beforeEach(async () => {
    await use('anna', { unsaved: 1 })
    await forgetOthers(null, 'anna')
  })

  it('has everything kept until the same user has signed in again', async () => {
    expect(keptData.get()).toBe('everything')
    await forgetOthers(null, 'anna')
    await registerDatabase('anna')
    await forgetOthers('anna')
    expect(keptData.get()).toBeNull()
    vi.setSystemTime(Date.now() + 31 * DAY)
    await forgetOthers('anna')
    expect(await use('anna')).toMatchObject({ rows: [ROW], outbox: [{}], cursor: CURSOR })
  })

  it('has it kept for 30 days', async () => {
    vi.setSystemTime(Date.now() + 30 * DAY - 1)
    await forgetOthers(null, 'anna')
    expect(await databases()).toEqual(['intercede-anna'])
    vi.setSystemTime(Date.now() + 1)
    await forgetOthers(null, 'anna')
    expect(keptData.get()).toBeNull()
    expect(await databases()).toEqual([])
  })

  it('has only unsaved changes kept once somebody else has signed in', async () => {
    await use('ben')
    await forgetOthers('ben')
    expect(keptData.get()).toBe('unsaved-changes')
    expect(await use('anna')).toMatchObject({ rows: [], outbox: [{}] })
  })

  it('is kept besides the unsaved changes of others', async () => {
    await use('ben', { unsaved: 1 })
    await forgetOthers(null, 'anna')
    expect(keptData.get()).toBe('everything')
    expect((await use('ben')).rows).toEqual([])
  })

  it('is discarded on request', async () => {
    await discardKept()
    expect(keptData.get()).toBeNull()
    expect(await databases()).toEqual([])
  })
})

it('leaves a database with a newer schema until its time is over', async () => {
  await registerDatabase('anna')
  const newer = await openDB('intercede-anna', 2)
  newer.close()
  await forgetOthers(null)
  expect(await databases()).toEqual(['intercede-anna'])
  vi.setSystemTime(Date.now() + 30 * DAY)
  await forgetOthers(null)
  expect(await databases()).toEqual([])
})

it('discards unsaved changes, but not those of the signed-in user', async () => {
  await use('anna', { unsaved: 1 })
  await forgetOthers('ben')
  await use('ben', { unsaved: 1 })
  await discardKept()
  expect(keptData.get()).toBeNull()
  expect(await databases()).toEqual(['intercede-ben'])
})

it('deletes the data of all users, and stores none, while nothing is to be kept', async () => {
  await use('anna', { unsaved: 1 })
  await use('ben', { unsaved: 1 })
  await forgetOthers('ben')
  await setKeepNothing(true)
  expect(keepNothing.get()).toBe(true)
  expect(keptData.get()).toBeNull()
  expect(await databases()).toEqual([])
  await expect(registerDatabase('ben')).rejects.toThrow('Nothing is kept')
  await wipe('ben')
  expect(keepNothing.get()).toBe(true)
  await setKeepNothing(false)
  await registerDatabase('ben')
})

it('follows the switch in another tab', async () => {
  expect(keepNothing.get()).toBeNull()
  localStorage.setItem('intercede-keep-nothing', 'true')
  await expect(registerDatabase('anna')).rejects.toThrow('Nothing is kept')
})

it.each(['{"anna":"soon"}', '[]', 'anna'])('starts with a registry of another shape: %s', async (text) => {
  localStorage.setItem('intercede-local-databases', text)
  await forgetOthers(null)
  await use('anna')
  expect(await databases()).toEqual(['intercede-anna'])
})

it('does nothing in a browser without IndexedDB', async () => {
  vi.stubGlobal('indexedDB', undefined)
  await expect(registerDatabase('anna')).rejects.toThrow('no IndexedDB')
  await wipe('anna')
  await forgetOthers(null)
  expect(localStorage).toHaveLength(0)
})
