import { IDBFactory } from 'fake-indexeddb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { isRecord } from '#shared/is-record.ts'
import { TRANSFER_TIMEOUT_MS } from '#web/lib/fetch-with-timeout.ts'
import { createStore } from '#web/lib/storage/store.ts'
import { stubIndexedDb } from '../browser-database.test-data.ts'
import { deleteDatabase } from '../database.ts'
import { connectionLost, failure, FakeServer } from '../fake-server.test-data.ts'
import {
  categoryRow,
  deleteOf,
  insertOf,
  openTab,
  prayerRow,
  sendChanges,
  updateOf,
  updateRow,
} from '../sync.test-data.ts'
import type { Row } from '../schema.ts'
import { requireRow } from '../server.ts'
import { memoryStorage } from '../storage.ts'
import type { SyncEngine } from '../sync-engine.ts'
import { isKeyNeeded } from './account-state.ts'
import { plainColumns, UNREADABLE } from './encryption-status.ts'
import { type RememberedEncryption, urlOf } from './remembered.ts'
import { makePrayerKey } from './prayer-key.ts'
import { deriveKeys, openText } from './sealed-text.ts'

const WORDS = /Wanderlust|Zebedee|Quince|Marigold|Pemberley|Fandango|Wisteria/
const KEY = await makePrayerKey()
const OTHER_KEY = await makePrayerKey()

let server: FakeServer

beforeEach(() => {
  stubIndexedDb()
  server = new FakeServer()
  fillServer()
})

function fillServer() {
  server.put('categories', categoryRow('family', 'Wanderlust', 1))
  server.put('prayers', { ...prayerRow('anna', 'Quince'), person_name: 'Zebedee' })
  server.put('prayer_updates', updateRow('news', 'anna', 'Marigold'))
}

/** A browser, whose pages share a database and what is remembered. */
function createDevice() {
  const browser = new IDBFactory()
  const remembered = createStore<RememberedEncryption | null>(null)
  const requests: string[] = []
  const sentWhileOn: string[] = []
  const send: typeof fetch = async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : ''
    requests.push(body)
    if (remembered.get()?.seals) sentWhileOn.push(body)
    const left = device.diesAt - requests.length
    if (left < 0 || (left === 0 && device.losesRequest)) connectionLost()
    const response = await server.fetch(input, init)
    if (left === 0) connectionLost()
    if (!response.ok || response.status === 204 || init?.method === 'GET') return response
    return Response.json(device.forgeWritten(await response.json()), response)
  }
  const run = <Result>(work: () => Promise<Result>) => {
    vi.stubGlobal('indexedDB', browser)
    return work()
  }
  const device = {
    remembered,
    requests,
    send,
    /** Since it has known that the account is encrypted. */
    sentWhileOn,
    /** The number of its last request, of which no response comes back. */
    diesAt: Infinity,
    losesRequest: false,
    /** What it gets in place of a response to a write. */
    forgeWritten: (json: unknown) => json,
    run,
    open: (options: { fails?: () => boolean } = {}) =>
      run(async () => {
        const sync = await openTab(server, { remembered, send, ...options })
        await sync.syncNow()
        return sync
      }),
  }
  return device
}

type Device = ReturnType<typeof createDevice>

/** A device that has turned encryption on, with its page. */
async function encrypted(): Promise<{ device: Device; sync: SyncEngine }> {
  const device = createDevice()
  const sync = await device.open()
  await device.run(async () => (await sync.encryption()).begin(KEY))
  await sync.syncNow()
  expect(server.keys).toMatchObject([{ state: 'on' }])
  device.requests.length = 0
  return { device, sync }
}

/** A device that has begun to encrypt, but has replaced no text yet. */
async function interrupted(): Promise<{ device: Device; sync: SyncEngine }> {
  const device = createDevice()
  const sync = await device.open()
  await device.run(async () => (await sync.encryption()).begin(KEY))
  server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
  await sync.syncNow()
  expect(server.keys).toMatchObject([{ state: 'encrypting' }])
  server.intercept = () => null
  return { device, sync }
}

/** All texts that a device has sent, as they were before they were sealed with `KEY`. */
async function sentTexts(device: Device, ids: readonly string[]): Promise<readonly string[]> {
  const keys = await Promise.all(server.keys.map(({ key_id }) => deriveKeys(KEY, 'me', key_id)))
  const sealed = new Set(device.requests.join().match(/enc1\.[^"]+/g))
  const places = (['category', 'person', 'text'] as const).flatMap((kind) => ids.map((id) => ({ kind, id })))
  const all = [...sealed].flatMap((text) =>
    keys.flatMap((own) => places.map((place) => openText(own, place, text))),
  )
  return (await Promise.all(all)).filter((text) => text !== null)
}

const onServer = () => JSON.stringify(server.tables)
const shown = (sync: SyncEngine) =>
  JSON.stringify([sync.rows('categories'), sync.rows('prayers'), sync.rows('prayer_updates')])
const stateOf = (sync: SyncEngine) => sync.status().encryption.state
const enter = async (sync: SyncEngine, typed = KEY) => {
  const entered = await (await sync.encryption()).enter(typed)
  await sync.syncNow()
  return entered
}

describe('turning on', () => {
  it('replaces all texts on the server, and shows them as before', async () => {
    const { sync } = await encrypted()
    expect(onServer()).not.toMatch(WORDS)
    expect(shown(sync)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
    expect(sync.status()).toMatchObject({ error: null, encryption: { state: 'on', replacing: null } })
  })

  it('seals what is typed from then on, and opens it when it is stored by another page', async () => {
    const { device, sync } = await encrypted()
    await sendChanges(
      sync,
      insertOf('prayers', { ...prayerRow('ben', 'Pemberley'), person_name: 'Fandango' }),
      updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' }),
      updateOf('prayer_updates', 'news', { body: 'Fandango' }, { body: 'Marigold' }),
    )
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(onServer() + device.requests.join()).not.toMatch(WORDS)
    const next = await device.open()
    expect(stateOf(next)).toBe('on')
    expect(shown(next)).toBe(shown(sync))
  })

  it('goes on after an interruption, also in another page', async () => {
    const { device } = await interrupted()
    const next = await device.open()
    expect(server.keys).toMatchObject([{ state: 'on' }])
    expect(onServer()).not.toMatch(WORDS)
    expect(shown(next)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
  })

  it('goes on on another device with the key once the user asks for it', async () => {
    await interrupted()
    const other = await createDevice().open()
    await enter(other)
    expect(other.status().encryption.replacing).toMatchObject({ isWaiting: true })
    expect(onServer()).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
    const account = await other.encryption()
    const found = await account.findPlainTexts()
    expect(found).toHaveLength(4)
    await account.sealPlainTexts(found)
    await other.syncNow()
    expect(server.keys).toMatchObject([{ state: 'on' }])
    expect(onServer()).not.toMatch(WORDS)
  })

  it('seals texts that only begin like sealed ones, and gives them back when it is turned off', async () => {
    server.put('prayers', { ...prayerRow('anna', 'enc1. is no language'), person_name: 'enc2.Zebedee' })
    const { sync } = await encrypted()
    expect(onServer()).not.toMatch(/is no language|Zebedee/)
    expect(shown(sync)).toMatch(/enc2\.Zebedee.*enc1\. is no language/)
    await (await sync.encryption()).turnOff()
    await sync.syncNow()
    expect(server.keys).toMatchObject([{ state: 'off' }])
    expect(shown(sync)).toMatch(/enc2\.Zebedee.*enc1\. is no language/)
    await sendChanges(sync, updateOf('prayers', 'anna', { person_name: 'enc1.8QJ4T0XN5VKC2MHD.AAAA' }))
    expect(sync.status().rejected).toMatchObject([{ message: 'A text begins like an encrypted one.' }])
  })

  it('replaces what another device writes meanwhile', async () => {
    const device = createDevice()
    const sync = await device.open()
    await device.run(async () => (await sync.encryption()).begin(KEY))
    server.intercept = ({ path }) => {
      if (path !== 'rpc/replace_texts') return null
      server.intercept = () => null
      server.put('prayers', { ...prayerRow('anna', 'Fandango'), person_name: 'Zebedee' })
      return null
    }
    await sync.syncNow()
    expect(onServer()).not.toMatch(WORDS)
    expect(shown(sync)).toContain('Fandango')
  })

  it('goes on, and leaves the server alone, while there is no space to store that a change was saved', async () => {
    const device = createDevice()
    let isFull = false
    const sync = await device.open({ fails: () => isFull })
    await device.run(async () => (await sync.encryption()).begin(KEY))
    await sync.change(insertOf('categories', categoryRow('other', 'Fandango', 2)))
    isFull = true
    device.diesAt = device.requests.length + 50
    expect(await sync.syncNow()).toBe(true)
    expect(server.keys).toMatchObject([{ state: 'on' }])
    expect(onServer()).not.toMatch(WORDS)
    expect(shown(sync)).toContain('Fandango')
  })

  it('does not make a second key if the response was lost', async () => {
    const device = createDevice()
    const sync = await device.open()
    const account = await sync.encryption()
    server.intercept = ({ path }) => {
      if (path !== 'rpc/set_encryption_key') return null
      server.intercept = ({ path: next }) => (next === 'encryption_keys' ? connectionLost() : null)
      return null
    }
    await expect(account.begin(KEY)).rejects.toThrow('Failed to fetch')
    server.intercept = () => null
    await device.run(() => account.begin(KEY))
    await sync.syncNow()
    expect(server.keys).toMatchObject([{ state: 'on' }])
  })

  it('does not ask for a key that it has just made, even if the response was lost', async () => {
    const device = createDevice()
    await device.run(async () => {
      const sync = await device.open()
      device.diesAt = device.requests.length + 4
      await expect((await sync.encryption()).begin(KEY)).rejects.toThrow('Failed to fetch')
      expect(server.keys).toMatchObject([{ state: 'encrypting' }])
      device.diesAt = Infinity
      await sync.syncNow()
      expect(stateOf(sync)).toBe('on')
    })
    expect(stateOf(await device.open())).toBe('on')
  })
})

it.each([true, false])(
  'goes on in a new page when the old one is killed at any request (which the server never gets: %s)',
  async (losesRequest) => {
    const otherKey = await makePrayerKey()
    const turnOnAndOff = async (device: Device) => {
      const sync = await device.open()
      const rounds = async () => {
        for (let round = 0; round < 3; round += 1) await sync.syncNow()
      }
      const account = await sync.encryption()
      // The user has written down the key that the device did not keep.
      if (stateOf(sync) === 'key-needed') await account.enter(server.keys.length === 1 ? KEY : otherKey)
      // It never learned that this was its own doing.
      if (stateOf(sync) === 'turned-off') await account.goOnWithout()
      for (const [index, key] of [KEY, otherKey].entries()) {
        if (server.keys.length <= index) await account.begin(key)
        await rounds()
      }
      const isOn = stateOf(sync) === 'on'
      expect(isOn ? onServer() : '').not.toMatch(WORDS)
      if (isOn) await account.turnOff()
      await rounds()
      return sync
    }
    for (let diesAt = 1, isKilled = true; isKilled; diesAt += 1) {
      server = new FakeServer()
      fillServer()
      const device = Object.assign(createDevice(), { diesAt, losesRequest })
      isKilled = false
      await device.run(async () => {
        const killed = await turnOnAndOff(device).catch((error: unknown) => {
          // What a page expects after it was killed does not matter.
          if (device.requests.length < diesAt) throw error
        })
        killed?.close()
        isKilled = device.requests.length >= diesAt
        device.diesAt = Infinity
        const sync = await turnOnAndOff(device)
        expect(stateOf(sync)).toBe('off')
        expect(shown(sync)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
        expect(onServer()).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
      })
    }
  },
)

/** Encrypts the account, gives it another key and decrypts it, and types a text after each of these steps. What is done is left out. */
async function walk(sync: SyncEngine, lastStep = 2): Promise<void> {
  const account = await sync.encryption()
  const rounds = async () => {
    for (let round = 0; round < 2; round += 1) await sync.syncNow()
  }
  const type = async (id: string, body: string) => {
    if (sync.rows('prayer_updates').some((row) => row.id === id)) return
    const { rev: _rev, ...row } = updateRow(id, 'anna', body)
    // Without space, it is accepted when the server has it.
    await Promise.all([sync.change(insertOf('prayer_updates', row)), sync.syncNow()])
  }
  await rounds()
  if (stateOf(sync) === 'key-needed') await account.enter(KEY)
  if (stateOf(sync) === 'key-needed') await account.enter(OTHER_KEY)
  await rounds()
  for (const [index, key] of [KEY, OTHER_KEY].slice(0, lastStep + 1).entries()) {
    if (server.keys.length <= index) await account.begin(key)
    await type(`typed-${String(index)}`, ['Pemberley', 'Fandango'][index] ?? '')
    await rounds()
  }
  if (lastStep < 2) return
  if (stateOf(sync) === 'on') await account.turnOff()
  await rounds()
  await type('typed-2', 'Wisteria')
}
const ALL_TEXTS = ['Wanderlust', 'Zebedee', 'Quince', 'Marigold', 'Pemberley', 'Fandango', 'Wisteria']

it.each([
  ['at one write', 1],
  ['from one write on', Infinity],
])(
  'sends nothing plain while it is on, and everything in the end, if the device is full %s',
  async (_when, count) => {
    for (let first = 1, isReached = true; isReached; first += 1) {
      server = new FakeServer()
      fillServer()
      const device = createDevice()
      await device.run(async () => {
        let writes = 0
        let hasSpace = false
        const fails = () => {
          writes += 1
          return !hasSpace && writes >= first && writes < first + count
        }
        const sync = await device.open({ fails })
        // The user tries again what has failed.
        for (let attempt = 0; attempt < 2; attempt += 1) await walk(sync).catch(() => {})
        isReached = writes >= first
        hasSpace = true
        await walk(sync)
        sync.close()
        const next = await device.open()
        await next.syncNow()
        expect(stateOf(next)).toBe('off')
        for (const text of ALL_TEXTS) {
          expect(shown(next).split(text), `${text}, full at write ${String(first)}`).toHaveLength(2)
          expect(onServer().split(text)).toHaveLength(2)
        }
        expect(device.sentWhileOn.join()).not.toMatch(WORDS)
      })
    }
  },
)

/** Runs rounds, and does what the user is asked for meanwhile. */
async function consent(sync: SyncEngine): Promise<void> {
  const account = await sync.encryption()
  for (let round = 0; round < 5; round += 1) {
    await sync.syncNow()
    const state = stateOf(sync)
    if (isKeyNeeded({ state })) for (const key of [KEY, OTHER_KEY]) await account.enter(key)
    if (state === 'restored') await account.encryptAgain()
    if (state === 'turned-off') await account.goOnWithout()
    if (sync.status().encryption.replacing?.isWaiting)
      await account.sealPlainTexts(await account.findPlainTexts())
  }
}

it.each([
  ['encrypted', 0],
  ['encrypted with another key', 1],
  ['decrypted', 2],
])(
  'loses and doubles no text, and leaves none plain, after a restore to a time before any step until the account was %s',
  async (_state, lastStep) => {
    for (let step = 0, steps = 1; step < steps; step += 1) {
      server = new FakeServer()
      fillServer()
      const [device, other] = [createDevice(), createDevice()]
      const backups: (() => void)[] = []
      server.intercept = ({ method }) => {
        if (method !== 'GET') backups.push(server.backUp())
        return null
      }
      const sync = await device.open()
      await device.run(() => walk(sync, lastStep))
      const second = await other.open()
      await other.run(() => consent(second))
      server.intercept = () => null
      steps = backups.length
      backups[step]?.()
      for (let turn = 0; turn < 2; turn += 1) {
        await device.run(() => consent(sync))
        await other.run(() => consent(second))
      }
      const where = `restored to before change ${String(step + 1)} of ${String(steps)}`
      for (const page of [sync, second]) {
        expect(page.status(), where).toMatchObject({ waiting: 0, rejected: [], error: null })
        const shownTexts = shown(page).match(/(?<=")[A-Z][a-z]+(?=")/g)
        expect(shownTexts?.toSorted(), where).toEqual(ALL_TEXTS.slice(0, 5 + lastStep).toSorted())
      }
      // If the user has turned it off last, the backup says whether it is on.
      const isOn = lastStep < 2 || stateOf(sync) === 'on'
      expect([stateOf(sync), stateOf(second)], where).toEqual(isOn ? ['on', 'on'] : ['off', 'off'])
      expect(isOn ? onServer() : '', where).not.toMatch(WORDS)
      expect(device.sentWhileOn.join() + other.sentWhileOn.join(), where).not.toMatch(WORDS)
    }
  },
)

describe('another device', () => {
  it('shows, sends and receives nothing before the key was entered', async () => {
    await encrypted()
    const device = createDevice()
    const sync = await device.open()
    expect(stateOf(sync)).toBe('key-needed')
    expect(sync.status()).toMatchObject({ complete: false, error: null })
    expect(await enter(sync, await makePrayerKey())).toBeNull()
    expect(await enter(sync, 'nonsense')).toBeNull()
    expect(stateOf(sync)).toBe('key-needed')
    expect(await device.run(() => enter(sync))).toBe('current')
    expect(shown(sync)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
  })

  it('asks for the key before the server has said more of it than its name, and shows the first rows when it was entered without fetching them again', async () => {
    await encrypted()
    const device = createDevice()
    const states: unknown[] = []
    const send: typeof fetch = (input, init) => {
      if (urlOf(input).includes('/encryption_keys?')) states.push(stateOf(sync))
      return device.send(input, init)
    }
    const sync = await device.run(() => openTab(server, { remembered: device.remembered, send }))
    await device.run(() => sync.syncNow())
    expect(states).toEqual(['key-needed'])
    server.intercept = ({ path }) => (path === 'sync_state' ? null : connectionLost())
    await device.run(() => enter(sync))
    expect(sync.status()).toMatchObject({ complete: false })
    expect(shown(sync)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
  })

  it('keeps what was typed before it knew, and sends it sealed', async () => {
    const other = createDevice()
    const sync = await other.open()
    const before = shown(sync)
    await encrypted()
    await other.run(() =>
      sendChanges(sync, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' })),
    )
    expect(sync.status()).toMatchObject({ waiting: 1, rejected: [], error: null })
    expect(stateOf(sync)).toBe('key-needed')
    expect(before).toContain('Quince')
    await other.run(() => enter(sync))
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(onServer()).not.toMatch(WORDS)
    expect(shown(sync)).toContain('Pemberley')
  })

  it('asks for the key again after the keys were deleted, and remembers that the account is encrypted', async () => {
    const { device } = await encrypted()
    const emptied = { ...device, run: createDevice().run }
    const sync = await emptied.run(() => openTab(server, { remembered: device.remembered }))
    server.keys = []
    await sendChanges(sync, insertOf('categories', categoryRow('other', 'Fandango', 2)))
    expect(stateOf(sync)).toBe('restored-key-needed')
    expect(onServer()).not.toMatch(WORDS)
    expect(await enter(sync, await makePrayerKey())).toBeNull()
    expect(await enter(sync)).toBe('current')
    expect(stateOf(sync)).toBe('restored')
    await (await sync.encryption()).encryptAgain()
    while (!(await sync.syncNow()));
    expect(server.keys).toMatchObject([{ state: 'on' }])
    expect(onServer()).not.toMatch(WORDS)
    expect(shown(sync)).toMatch(/Wanderlust.*Fandango.*Zebedee.*Quince/)
  })
})

it('sends nothing on a page without https, where browsers encrypt nothing', async () => {
  await encrypted()
  vi.stubGlobal('crypto', {})
  const device = createDevice()
  const sync = await device.open()
  await sendChanges(sync, insertOf('categories', categoryRow('other', 'Fandango', 2)))
  expect(stateOf(sync)).toBe('insecure')
  expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
  expect(device.requests.join()).not.toMatch(WORDS)
})

describe('what is typed while the account waits for the user', () => {
  /** The database deletes what a key has sealed that is given up. */
  const giveUpElsewhere = () => {
    server.keys = server.keys.map((key) => ({ ...key, state: 'abandoned', proof: null, counter: 9 }))
    server.removeAll('prayers', ['anna'])
    server.removeAll('categories', ['family'])
  }
  const renaming = updateOf('categories', 'family', { name: 'Fandango' }, { name: 'Wanderlust' })
  const type = (device: Device, sync: SyncEngine) => device.run(() => sync.change(renaming))
  const goOn = async (device: Device, sync: SyncEngine) => {
    await device.run(async () => (await sync.encryption()).goOnWithout())
    await device.run(() => sync.syncNow())
  }
  const expectNothingSent = (device: Device) => expect(device.requests.join()).not.toMatch(WORDS)

  it('is not sent plain when the key was given up elsewhere, before the user agrees', async () => {
    const device = createDevice()
    const sync = await device.open()
    await encrypted()
    await device.run(() => sendChanges(sync, renaming))
    expect(stateOf(sync)).toBe('key-needed')
    // It had not heard of the key.
    device.requests.length = 0
    giveUpElsewhere()
    const page = await device.open()
    expect(stateOf(page)).toBe('unproven')
    expect(shown(page)).toMatch(/Fandango.*Quince/)
    expectNothingSent(device)
    await goOn(device, page)
    expect(page.status()).toMatchObject({ waiting: 0, rejected: [{ fields: { name: 'Fandango' } }] })
  })

  it('is not sent by another page, nor after a reload, where the key was given up before this device had heard of it', async () => {
    const device = createDevice()
    const [sync, other] = [await device.open(), await device.open()]
    await encrypted()
    giveUpElsewhere()
    await device.run(() => sync.syncNow())
    expect(stateOf(sync)).toBe('unproven')
    expect(shown(sync)).toContain('Quince')
    await type(device, sync)
    await device.run(() => other.syncNow())
    expect(stateOf(await device.open())).toBe('unproven')
    expectNothingSent(device)
    await goOn(device, sync)
    expect(stateOf(sync)).toBe('off')
    expect(sync.rows('prayers')).toEqual([])
  })

  it.each([false, true])(
    'is not sent after a reload although only the name of the key had arrived, on a new device: %s',
    async (isNew) => {
      const device = createDevice()
      if (!isNew) (await device.open()).close()
      await encrypted()
      server.intercept = ({ path }) => (path === 'encryption_keys' ? connectionLost() : null)
      const sync = await device.open()
      expect(stateOf(sync)).toBe('key-needed')
      await type(device, sync)
      server.intercept = () => null
      expect(stateOf(await device.open())).toBe('key-needed')
      expectNothingSent(device)
    },
  )

  it('is not sent because the answer did not reach the server, nor because a page that stores nothing was opened', async () => {
    const device = createDevice()
    const sync = await device.open()
    await encrypted()
    giveUpElsewhere()
    await device.run(() => sync.syncNow())
    await type(device, sync)
    server.intercept = connectionLost
    await expect(goOn(device, sync)).rejects.toBeInstanceOf(Error)
    server.intercept = () => null
    const { remembered, send } = device
    const page = await device.run(() => openTab(server, { remembered, send, storage: memoryStorage() }))
    await device.run(() => page.syncNow())
    await device.run(() => sync.syncNow())
    expect([stateOf(page), stateOf(sync)]).toEqual(['unproven', 'unproven'])
    expectNothingSent(device)
  })

  it('is not sent by another page that knows of an earlier key', async () => {
    const { sync: first } = await encrypted()
    await (await first.encryption()).turnOff()
    while (!(await first.syncNow()));
    const device = createDevice()
    const [sync, other] = [await device.open(), await device.open()]
    await (await first.encryption()).begin(OTHER_KEY)
    while (!(await first.syncNow()));
    await device.run(() => sync.syncNow())
    expect(stateOf(sync)).toBe('key-needed')
    await type(device, sync)
    await device.run(() => other.syncNow())
    expectNothingSent(device)
  })

  it('is not sent in an account that was empty, to a server that was restored to before the key', async () => {
    for (const table of ['prayer_updates', 'prayers', 'categories'] as const)
      server.removeAll(table, ['news', 'anna', 'family'])
    const device = createDevice()
    const sync = await device.open()
    const restore = server.backUp()
    await encrypted()
    await device.run(() => sync.syncNow())
    await device.run(() => sync.change(insertOf('categories', categoryRow('x', 'Fandango', 1))))
    restore()
    await device.open()
    expectNothingSent(device)
  })

  it('is not sent to a server that has named a key and then says that there is none', async () => {
    const device = createDevice()
    const sync = await device.open()
    const named = { rev: 5, floor: 0, epoch: 'epoch 1', restores: [], key: '8QJ4T0XN5VKC2MHD.2' }
    server.intercept = ({ path }) => (path === 'sync_state' ? Response.json([named]) : null)
    let isTyped = false
    sync.subscribe(() => {
      if (stateOf(sync) !== 'key-needed' || isTyped) return
      isTyped = true
      void type(device, sync)
    })
    await device.run(() => sync.syncNow())
    server.intercept = () => null
    await device.run(() => sync.syncNow())
    expect(sync.status().waiting).toBe(1)
    expectNothingSent(device)
  })
})

it('does not ask a new device about a key that was given up long ago', async () => {
  await encrypted()
  server.keys = server.keys.map((key) => ({ ...key, state: 'abandoned', proof: null, counter: 9 }))
  expect(stateOf(await createDevice().open())).toBe('off')
})

it('gives a key up although the list of keys arrives late', async () => {
  await encrypted()
  let arrives = false
  server.intercept = ({ path, body }) => {
    if (path === 'encryption_keys' && !arrives) connectionLost()
    if (path !== 'rpc/abandon_encryption_key' || !isRecord(body)) return null
    const ended = { state: 'abandoned', proof: null, counter: Number(body['counter']) }
    server.keys = server.keys.map((key) => ({ ...key, ...ended }))
    return new Response(null, { status: 204 })
  }
  const device = createDevice()
  const sync = await device.open()
  expect(stateOf(sync)).toBe('key-needed')
  arrives = true
  await device.run(async () => (await sync.encryption()).abandon())
  expect(stateOf(sync)).toBe('off')
})

describe('before the server was asked,', () => {
  const reopened = async (device: Device) => {
    const sync = await device.run(() =>
      openTab(server, { remembered: device.remembered, send: async () => connectionLost() }),
    )
    const before = stateOf(sync)
    await sync.syncNow()
    return [before, stateOf(sync)]
  }

  it('a device knows whether it has sent sealed texts, and has the key', async () => {
    const { device, sync } = await encrypted()
    expect(await reopened(device)).toEqual(['on', 'on'])
    expect(await reopened({ ...device, run: createDevice().run })).toEqual(['key-needed', 'key-needed'])
    server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
    await (await sync.encryption()).turnOff()
    expect(await reopened(device)).toEqual(['ending', 'ending'])
    server.intercept = () => null
    while (!(await sync.syncNow()));
    expect(await reopened(device)).toEqual(['off', 'off'])
  })

  it('a device with the key is encrypted although it could not remember it', async () => {
    const { device } = await encrypted()
    device.remembered.set(null)
    expect(await reopened(device)).toEqual(['on', 'on'])
  })
})

describe('turning off', () => {
  it('replaces all texts by what was typed, and asks other devices before they go on', async () => {
    const { sync } = await encrypted()
    const other = createDevice()
    const second = await other.open()
    await other.run(() => enter(second))
    await (await sync.encryption()).turnOff()
    await sync.syncNow()
    expect(server.keys).toMatchObject([{ state: 'off' }])
    expect(onServer()).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
    expect(stateOf(sync)).toBe('off')

    const changes = server.changes.length
    await sendChanges(second, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' }))
    expect(stateOf(second)).toBe('turned-off')
    expect(
      server.changes
        .slice(changes)
        .map(({ body }) => JSON.stringify(body))
        .join(),
    ).not.toMatch(WORDS)
    await other.run(async () => (await second.encryption()).goOnWithout())
    await second.syncNow()
    expect(onServer()).toContain('Pemberley')
    expect(stateOf(second)).toBe('off')
  })

  it('is proven to a device that has lost the key once that is entered', async () => {
    const { device, sync } = await encrypted()
    await (await sync.encryption()).turnOff()
    const remembered = createStore(device.remembered.get())
    remembered.set({ key: `${server.keys[0]?.key_id ?? ''}.2`, counter: 2, proof: 'x', seals: true })
    await sync.syncNow()
    const next = await createDevice().run(() => openTab(server, { remembered, send: device.send }))
    await next.syncNow()
    expect(stateOf(next)).toBe('turned-off-key-needed')
    expect(await enter(next, await makePrayerKey())).toBeNull()
    expect(await enter(next)).toBe('current')
    expect(stateOf(next)).toBe('turned-off')
    await (await next.encryption()).goOnWithout()
    await next.syncNow()
    expect(stateOf(next)).toBe('off')
  })

  it('asks for the key of a time to which the server was restored', async () => {
    const { sync } = await encrypted()
    const restore = server.backUp()
    await (await sync.encryption()).turnOff()
    await sync.syncNow()
    restore()
    await sync.syncNow()
    expect(sync.status().encryption).toMatchObject({ state: 'key-needed', neededKey: 'earlier' })
  })

  it('can be followed by another key', async () => {
    const { device, sync } = await encrypted()
    await (await sync.encryption()).turnOff()
    await sync.syncNow()
    await device.run(async () => (await sync.encryption()).begin(await makePrayerKey()))
    await sync.syncNow()
    expect(server.keys).toMatchObject([{ state: 'off' }, { state: 'on' }])
    expect(onServer()).not.toMatch(WORDS)
  })
})

it('seals all texts with a new key, which other devices ask for', async () => {
  const { device, sync } = await encrypted()
  const other = createDevice()
  const second = await other.open()
  await other.run(() => enter(second))
  const newKey = await makePrayerKey()
  await device.run(async () => (await sync.encryption()).begin(newKey))
  await sync.syncNow()
  await sync.syncNow()
  const [former, current] = server.keys
  expect([former?.state, current?.state]).toEqual(['replaced', 'on'])
  expect(onServer()).not.toContain(`enc1.${former?.key_id ?? ''}`)
  await second.syncNow()
  expect(second.status().encryption).toMatchObject({ state: 'key-needed', neededKey: 'later' })
  expect(await other.run(() => enter(second))).toBe('earlier')
  await other.run(() => enter(second, newKey))
  expect(shown(second)).toBe(shown(sync))
  server.intercept = () => connectionLost()
  const typed = [newKey.toLowerCase(), KEY, OTHER_KEY, 'Wanderlust']
  const recognized = async (page: SyncEngine) => Promise.all(typed.map((await page.encryption()).recognize))
  expect(await recognized(second)).toEqual(['current', 'earlier', null, null])
  // Offline, it only knows the current one.
  expect(await recognized(await device.open())).toEqual(['current', null, null, null])
})

it('keeps the keys that two pages enter at the same time', async () => {
  const { sync } = await encrypted()
  const newKey = await makePrayerKey()
  server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
  await (await sync.encryption()).begin(newKey)
  await sync.syncNow()
  const device = createDevice()
  const pages = [await device.open(), await device.open()] as const
  const accounts = await Promise.all(pages.map((page) => page.encryption()))
  await device.run(() => Promise.all([accounts[0]?.enter(KEY), accounts[1]?.enter(newKey)]))
  const next = await device.open()
  expect(stateOf(next)).toBe('on')
  expect(shown(next)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
})

it('needs the earlier key to finish a new one that another device has begun', async () => {
  const { sync } = await encrypted()
  const newKey = await makePrayerKey()
  server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
  await (await sync.encryption()).begin(newKey)
  await sync.syncNow()
  server.intercept = () => null
  const device = createDevice()
  const next = await device.open()
  await device.run(() => enter(next, newKey))
  expect(next.status().encryption).toMatchObject({ state: 'on', replacing: { isKeyMissing: true } })
  await device.run(() => enter(next))
  while (!(await device.run(() => next.syncNow())));
  expect(next.status().encryption).toMatchObject({ state: 'on', replacing: null })
  expect(shown(next)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
})

describe('an earlier key that is lost while a new one takes its place', () => {
  /** Another device, on which keys are given up as the database does it, and the page of the one that has both. */
  const otherDevice = async () => {
    const { sync: first } = await encrypted()
    server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
    await (await first.encryption()).begin(OTHER_KEY)
    await first.syncNow()
    server.intercept = ({ path, body }) => {
      if (path !== 'rpc/abandon_encryption_key' || !isRecord(body)) return null
      const ended = { state: 'abandoned', proof: null, counter: Number(body['counter']) }
      server.keys = server.keys.map((key) => (key.key_id === body['key_id'] ? { ...key, ...ended } : key))
      const { family = 'Category' } = isRecord(body['category_names']) ? body['category_names'] : {}
      server.put('categories', categoryRow('family', String(family), 1))
      server.removeAll('prayers', ['anna'])
      return null
    }
    const device = createDevice()
    return { first, device, sync: await device.open() }
  }

  it('can be given up, so that the new one can be finished', async () => {
    const { device, sync } = await otherDevice()
    await device.run(() => enter(sync, OTHER_KEY))
    expect(sync.status().encryption.replacing).toMatchObject({ isKeyMissing: true })
    await device.run(async () => (await sync.encryption()).abandon())
    while (!(await device.run(() => sync.syncNow())));
    expect(server.keys).toMatchObject([{ state: 'abandoned' }, { state: 'on' }])
    expect(sync.status().encryption).toMatchObject({ state: 'on', replacing: null, isGivenUp: false })
    expect(sync.rows('categories')).toMatchObject([{ name: 'Category' }])
    expect(onServer()).not.toContain('Category')
  })

  it('is given up by a device that has it once the user agrees: before, it shows what will be deleted', async () => {
    const { first, device, sync } = await otherDevice()
    await device.run(() => enter(sync, OTHER_KEY))
    await device.run(async () => (await sync.encryption()).abandon())
    await first.syncNow()
    expect(first.status().encryption).toMatchObject({ state: 'restored', isGivenUp: true })
    expect(shown(first)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
    await (await first.encryption()).acceptDeletion()
    while (!(await first.syncNow()));
    expect(first.status().encryption).toMatchObject({ state: 'on', replacing: null, isGivenUp: false })
    expect(first.rows('prayers')).toEqual([])
    expect(server.keys).toMatchObject([{ state: 'abandoned' }, { state: 'on' }])
  })

  it('leaves plain texts alone that others have put there when a device agrees that it was given up', async () => {
    const { first, device, sync } = await otherDevice()
    await device.run(() => enter(sync, OTHER_KEY))
    await device.run(async () => (await sync.encryption()).abandon())
    while (!(await device.run(() => sync.syncNow())));
    const thirdKey = await makePrayerKey()
    server.intercept = ({ path, body }) =>
      path === 'rpc/set_encryption_key' && JSON.stringify(body).includes('"on"') ? connectionLost() : null
    await device.run(async () => (await sync.encryption()).begin(thirdKey))
    await device.run(() => sync.syncNow())
    expect(server.keys).toMatchObject([
      { state: 'abandoned' },
      { state: 'encrypting' },
      { state: 'replaced' },
    ])
    await first.syncNow()
    expect(first.status().encryption).toMatchObject({ state: 'key-needed', isGivenUp: true })
    await enter(first, thirdKey)
    expect(stateOf(first)).toBe('restored')
    server.put('categories', categoryRow('family', 'Gullible', 1))
    await (await first.encryption()).acceptDeletion()
    await first.syncNow()
    expect(stateOf(first)).toBe('on')
    expect(onServer()).toContain('Gullible')
  })

  it('is not given up if another key than the one that was shown is in use by then', async () => {
    const { device, sync } = await otherDevice()
    const account = await device.run(() => sync.encryption())
    server.keys = server.keys.map((key) => ({ ...key, key_id: `${key.key_id}X` }))
    await expect(device.run(() => account.abandon())).rejects.toThrow('changed on another device')
    expect(server.keys).toMatchObject([{ state: 'on' }, { state: 'encrypting' }])
  })

  it('is given up before the new one if both are', async () => {
    const { device, sync } = await otherDevice()
    await device.run(async () => (await sync.encryption()).abandon())
    await device.run(() => sync.syncNow())
    expect(server.keys.map(({ state, counter }) => [state, counter])).toEqual([
      ['abandoned', 4],
      ['abandoned', 5],
    ])
    expect(stateOf(sync)).toBe('off')
    expect(sync.rows('categories')).toMatchObject([{ name: 'Category' }])
  })
})

it('keeps the key that was entered after a restore also if the page is closed before the user agrees', async () => {
  const device = createDevice()
  const sync = await device.open()
  const other = createDevice()
  const page = await other.open()
  const restore = server.backUp()
  await device.run(async () => (await sync.encryption()).begin(KEY))
  while (!(await sync.syncNow()));
  restore()
  await other.run(async () => {
    await page.syncNow()
    await (await page.encryption()).begin(OTHER_KEY)
    while (!(await page.syncNow()));
  })
  await device.run(async () => {
    await sync.syncNow()
    expect(await enter(sync, OTHER_KEY)).toBe('current')
    sync.close()
    const next = await device.open()
    expect(stateOf(next)).toBe('restored')
    await (await next.encryption()).encryptAgain()
    while (!(await next.syncNow()));
  })
  expect(server.keys).toMatchObject([{ state: 'on' }])
})

describe('a device that has the key, but could not remember that the account is encrypted,', () => {
  it.each([
    ['sends sealed texts only', false, 'on'],
    ['sends nothing before the user agrees if the server hides the key', true, 'unproven'],
  ])('%s', async (_what, isHidden, state) => {
    const { device, sync } = await encrypted()
    sync.close()
    device.remembered.set(null)
    const next = await device.run(() => openTab(server, { remembered: device.remembered, send: device.send }))
    if (isHidden) server.keys = []
    await sendChanges(next, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' }))
    expect(device.requests.join()).not.toMatch(WORDS)
    expect(stateOf(next)).toBe(state)
  })
})

it('imports no text that could not be read once it is plain', async () => {
  const { sync } = await encrypted()
  const account = await sync.encryption()
  const name = 'enc1.8QJ4T0XN5VKC2MHD.Zebedee'
  const rows = { categories: [{ id: 'odd', name }], prayers: [] }
  await expect(account.importRows(rows)).rejects.toThrow('begins like an encrypted one')
})

it('waits for an import as long as the server may take', async () => {
  const { device, sync } = await encrypted()
  const limits = vi.spyOn(AbortSignal, 'timeout')
  server.intercept = ({ path }) => (path === 'rpc/import_sealed' ? Response.json({}) : null)
  const account = await sync.encryption()
  await account.importRows({ categories: [{ id: 'friends', name: 'Friends' }], prayers: [] })
  expect(limits.mock.calls).toEqual([[TRANSFER_TIMEOUT_MS]])
  expect(device.requests).toHaveLength(1)
})

it('opens what only an earlier key opens, once that is entered', async () => {
  const { device, sync } = await encrypted()
  const [anna] = server.tables.prayers
  await device.run(async () => (await sync.encryption()).begin(await makePrayerKey()))
  while (!(await sync.syncNow()));
  if (!anna) throw new Error('There is no prayer.')
  const note = anna['note'] ?? null
  const newKey = await makePrayerKey()
  await device.run(async () => (await sync.encryption()).begin(newKey))
  while (!(await sync.syncNow()));
  const other = createDevice()
  const second = await other.open()
  await other.run(() => enter(second, newKey))
  server.put('prayers', { ...(server.tables.prayers[0] ?? anna), note })
  await second.syncNow()
  expect(second.rows('prayers')).toMatchObject([{ person_name: 'Zebedee', note: UNREADABLE }])
  expect(await other.run(() => enter(second))).toBe('current')
  expect(second.rows('prayers')).toMatchObject([{ person_name: 'Zebedee', note: 'Quince' }])
  expect(onServer()).not.toMatch(WORDS)
})

it('seals texts that others have put there only when the user asks for it, also with a new key', async () => {
  const { device, sync } = await encrypted()
  const account = await sync.encryption()
  expect(await account.findPlainTexts()).toEqual([])
  const [anna] = server.tables.prayers
  if (!anna) throw new Error('There is no prayer.')
  server.put('prayers', { ...anna, note: 'Pemberley' })
  await sync.syncNow()
  expect(shown(sync)).toContain('Pemberley')
  await device.run(async () => account.begin(await makePrayerKey()))
  await sync.syncNow()
  expect(onServer()).toContain('Pemberley')
  expect(server.keys).toMatchObject([{ state: 'encrypting' }, { state: 'replaced' }])
  const found = await account.findPlainTexts()
  expect(found).toMatchObject([{ id: 'anna', text: 'Pemberley' }])
  await account.sealPlainTexts(found)
  expect(onServer()).not.toMatch(WORDS)
  while (!(await sync.syncNow()));
  expect(server.keys).toMatchObject([{ state: 'replaced' }, { state: 'on' }])
})

describe('texts that others have put there', () => {
  const marks = (sync: SyncEngine) =>
    (['categories', 'prayers', 'prayer_updates'] as const).map((table) => sync.rows(table).map(plainColumns))
  const NONE = [[[]], [[]], [[]]]
  /** Puts three of them into an encrypted account. */
  const withPlainTexts = async () => {
    const opened = await encrypted()
    expect(marks(opened.sync)).toEqual(NONE)
    server.put('prayers', { ...prayerRow('anna', 'Pemberley'), person_name: 'Fandango' })
    server.put('prayer_updates', updateRow('news', 'anna', 'Wisteria'))
    await opened.sync.syncNow()
    return opened
  }

  it('are marked, also by a page that opens without the server, until they are typed anew', async () => {
    const { device, sync } = await withPlainTexts()
    const marked = [[[]], [['person_name', 'note']], [['body']]]
    expect(marks(sync)).toEqual(marked)
    server.intercept = connectionLost
    const next = await device.open()
    expect(marks(next)).toEqual(marked)
    await next.change(
      updateOf('prayers', 'anna', { note: 'Quince' }, { note: 'Pemberley' }),
      updateOf('prayer_updates', 'news', { body: 'Wisteria' }, { body: 'Wisteria' }),
    )
    expect(marks(next)).toEqual([[[]], [['person_name']], [[]]])
    server.intercept = () => null
    await next.syncNow()
    expect(marks(next)).toEqual([[[]], [['person_name']], [[]]])
    expect(onServer()).toContain('Fandango')
    await sendChanges(next, updateOf('prayers', 'anna', { person_name: 'Fandango' }))
    expect(marks(next)).toEqual(NONE)
    expect(onServer()).not.toMatch(WORDS)
    expect(shown(next)).toMatch(/Fandango.*Quince.*Wisteria/)
  })

  it('are no longer marked once texts are not encrypted any more', async () => {
    const { sync } = await withPlainTexts()
    await (await sync.encryption()).turnOff()
    while (!(await sync.syncNow()));
    expect(stateOf(sync)).toBe('off')
    await sync.syncNow()
    expect(marks(sync)).toEqual(NONE)
  })

  it('are not sealed because a restored server lacks them, but kept for the user to decide', async () => {
    const { device, sync } = await encrypted()
    const restore = server.backUp()
    const person_name = server.tables.prayers[0]?.['person_name'] ?? null
    server.put('prayer_updates', updateRow('more', 'anna', 'Wisteria'))
    server.put('prayers', { ...prayerRow('anna', 'Fandango'), person_name, resolved: true })
    await sync.syncNow()
    restore()
    await sync.syncNow()
    expect(server.tables).toMatchObject({ prayers: [{ resolved: true }], prayer_updates: [{ id: 'news' }] })
    expect(shown(sync)).toMatch(/Zebedee.*Quince/)
    expect(sync.status().rejected).toMatchObject([
      { row: 'anna', fields: { note: 'Fandango' }, reason: 'restored' },
      { row: 'more', fields: { body: 'Wisteria' }, reason: 'deleted', isPlain: true },
    ])
    expect((await sentTexts(device, ['anna'])).join()).not.toMatch(/Wisteria|Fandango/)
    expect(device.requests.join()).not.toContain('"plain"')
  })

  it('keep nothing else of their rows from a restored server, nor what is below them', async () => {
    const { device, sync } = await encrypted()
    const restore = server.backUp()
    const ben = { ...prayerRow('ben', 'Pemberley'), person_name: 'Fandango', category_id: 'work' }
    await sendChanges(
      sync,
      insertOf('categories', categoryRow('work', 'Wisteria', 2)),
      insertOf('prayers', ben),
      insertOf('prayers', { ...ben, id: 'carla' }),
      insertOf('prayer_updates', updateRow('more', 'carla', 'Marigold')),
    )
    const put = (table: 'categories' | 'prayers', id: string, texts: Partial<Row>) => {
      const row = server.tables[table].find((each) => each.id === id)
      if (row) server.put(table, requireRow({ ...row, ...texts }))
    }
    put('categories', 'work', { name: 'Gullible' })
    put('prayers', 'ben', { note: 'Gullible' })
    put('prayers', 'carla', { person_name: 'Gullible' })
    await sync.syncNow()
    server.intercept = connectionLost
    await sendChanges(
      sync,
      updateOf('prayers', 'ben', { note: 'Pemberley' }, { note: 'Gullible' }),
      updateOf('prayers', 'carla', { person_name: 'Zebedee' }, { person_name: 'Gullible' }),
    )
    server.intercept = () => null
    restore()
    while (!(await sync.syncNow()));
    expect(server.tables.categories.map(({ id }) => id)).toEqual(['family', 'work'])
    expect(shown(sync)).toMatch(
      /Name missing after a restore.*Fandango.*Pemberley.*Zebedee.*Pemberley.*Marigold/,
    )
    expect(sync.status()).toMatchObject({
      waiting: 0,
      rejected: [
        { row: 'work', fields: { name: 'Gullible' }, reason: 'restored', isPlain: true },
        { row: 'ben', fields: { note: 'Gullible' }, reason: 'restored', isPlain: true },
        { row: 'carla', fields: { person_name: 'Gullible' }, reason: 'restored', isPlain: true },
      ],
    })
    expect((await sentTexts(device, ['work', 'ben', 'carla'])).join()).not.toContain('Gullible')
  })

  it('are not sealed when the server says that it was restored, and the user encrypts again', async () => {
    const { sync } = await encrypted()
    const [anna] = server.tables.prayers
    if (!anna) throw new Error('There is no prayer.')
    server.put('prayers', { ...anna, note: 'Fandango' })
    await sync.syncNow()
    server.keys = []
    await sync.syncNow()
    expect(stateOf(sync)).toBe('restored')
    await (await sync.encryption()).encryptAgain()
    while (!(await sync.syncNow()));
    expect(server.tables.prayers).toMatchObject([{ note: 'Fandango' }])
    expect(marks(sync)).toEqual([[[]], [['note']], [[]]])
  })
})

describe('a name that is not encrypted yet on a device that waits, and that a restored server lacks,', () => {
  const ben = { ...prayerRow('ben', 'Pemberley'), person_name: 'Fandango', category_id: 'work' }
  const CHANGED = '2026-02-01T00:00:00+00:00'
  /** A device that has begun to encrypt, and one that waits for it, before a restore to a time without a category and its prayer. */
  const restored = async () => {
    const [device, other] = [createDevice(), createDevice()]
    const sync = await device.open()
    const restore = server.backUp()
    await sendChanges(
      sync,
      insertOf('categories', categoryRow('work', 'Wisteria', 2)),
      insertOf('prayers', { ...ben, note_changed_at: CHANGED }),
      insertOf('prayers', { ...ben, id: 'carla', note_changed_at: null }),
      insertOf('prayer_updates', updateRow('hired', 'ben', 'Gratitude')),
    )
    const restoreNewer = server.backUp()
    server.intercept = ({ path }) => (path === 'rpc/replace_texts' ? connectionLost() : null)
    await device.run(async () => (await sync.encryption()).begin(KEY))
    await sync.syncNow()
    const waiting = await other.open()
    await other.run(() => enter(waiting))
    expect(waiting.status().encryption.replacing).toMatchObject({ isWaiting: true })
    server.intercept = () => null
    restore()
    return { device, sync, other, waiting, restoreNewer }
  }
  const withoutWrites: FakeServer['intercept'] = ({ method, path }) =>
    method === 'GET' || path.startsWith('rpc') ? null : connectionLost()
  /** The device that waits has a question only until it knows that the names are the user's. */
  const expectNames = (sync: SyncEngine, waiting: SyncEngine) => {
    expect(shown(sync)).toMatch(/Wisteria.*Fandango.*Pemberley.*Gratitude/)
    expect(shown(waiting)).toBe(shown(sync))
    for (const each of [sync, waiting]) expect(each.status()).toMatchObject({ waiting: 0, rejected: [] })
    const dates = server.tables.prayers.map((row) => [row.id, row['note_changed_at'] ?? row['created_at']])
    const expected = { anna: ben.created_at, ben: CHANGED, carla: ben.created_at }
    expect(Object.fromEntries(dates)).toEqual(expected)
  }

  it('takes the place of its stand-in when another device sends it', async () => {
    const { device, sync, other, waiting } = await restored()
    await other.run(() => consent(waiting))
    expect(shown(waiting)).not.toMatch(/Wisteria|Fandango/)
    const texts = { person_name: 'Fandango', note: 'Pemberley' }
    const kept = [{ name: 'Wisteria' }, texts, texts, { body: 'Gratitude' }]
    expect(waiting.status().rejected).toMatchObject(kept.map((fields) => ({ fields, isPlain: true })))
    // The database takes a time for that of a note only if it is another one.
    const sent = server.tables.prayers.find(({ id }) => id === 'ben')
    expect(sent).toMatchObject({
      note: null,
      note_changed_at: expect.not.stringMatching(CHANGED.slice(0, 10)),
    })
    await device.run(() => consent(sync))
    await other.run(() => consent(waiting))
    expectNames(sync, waiting)
  })

  it('takes the place of its stand-in that is sent while another device sends it', async () => {
    const { device, sync, other, waiting } = await restored()
    server.intercept = withoutWrites
    await device.run(() => consent(sync))
    expect(sync.status().waiting).toBeGreaterThan(0)
    server.intercept = () => null
    await other.run(() => consent(waiting))
    await device.run(() => consent(sync))
    await other.run(() => consent(waiting))
    expectNames(sync, waiting)
  })

  it('stays if the stand-in is sent after it', async () => {
    const { device, sync, other, waiting } = await restored()
    server.intercept = withoutWrites
    await other.run(() => consent(waiting))
    expect(waiting.status().waiting).toBeGreaterThan(0)
    server.intercept = () => null
    await device.run(() => consent(sync))
    await other.run(() => consent(waiting))
    await device.run(() => consent(sync))
    expectNames(sync, waiting)
  })

  it('is what the user has typed on another device meanwhile', async () => {
    const { device, sync, other, waiting } = await restored()
    server.intercept = connectionLost
    await device.run(() => sendChanges(sync, updateOf('prayers', 'ben', { person_name: 'Quince' })))
    server.intercept = () => null
    await other.run(() => consent(waiting))
    await device.run(() => consent(sync))
    expect(shown(sync)).toMatch(/Wisteria.*Quince.*Pemberley/)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is not replaced by its stand-in after another restore', async () => {
    const { device, sync, other, waiting, restoreNewer } = await restored()
    await other.run(() => consent(waiting))
    restoreNewer()
    await other.run(() => consent(waiting))
    expect(JSON.stringify(waiting.status().rejected)).not.toContain('Name missing')
    await device.run(() => consent(sync))
    expectNames(sync, waiting)
  })
})

describe('a server that lies', () => {
  it('needs a proof by the key for saying that encryption was turned off, also of a device that has lost the key', async () => {
    const { device } = await encrypted()
    const signedInAgain = { ...device, run: createDevice().run }
    const { keys } = server
    server.keys = keys.map((key) => ({ ...key, state: 'off', counter: 9, proof: 'x' }))
    const sync = await signedInAgain.run(() =>
      openTab(server, { remembered: device.remembered, send: device.send }),
    )
    await sendChanges(sync, insertOf('categories', categoryRow('other', 'Fandango', 2)))
    expect(stateOf(sync)).toBe('turned-off-key-needed')
    await signedInAgain.run(() => enter(sync))
    expect(stateOf(sync)).toBe('forged')
    server.keys = keys
    await sync.syncNow()
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(device.requests.join() + onServer()).not.toMatch(WORDS)
  })

  it.each([
    ['that texts are left', () => failure(400, 'IC003')],
    ['that it has failed', () => failure(500, 'XX000')],
  ])('gets no text sealed of its own by saying %s when all are sealed', async (_lie, respond) => {
    const device = createDevice()
    const sync = await device.open()
    await device.run(async () => (await sync.encryption()).begin(KEY))
    const lie: FakeServer['intercept'] = ({ path, body }) =>
      path === 'rpc/set_encryption_key' && JSON.stringify(body).includes('"on"') ? respond() : null
    server.intercept = lie
    await sync.syncNow()
    expect(onServer()).not.toMatch(WORDS)
    server.put('prayers', { ...prayerRow('anna', 'Gullible'), person_name: 'Gullible' })
    await sync.syncNow()
    await (await device.open()).syncNow()
    expect(server.keys).toMatchObject([{ state: 'encrypting' }])
    expect(server.tables.prayers).toMatchObject([{ person_name: 'Gullible', note: 'Gullible' }])

    const other = createDevice()
    const second = await other.open()
    await other.run(() => enter(second))
    expect(server.tables.prayers).toMatchObject([{ person_name: 'Gullible', note: 'Gullible' }])
    expect(await (await sync.encryption()).findPlainTexts()).toHaveLength(2)
  })

  it('gets nothing sealed that it does not show, or shows only after the user has looked', async () => {
    const { sync } = await encrypted()
    const account = await sync.encryption()
    const [anna] = server.tables.prayers
    if (!anna) throw new Error('There is no prayer.')
    server.put('prayers', { ...anna, note: 'Gullible' })
    expect(await account.findPlainTexts()).toEqual([])
    await sync.syncNow()
    const found = await account.findPlainTexts()
    expect(found).toEqual([{ table: 'prayers', id: 'anna', column: 'note', text: 'Gullible' }])
    server.put('prayers', { ...anna, note: 'Swapped', answer: 'Gullible' })
    await sync.syncNow()
    await account.sealPlainTexts(found)
    expect(server.tables.prayers).toMatchObject([{ note: 'Swapped', answer: 'Gullible' }])
    await account.sealPlainTexts(await account.findPlainTexts())
    expect(onServer()).not.toMatch(/Swapped|Gullible/)
  })

  it('gets nothing plain when it makes the user give up a key that nobody has', async () => {
    const { device, sync } = await encrypted()
    const { keys } = server
    server.keys = [...keys, { user_id: 'me', key_id: 'OTHER', state: 'on', counter: 9, proof: 'x' }]
    await sync.syncNow()
    expect(await enter(sync)).toBe('earlier')
    server.intercept = ({ path }) => {
      if (path === 'rpc/abandon_encryption_key')
        server.keys = server.keys.map((key) => ({ ...key, state: 'abandoned', proof: null, counter: 10 }))
      return null
    }
    await (await sync.encryption()).abandon()
    server.restore()
    await sync.syncNow()
    expect(stateOf(sync)).toBe('unproven')
    expect(device.requests.join()).not.toMatch(WORDS)
  })

  const forgeAll = (forge: (row: Readonly<Record<string, unknown>>) => unknown) => (json: unknown) =>
    Array.isArray(json) ? json.filter(isRecord).map(forge) : json
  it.each([
    [
      'texts of its own',
      forgeAll((row) => ({ ...row, person_name: 'Gullible', note: 'Gullible', body: 'Gullible' })),
    ],
    ['one text in place of another', forgeAll((row) => ({ ...row, note: row['person_name'] }))],
    ['another row', forgeAll((row) => ({ ...row, id: 'anna', note: 'Gullible' }))],
    ['no row', forgeAll(() => null)],
    ['nothing', () => []],
  ])(
    'gets nothing plain, and nothing of its own sealed, with %s in responses to writes',
    async (_lie, forge) => {
      const { device, sync } = await encrypted()
      device.forgeWritten = forge
      const type = async (number: string) => {
        const { rev: _rev, ...update } = updateRow(`update-${number}`, 'anna', 'Fandango')
        const note = sync.rows('prayers').find(({ id }) => id === 'anna')?.note ?? null
        await sendChanges(
          sync,
          insertOf('prayers', { ...prayerRow(`ben-${number}`, 'Pemberley'), person_name: 'Zebedee' }),
          updateOf('prayers', 'anna', { note: `Wisteria ${number}` }, { note }),
          updateOf('prayers', 'anna', { resolved: true }),
          insertOf('prayer_updates', update),
        )
        await sync.syncNow()
      }
      await type('1')
      await type('2')
      device.forgeWritten = (json) => json
      while (!(await sync.syncNow()));
      expect(device.requests.join() + onServer()).not.toMatch(WORDS)
      const ids = ['anna', 'ben-1', 'ben-2', 'family', 'news']
      const sent = await sentTexts(device, ids)
      expect(sent).toEqual(expect.arrayContaining(['Pemberley', 'Wisteria 1', 'Wisteria 2', 'Fandango']))
      expect(sent.join()).not.toContain('Gullible')
      expect(sync.status()).toMatchObject({ waiting: 0, error: null })
      expect(shown(sync)).toMatch(/Zebedee.*Pemberley/)
      expect(shown(sync)).not.toContain('Gullible')
    },
  )

  it.each([
    ['1e999', 'Invalid safe integer'],
    ['1.5', 'Invalid safe integer'],
    [String(Number.MAX_SAFE_INTEGER), 'counted too far'],
  ])('cannot make the device count on from %s', async (counter, message) => {
    const device = createDevice()
    const sync = await device.open()
    const account = await device.run(() => sync.encryption())
    const row = `[{"key_id":"8QJ4T0XN5VKC2MHD","state":"replaced","counter":${counter},"proof":null}]`
    const headers = { 'content-type': 'application/json' }
    server.intercept = ({ path }) => (path === 'encryption_keys' ? new Response(row, { headers }) : null)
    await expect(device.run(() => account.begin(KEY))).rejects.toThrow(message)
    expect(server.keys).toEqual([])
  })

  it('cannot take the consent to a deletion for one to an earlier state', async () => {
    const { device, sync } = await encrypted()
    await device.run(async () => (await sync.encryption()).begin(OTHER_KEY))
    const earlier = server.keys.map((key) => ({ ...key }))
    while (!(await sync.syncNow()));
    const [former, current] = server.keys
    if (!former || !current) throw new Error('There are no keys.')
    server.keys = [{ ...former, state: 'abandoned', counter: 99, proof: null }, current]
    await sync.syncNow()
    expect(sync.status().encryption).toMatchObject({ state: 'restored', isGivenUp: true })
    const account = await sync.encryption()
    await account.encryptAgain()
    expect(sync.status().encryption).toMatchObject({ state: 'restored', isGivenUp: true })
    server.keys = earlier
    await account.acceptDeletion()
    expect(sync.status().encryption).toMatchObject({ state: 'restored', isGivenUp: false })
    server.put('categories', categoryRow('family', 'Gullible', 1))
    await sync.syncNow()
    expect(onServer()).toContain('Gullible')
  })

  it('does not keep the device busy by saying that it has replaced texts', async () => {
    const device = createDevice()
    const sync = await device.open()
    await device.run(async () => (await sync.encryption()).begin(KEY))
    device.diesAt = device.requests.length + 100
    server.intercept = ({ path }) =>
      path === 'rpc/replace_texts' ? Response.json({ rev: 9, replaced: ['family'], skipped: [] }) : null
    await sync.syncNow()
    expect(device.requests.length).toBeLessThan(device.diesAt)
    expect(server.keys).toMatchObject([{ state: 'encrypting' }])
    server.intercept = () => null
    await sync.syncNow()
    expect(server.keys).toMatchObject([{ state: 'on' }])
  })

  it('cannot move or change a text, and what it has damaged is neither sent nor replaced', async () => {
    const { device, sync } = await encrypted()
    const [anna] = server.tables.prayers
    const [family] = server.tables.categories
    if (!anna || !family) throw new Error('There are no rows.')
    server.put('prayers', { ...anna, note: family['name'] ?? null })
    await sync.syncNow()
    expect(sync.rows('prayers')).toMatchObject([{ person_name: 'Zebedee', note: UNREADABLE }])
    await sendChanges(sync, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: UNREADABLE }))
    expect(sync.status().rejected).toMatchObject([{ message: `${UNREADABLE}.` }])
    await sendChanges(sync, updateOf('prayers', 'anna', { person_name: 'Fandango' }))
    expect(sync.rows('prayers')).toMatchObject([{ person_name: 'Fandango', note: UNREADABLE }])
    expect(device.requests.join()).not.toMatch(WORDS)
  })

  it('stops no round with a text that it has damaged while there is a new key', async () => {
    const { device, sync } = await encrypted()
    const [anna] = server.tables.prayers
    if (!anna) throw new Error('There is no prayer.')
    server.put('prayers', { ...anna, note: anna['person_name'] ?? null })
    await sync.syncNow()
    await device.run(async () => (await sync.encryption()).begin(OTHER_KEY))
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status()).toMatchObject({ error: null, encryption: { replacing: { isNewKey: true } } })
    await sendChanges(sync, deleteOf('prayers', 'anna', { note: UNREADABLE }))
    expect(server.keys).toMatchObject([{ state: 'replaced' }, { state: 'on' }])
  })

  it('does not get the words for a text that cannot be read in its place, not even while encryption is turned off', async () => {
    const { device, sync } = await encrypted()
    const [anna] = server.tables.prayers
    if (!anna) throw new Error('There is no prayer.')
    server.put('prayers', { ...anna, note: anna['person_name'] ?? null })
    await sync.syncNow()
    await (await sync.encryption()).turnOff()
    await sync.syncNow()
    expect(stateOf(sync)).toBe('ending')
    await sendChanges(sync, updateOf('prayers', 'anna', { note: UNREADABLE }, { note: UNREADABLE }))
    expect(sync.status().rejected).toMatchObject([{ message: `${UNREADABLE}.` }])
    expect(device.requests.join()).not.toContain(UNREADABLE)
  })
})

it('what cannot be read is not sent to a restored server, but the rest of its row is', async () => {
  const { device, sync } = await encrypted()
  const restore = server.backUp()
  const sealed = { person_name: server.tables.prayers[0]?.['person_name'] ?? null }
  for (const id of ['anna', 'ben'])
    server.put('prayers', { ...prayerRow(id, null), ...sealed, note: sealed.person_name, resolved: true })
  await sync.syncNow()
  expect(sync.rows('prayers')).toMatchObject([{}, { person_name: UNREADABLE, note: UNREADABLE }])
  restore()
  await sync.syncNow()
  expect(sync.rows('prayers')).toMatchObject([
    { note: 'Quince', resolved: true },
    { person_name: 'Name missing after a restore', note: null, resolved: true },
  ])
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  expect(device.requests.join()).not.toContain(UNREADABLE)
})

it('sends an update to a restored server although its prayer was deleted here since', async () => {
  const { sync } = await encrypted()
  const restore = server.backUp()
  await sendChanges(sync, updateOf('prayer_updates', 'news', { body: 'Pemberley' }, { body: 'Marigold' }))
  await sync.change(deleteOf('prayers', 'anna', { note: 'Quince' }))
  restore()
  await sync.syncNow()
  expect(server.tables).toMatchObject({ prayers: [], prayer_updates: [] })
  expect(sync.status()).toMatchObject({ waiting: 0, error: null, rejected: [] })
})

it('encrypts a server again that was restored to a time before, once the user agrees', async () => {
  const device = createDevice()
  const sync = await device.open()
  const restore = server.backUp()
  await device.run(async () => (await sync.encryption()).begin(KEY))
  await sendChanges(sync, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' }))
  restore()
  await sync.syncNow()
  expect(stateOf(sync)).toBe('restored')
  await (await sync.encryption()).encryptAgain()
  while (!(await sync.syncNow()));
  expect(server.keys).toMatchObject([{ state: 'on' }])
  expect(onServer()).not.toMatch(WORDS)
  expect(shown(sync)).toContain('Pemberley')
})

it('agrees to what another device has encrypted again meanwhile', async () => {
  const device = createDevice()
  const sync = await device.open()
  await device.run(async () => (await sync.encryption()).begin(KEY))
  const again = server.keys
  while (!(await sync.syncNow()));
  server.keys = []
  await sync.syncNow()
  expect(stateOf(sync)).toBe('restored')
  server.keys = again
  await (await sync.encryption()).encryptAgain()
  while (!(await sync.syncNow()));
  expect(server.keys).toMatchObject([{ state: 'on' }])
})

it('encrypts a server with the latest key again that was restored to a time before the key was changed', async () => {
  const { device, sync } = await encrypted()
  const restore = server.backUp()
  await device.run(async () => (await sync.encryption()).begin(OTHER_KEY))
  while (!(await sync.syncNow()));
  await sendChanges(sync, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' }))
  restore()
  await sync.syncNow()
  expect(stateOf(sync)).toBe('restored')
  await device.run(async () => (await sync.encryption()).encryptAgain())
  while (!(await sync.syncNow()));
  expect(server.keys).toMatchObject([{ state: 'replaced' }, { state: 'on' }])
  const other = createDevice()
  const second = await other.open()
  expect(await other.run(() => enter(second, OTHER_KEY))).toBe('current')
  expect(shown(second)).toMatch(/Wanderlust.*Zebedee.*Pemberley.*Marigold/)
})

it('asks before an earlier key takes the place of one that was given up', async () => {
  const { device, sync } = await encrypted()
  const { keys } = server
  await device.run(async () => (await sync.encryption()).begin(OTHER_KEY))
  while (!(await sync.syncNow()));
  const givenUp = { state: 'abandoned', counter: 99, proof: null }
  server.keys = server.keys.map((key, index) => (index === 0 ? (keys[0] ?? key) : { ...key, ...givenUp }))
  await sendChanges(sync, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' }))
  expect(stateOf(sync)).toBe('restored')
  expect(onServer()).not.toContain(`enc1.${keys[0]?.key_id ?? ''}`)
  await (await sync.encryption()).acceptDeletion()
  while (!(await sync.syncNow()));
  expect(stateOf(sync)).toBe('on')
  expect(shown(sync)).toMatch(/Wanderlust.*Zebedee.*Pemberley.*Marigold/)
})

it('asks for the key with which another device has encrypted a restored server again', async () => {
  const device = createDevice()
  const sync = await device.open()
  const other = createDevice()
  const page = await other.open()
  const restore = server.backUp()
  await device.run(async () => (await sync.encryption()).begin(KEY))
  while (!(await sync.syncNow()));
  restore()
  const otherKey = await makePrayerKey()
  await other.run(async () => {
    await page.syncNow()
    await (await page.encryption()).begin(otherKey)
    while (!(await page.syncNow()));
  })
  await device.run(async () => {
    await sync.syncNow()
    expect(stateOf(sync)).toBe('restored-key-needed')
    await (await sync.encryption()).encryptAgain()
    expect(stateOf(sync)).toBe('restored-key-needed')
    expect(await enter(sync, otherKey)).toBe('current')
    expect(stateOf(sync)).toBe('restored')
    await (await sync.encryption()).encryptAgain()
    while (!(await sync.syncNow()));
  })
  expect(server.keys).toMatchObject([{ state: 'on' }])
  expect(sync.rows('prayer_updates')).toHaveLength(1)
  expect(shown(sync)).toMatch(/Wanderlust.*Zebedee.*Quince.*Marigold/)
})

it('still opens texts after the data of the site was deleted', async () => {
  const { device, sync } = await encrypted()
  const other = createDevice()
  const page = await other.open()
  await other.run(() => enter(page))
  await device.run(() => deleteDatabase('me'))
  await other.run(() => sendChanges(page, insertOf('categories', categoryRow('other', 'Fandango', 2))))
  await sync.syncNow()
  await sync.syncNow()
  expect(shown(sync)).toMatch(/Wanderlust.*Fandango.*Zebedee/)
})

it('leaves accounts alone that were never encrypted, whatever is typed there', async () => {
  const sync = await createDevice().open()
  await sendChanges(sync, updateOf('prayers', 'anna', { note: 'enc1. is no language' }, { note: 'Quince' }))
  await sync.syncNow()
  expect(stateOf(sync)).toBe('off')
  expect(shown(sync)).toContain('enc1. is no language')
})

it.each([
  ['that is too long', 'Z'.repeat(201)],
  ['with a character that no database can store', 'Zebedee\0'],
  ['that begins like a sealed one', 'enc1.8QJ4T0XN5VKC2MHD.Zebedee'],
])('refuses a name %s, which could not become plain again', async (_reason, person_name) => {
  const { sync } = await encrypted()
  await sendChanges(sync, updateOf('prayers', 'anna', { person_name }))
  expect(sync.status().rejected).toMatchObject([{ reason: 'rejected', fields: { person_name } }])
  await sendChanges(sync, updateOf('prayers', 'anna', { person_name: '🙏'.repeat(200) }))
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [{}] })
})

it('keeps a change that was refused because of its form', async () => {
  const { sync } = await encrypted()
  server.intercept = ({ method }) => (method === 'PATCH' ? failure(400, 'IC001') : null)
  await sendChanges(sync, updateOf('prayers', 'anna', { note: 'Pemberley' }, { note: 'Quince' }))
  expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
  server.intercept = () => null
  await sync.syncNow()
  expect(sync.status().waiting).toBe(0)
})
