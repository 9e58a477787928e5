import { beforeEach, describe, expect, it } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { NO_EVENTS, openDatabase } from './database.ts'
import { connectionLost, failure, FakeServer } from './fake-server.test-data.ts'
import type { NewChange } from './change.ts'
import type { Row } from './schema.ts'
import {
  categoryRow,
  deleteOf,
  insertOf,
  moveOf,
  openTab,
  prayerRow,
  RULES,
  sendChanges,
  updateOf,
  updateRow,
} from './sync.test-data.ts'
import { memoryStorage } from './storage.ts'
import type { SyncEngine, SyncEngineOptions } from './sync-engine.ts'

const FAMILY: Row = { ...categoryRow('family', 'Family', 1), rev: 2 }
/** The last revision in the backup. */
const BACKUP = 3

let server: FakeServer

/** The server at the time of the backup. */
beforeEach(() => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('categories', FAMILY)
  server.put('prayers', prayerRow('anna', 'Exam'))
})

async function synced(options?: Partial<SyncEngineOptions>): Promise<SyncEngine> {
  const sync = await openTab(server, options)
  await sync.syncNow()
  return sync
}

/** A device that has noticed the restore, but has not sent anything yet. */
async function noticed(options?: Partial<SyncEngineOptions>): Promise<SyncEngine> {
  const sync = await synced(options)
  restore()
  server.intercept = ({ method }) => (method === 'GET' ? null : connectionLost())
  await sync.syncNow()
  server.intercept = () => null
  return sync
}

function restore(): void {
  server.restoreTo({ categories: [FAMILY], prayers: [{ ...prayerRow('anna', 'Exam'), rev: BACKUP }] }, BACKUP)
}

/** When another device changes a row: before or after this one has noticed the restore. */
const WHEN: readonly [when: string, restored: () => Promise<SyncEngine>][] = [
  [
    'since',
    async () => {
      const sync = await synced()
      restore()
      return sync
    },
  ],
  ['while this was being sent again', noticed],
]

const notes = () => server.tables.prayers.map(({ id, note }) => [id, note])
const bodies = () => server.tables.prayer_updates.map(({ body }) => body)

describe('what was in the backup', () => {
  it('is not sent again', async () => {
    const sync = await synced()
    restore()
    server.changes.length = 0
    await sync.syncNow()
    expect(server.changes).toEqual([])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is replaced by what was written since', async () => {
    const sync = await synced()
    restore()
    server.put('prayers', prayerRow('anna', 'Passed'))
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Passed']])
    expect(sync.rows('prayers')).toMatchObject([{ note: 'Passed' }])
    expect([bodies(), sync.status().rejected]).toEqual([[], []])
  })

  it('stays deleted', async () => {
    const sync = await synced()
    restore()
    server.remove('prayers', 'anna')
    await sync.syncNow()
    expect(notes()).toEqual([])
    expect(sync.status().rejected).toEqual([])
  })
})

describe('a row that the server has lost', () => {
  beforeEach(() => {
    server.put('categories', categoryRow('work', 'Work', 2))
    server.put('prayers', { ...prayerRow('ben', 'Job'), category_id: 'work' })
    server.put('prayer_updates', updateRow('hired', 'ben', 'Hired'))
  })

  it('is added again, with the rows that it refers to', async () => {
    const sync = await synced()
    restore()
    await sync.syncNow()
    const added = server.changes.filter(({ method }) => method === 'POST')
    expect(added.map(({ path }) => path)).toEqual(['categories', 'prayers', 'prayer_updates'])
    expect(notes()).toEqual([
      ['anna', 'Exam'],
      ['ben', 'Job'],
    ])
    expect(bodies()).toEqual(['Hired'])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is added before the changes that need it', async () => {
    const sync = await synced()
    server.intercept = connectionLost
    await sync.change(updateOf('prayers', 'ben', { note: 'Colleagues' }, { note: 'Job' }))
    server.intercept = () => null
    restore()
    await sync.syncNow()
    expect(notes()).toContainEqual(['ben', 'Colleagues'])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is added once by several devices, with the version of each', async () => {
    const older = await synced()
    server.put('prayers', { ...prayerRow('ben', 'Colleagues'), person_name: 'Benjamin', category_id: 'work' })
    stubIndexedDb()
    const newer = await synced()
    restore()
    await older.syncNow()
    await newer.syncNow()
    expect(notes()).toEqual([
      ['anna', 'Exam'],
      ['ben', 'Job'],
    ])
    expect(bodies()).toEqual(['Hired', '2026-03-01T09:00:00.000Z: Colleagues'])
    expect(newer.status()).toMatchObject({
      waiting: 0,
      rejected: [{ kind: 'update', row: 'ben', fields: { person_name: 'Benjamin' }, reason: 'restored' }],
    })
  })

  it('keeps its text if another device adds another version of it meanwhile', async () => {
    const sync = await noticed()
    server.put('prayers', { ...prayerRow('ben', 'Older'), person_name: 'Benjamin', category_id: 'work' })
    await sync.syncNow()
    expect(notes()).toContainEqual(['ben', 'Older'])
    expect(bodies()).toEqual(['Hired', '2026-03-01T09:00:00.000Z: Job'])
    expect(sync.status()).toMatchObject({
      waiting: 0,
      rejected: [{ kind: 'update', row: 'ben', fields: { person_name: 'Anna' }, reason: 'restored' }],
    })
  })

  it('is offered if another device adds another version of it meanwhile, and deletes that', async () => {
    const sync = await noticed()
    server.put('prayers', prayerRow('ben', 'Older'))
    server.remove('prayers', 'ben')
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Exam']])
    expect(sync.status().rejected).toMatchObject([{ reason: 'deleted', fields: { note: 'Job' } }])
  })

  it('is added before what refers to it, which the server rejects at first', async () => {
    const sync = await synced()
    restore()
    server.intercept = ({ method, path }) => {
      const isMissing = server.tables.prayers.every(({ id }) => id !== 'ben')
      return method === 'POST' && path === 'prayer_updates' && isMissing ? failure(409, '23503') : null
    }
    await sync.change(insertOf('prayer_updates', updateRow('moved', 'ben', 'Moved')))
    await sync.syncNow()
    expect(bodies()).toEqual(['Hired', 'Moved'])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is offered if another device has added and deleted an older version of it', async () => {
    const sync = await synced()
    restore()
    server.put('prayers', prayerRow('ben', 'Older'))
    server.remove('prayers', 'ben')
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Exam']])
    expect(sync.status().rejected).toMatchObject([
      { table: 'prayers', reason: 'deleted', fields: { note: 'Job' } },
      { table: 'prayer_updates', reason: 'deleted', fields: { body: 'Hired' } },
    ])
  })
})

it('an update that was added here after its prayer was received is offered if the prayer was deleted without it', async () => {
  const sync = await synced()
  server.intercept = ({ method }) => (method === 'GET' ? connectionLost() : null)
  await sync.change(insertOf('prayer_updates', updateRow('hired', 'anna', 'Hired')))
  await sync.syncNow()
  server.intercept = () => null
  expect(bodies()).toEqual(['Hired'])
  restore()
  server.remove('prayers', 'anna')
  await sync.syncNow()
  expect(sync.status().rejected).toMatchObject([{ reason: 'deleted', fields: { body: 'Hired' } }])
})

describe('fields that are not texts, and that the server has lost', () => {
  const ANNA = { ...prayerRow('anna', 'Exam'), times_prayed: 3 }
  const prayer = () => server.tables.prayers.find(({ id }) => id === 'anna')

  it('replace those of the backup, unless the database computes them', async () => {
    server.put('prayers', { ...ANNA, resolved: true, due_on: '2026-11-03' })
    const sync = await synced()
    restore()
    await sync.syncNow()
    expect(prayer()).toMatchObject({ resolved: true, due_on: '2026-11-03', times_prayed: 0 })
    expect(server.changes.map(({ body }) => body)).toEqual([{ resolved: true, due_on: '2026-11-03' }])
  })

  it.each(WHEN)('leave what was changed %s', async (_when, restored) => {
    server.put('prayers', { ...ANNA, due_on: '2026-11-03' })
    const sync = await restored()
    server.put('prayers', { ...ANNA, due_on: '2026-12-24', resolved: true })
    await sync.syncNow()
    expect(prayer()).toMatchObject({ due_on: '2026-12-24', resolved: true, note: 'Exam' })
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('are sent after the former answer of a prayer that was reopened has become an update, and is gone', async () => {
    const answered = { ...prayerRow('anna', 'Exam'), resolved: true, answer: 'Passed' }
    server.put('prayers', answered)
    server.put('prayers', prayerRow('anna', 'Exam'))
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
    const sync = await synced()
    server.restoreTo({ categories: [FAMILY], prayers: [{ ...answered, rev: BACKUP }] }, BACKUP)
    await sync.syncNow()
    const sent = new Set(server.changes.map(({ body }) => JSON.stringify(body)))
    expect([...sent]).toEqual([expect.stringContaining('Passed'), '{"answer":null}', '{"resolved":false}'])
  })
})

describe('a text that the server has lost', () => {
  beforeEach(() => server.put('prayers', prayerRow('anna', 'Operation')))

  it('replaces the one of the backup', async () => {
    const sync = await synced()
    restore()
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Operation']])
    expect(bodies()).toEqual([])
  })

  it('leaves one that was written since, and becomes a conflict copy', async () => {
    const sync = await synced()
    restore()
    server.put('prayers', prayerRow('anna', 'Passed'))
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Passed']])
    expect(bodies()).toEqual(['2026-03-01T09:00:00.000Z: Operation'])
    expect(sync.status().rejected).toEqual([])
  })

  it('becomes one, too, if it is not known what was in the backup', async () => {
    const sync = await synced()
    restore()
    server.restores = []
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Exam']])
    expect(bodies()).toEqual(['2026-03-01T09:00:00.000Z: Operation'])
  })

  it('is offered if the prayer was deleted by someone who has not seen it', async () => {
    const sync = await synced()
    restore()
    server.remove('prayers', 'anna')
    await sync.syncNow()
    expect(notes()).toEqual([])
    expect(sync.status().rejected).toMatchObject([{ reason: 'deleted', fields: { note: 'Operation' } }])
  })
})

describe('a name that the server has lost', () => {
  beforeEach(() => server.put('categories', categoryRow('family', 'Relatives', 1)))

  it.each(WHEN)('is offered if its row was changed %s', async (_when, restored) => {
    const sync = await restored()
    server.put('categories', categoryRow('family', 'Kin', 1))
    await sync.syncNow()
    expect(sync.rows('categories')).toMatchObject([{ name: 'Kin' }])
    expect(sync.status()).toMatchObject({
      waiting: 0,
      rejected: [{ table: 'categories', kind: 'update', fields: { name: 'Relatives' }, reason: 'restored' }],
    })
  })
})

it('is noticed once in a round if there is no space to store it, and then waits for the next one', async () => {
  let isFull = false
  const sync = await openTab(server, { fails: () => isFull })
  await sync.syncNow()
  await sync.change(updateOf('categories', 'gone', { name: 'x' }))
  restore()
  isFull = true
  let requests = 0
  server.intercept = () => {
    if ((requests += 1) > 20) sync.close()
    return null
  }
  expect(await sync.syncNow()).toBe(false)
  expect(requests).toBeLessThan(20)
  isFull = false
  expect(await sync.syncNow()).toBe(true)
  expect(sync.status().rejected).toMatchObject([{ row: 'gone', reason: 'deleted' }])
})

describe('without a storage', () => {
  beforeEach(() => {
    server.put('categories', categoryRow('work', 'Work', 2))
    server.put('prayers', { ...prayerRow('ben', 'Job'), category_id: 'work' })
  })

  it('what the server has lost waits in the page until it can be sent', async () => {
    const sync = await noticed({ storage: memoryStorage() })
    expect(sync.status()).toMatchObject({ waiting: 2, unsafe: true })
    await sync.syncNow()
    expect(notes()).toContainEqual(['ben', 'Job'])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('what the server rejects of it is kept in the page', async () => {
    const sync = await noticed({ storage: memoryStorage() })
    server.intercept = ({ method, path }) =>
      method === 'POST' && path === 'prayers' ? failure(409, '23503') : null
    await sync.syncNow()
    expect(sync.status()).toMatchObject({
      waiting: 0,
      rejected: [{ reason: 'rejected', fields: { note: 'Job' } }],
    })
  })

  it('a text is not emptied that another device has added to its row', async () => {
    const sync = await noticed({ storage: memoryStorage() })
    server.put('prayers', { ...prayerRow('ben', 'Job'), answer: 'Hired', category_id: 'work' })
    await sync.syncNow()
    expect(server.tables.prayers).toContainEqual(expect.objectContaining({ id: 'ben', answer: 'Hired' }))
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('a name is offered if another device has added another version of its row', async () => {
    const sync = await noticed({ storage: memoryStorage() })
    server.put('prayers', { ...prayerRow('ben', 'Job'), person_name: 'Benjamin' })
    await sync.syncNow()
    expect(sync.status()).toMatchObject({
      waiting: 0,
      rejected: [{ reason: 'restored', fields: { person_name: 'Anna' } }],
    })
  })
})

it('sends again what waits, and rejects nothing of it before it knows what was lost', async () => {
  server.put('prayers', prayerRow('anna', 'Operation'))
  const sync = await synced()
  await sync.change(updateOf('prayers', 'anna', { note: 'Recovery' }, { note: 'Operation' }))
  restore()
  await sync.syncNow()
  expect(notes()).toEqual([['anna', 'Recovery']])
  expect([bodies(), sync.status().rejected]).toEqual([[], []])
})

/** Devices that have received the same, each with a storage of its own. */
async function severalSynced(): Promise<readonly [SyncEngine, SyncEngine, SyncEngine]> {
  const opened: SyncEngine[] = []
  for (let device = 0; device < 3; device += 1) {
    stubIndexedDb()
    opened.push(await synced())
  }
  const [one, two, three] = opened
  if (!one || !two || !three) throw new Error('There are three devices.')
  return [one, two, three]
}

describe('a text that several devices have, and that has lost against one that was written since', () => {
  const COPY = '2026-03-01T09:00:00.000Z: Operation'
  const copyOf = (sync: SyncEngine) => sync.rows('prayer_updates')[0]?.id ?? ''

  beforeEach(() => server.put('prayers', prayerRow('anna', 'Operation')))

  it('becomes one copy', async () => {
    const devices = await severalSynced()
    restore()
    server.put('prayers', prayerRow('anna', 'Passed'))
    for (const device of devices) await device.syncNow()
    expect(notes()).toEqual([['anna', 'Passed']])
    expect(bodies()).toEqual([COPY])
    expect(server.tables.prayer_updates[0]?.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  it('becomes one copy, also after another restore, and at other times', async () => {
    const restoreBackup = server.backUp()
    server.put('prayers', prayerRow('anna', 'Recovery'))
    const [one, two, three] = await severalSynced()
    restoreBackup()
    server.put('prayers', prayerRow('anna', 'Passed'))
    await one.syncNow()
    restoreBackup()
    server.put('prayers', prayerRow('anna', 'Passed'))
    stubIndexedDb()
    for (const device of [two, one, three]) await device.syncNow()
    expect(bodies()).toEqual(['2026-03-01T09:00:00.000Z: Recovery'])
    expect(one.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('has no copy any more once it was deleted', async () => {
    const [one, two] = await severalSynced()
    restore()
    server.put('prayers', prayerRow('anna', 'Passed'))
    await one.syncNow()
    await sendChanges(one, deleteOf('prayer_updates', copyOf(one), { body: COPY }))
    expect(bodies()).toEqual([])
    await two.syncNow()
    expect(bodies()).toEqual([])
    expect(two.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it.each([
    ['', {}],
    ['without a storage', { storage: memoryStorage() }],
  ])('leaves a copy that was changed as it is %s', async (_how, options) => {
    const [one] = await severalSynced()
    stubIndexedDb()
    const two = await synced(options)
    restore()
    server.put('prayers', prayerRow('anna', 'Passed'))
    let isRacing = true
    server.intercept = ({ method, path }) =>
      isRacing && method === 'POST' && path === 'prayer_updates' ? connectionLost() : null
    await two.syncNow()
    isRacing = false
    await one.syncNow()
    await sendChanges(one, updateOf('prayer_updates', copyOf(one), { body: 'Shortened' }, { body: COPY }))
    await two.syncNow()
    expect(bodies()).toEqual(['Shortened'])
    expect(two.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it.each([
    ['its answer', () => server.put('prayers', { ...prayerRow('anna', 'Passed'), answer: 'Operation' })],
    ['an update of it', () => server.put('prayer_updates', updateRow('same', 'anna', 'Operation'))],
  ])('has no copy if the prayer has it as %s', async (_what, write) => {
    const [one] = await severalSynced()
    restore()
    server.put('prayers', prayerRow('anna', 'Passed'))
    write()
    const before = bodies()
    await one.syncNow()
    expect(bodies()).toEqual(before)
    expect(notes()).toEqual([['anna', 'Passed']])
  })

  it('has no copy if another device gives the prayer the text while this one sends it', async () => {
    const sync = await noticed()
    server.put('prayers', { ...prayerRow('anna', 'Passed'), answer: 'Operation' })
    await sync.syncNow()
    expect(bodies()).toEqual([])
    expect(notes()).toEqual([['anna', 'Passed']])
  })
})

it('an answer is sent again although this device has sent the same text as an update', async () => {
  const sync = await synced()
  const restoreBackup = server.backUp()
  const passed = { person_name: 'Hannah', resolved: true, answer: 'Passed' }
  await sendChanges(
    sync,
    insertOf('prayer_updates', updateRow('news', 'anna', 'Passed')),
    updateOf('prayers', 'anna', passed, { answer: null }),
  )
  restoreBackup()
  await sync.syncNow()
  expect(server.tables).toMatchObject({ prayers: [passed], prayer_updates: [{ body: 'Passed' }] })
})

describe('an answer that has moved', () => {
  const OPEN = prayerRow('anna', 'Exam')
  const ANSWERED = { ...OPEN, resolved: true, answer: 'Passed' }
  const texts = () => [...server.tables.prayers.map(({ answer }) => answer), ...bodies()].filter(Boolean)

  it.each([
    ['', () => {}],
    [
      'and another device writes the prayer since',
      () => server.put('prayers', { ...ANSWERED, due_on: '2026-12-24' }),
    ],
    [
      'and another device reopens the prayer since',
      () => {
        server.put('prayers', OPEN)
        server.put('prayer_updates', updateRow('other', 'anna', 'Passed'))
      },
    ],
  ])('into an update is there once if the prayer was reopened after the backup %s', async (_what, write) => {
    server.put('prayers', ANSWERED)
    const restoreBackup = server.backUp()
    server.put('prayers', OPEN)
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
    const devices = await severalSynced()
    restoreBackup()
    write()
    for (const device of devices) await device.syncNow()
    expect(texts()).toEqual(['Passed'])
    expect(devices[0].status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it.each([
    ['', () => {}],
    [
      'and another device writes the prayer since',
      () => server.put('prayers', { ...OPEN, due_on: '2026-12-24' }),
    ],
  ])('back into its prayer is there once if that was undone after the backup %s', async (_what, write) => {
    server.put('prayers', OPEN)
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
    const restoreBackup = server.backUp()
    server.put('prayers', ANSWERED)
    server.remove('prayer_updates', 'former')
    const devices = await severalSynced()
    restoreBackup()
    write()
    for (const device of devices) await device.syncNow()
    expect(texts()).toEqual(['Passed'])
    expect(devices[0].status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('into an update is there once if a device that has not heard of it comes later', async () => {
    const restoreBackup = server.backUp()
    server.put('prayers', ANSWERED)
    const older = await synced()
    server.put('prayers', OPEN)
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
    stubIndexedDb()
    const newer = await synced()
    restoreBackup()
    await newer.syncNow()
    await older.syncNow()
    expect(texts()).toEqual(['Passed'])
  })

  it('is not sent once more if another device has sent it first, and has reopened the prayer since', async () => {
    const restoreBackup = server.backUp()
    server.put('prayers', ANSWERED)
    const sync = await synced()
    restoreBackup()
    server.intercept = ({ method }) => (method === 'GET' ? null : connectionLost())
    await sync.syncNow()
    server.intercept = () => null
    server.put('prayers', OPEN)
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
    await sync.syncNow()
    expect(texts()).toEqual(['Passed'])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it.each([
    ['are sent', 'Exam', ['Passed'], 'Finals'],
    ['lose as usual', 'Theirs', ['Passed', '2026-03-01T09:00:00.000Z: Finals'], 'Theirs'],
  ])('counts as sent alone: others that were changed with it %s', async (_what, theirs, all, note) => {
    const restoreBackup = server.backUp()
    server.put('prayers', { ...ANSWERED, person_name: 'Hannah', note: 'Finals' })
    const sync = await synced()
    restoreBackup()
    server.intercept = ({ method }) => (method === 'GET' ? null : connectionLost())
    await sync.syncNow()
    server.intercept = () => null
    server.put('prayers', { ...OPEN, note: theirs })
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
    await sync.syncNow()
    expect(server.tables.prayers).toMatchObject([
      { person_name: 'Hannah', note, resolved: false, answer: null },
    ])
    expect(bodies()).toEqual(all)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('into another update is there once if it was reopened again after the backup', async () => {
    server.put('prayers', OPEN)
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
    const restoreBackup = server.backUp()
    server.remove('prayer_updates', 'former')
    server.put('prayer_updates', updateRow('again', 'anna', 'Passed'))
    const sync = await synced()
    restoreBackup()
    await sync.syncNow()
    expect(server.tables.prayer_updates.map(({ id }) => id)).toEqual(['again'])
  })
})

it('rows with the same text that this device has are all added again', async () => {
  server.put('prayer_updates', updateRow('one', 'anna', 'Thanks'))
  server.put('prayer_updates', updateRow('two', 'anna', 'Thanks'))
  const sync = await synced()
  restore()
  await sync.syncNow()
  expect(bodies()).toEqual(['Thanks', 'Thanks'])
})

it('a text stays that this device had not received when it has added the same', async () => {
  const sync = await synced()
  server.put('prayer_updates', updateRow('theirs', 'anna', 'Thanks'))
  const restoreBackup = server.backUp()
  server.intercept = ({ path }) => (path === 'sync_state' ? connectionLost() : null)
  await sendChanges(sync, insertOf('prayer_updates', updateRow('own', 'anna', 'Thanks')))
  server.intercept = () => null
  restoreBackup()
  await sync.syncNow()
  expect(server.tables.prayer_updates.map(({ id }) => id)).toEqual(['theirs', 'own'])
})

describe('what the server has lost of a row is sent again', () => {
  const prayer = () => server.tables.prayers.find(({ id }) => id === 'anna')
  const RESOLVED = { ...prayerRow('anna', 'Exam'), person_name: 'Anne', resolved: true, due_on: '2026-11-03' }
  const PRAYED: NewChange = {
    table: 'prayers',
    kind: 'call',
    name: 'mark_prayed',
    args: { prayer_ids: ['anna'], prayed_on: '2026-11-03' },
  }

  it.each<[string, NewChange]>([
    ['that it was prayed', PRAYED],
    ['an update of it', insertOf('prayer_updates', updateRow('hired', 'anna', 'Hired'))],
  ])('before %s that waits', async (_what, change) => {
    server.put('prayers', RESOLVED)
    const sync = await synced()
    server.intercept = connectionLost
    await sendChanges(sync, change)
    server.intercept = () => null
    restore()
    await sync.syncNow()
    expect(prayer()).toMatchObject({ person_name: 'Anne', resolved: true, due_on: '2026-11-03' })
    expect(prayer()?.['times_prayed'] === 1 || bodies().includes('Hired')).toBe(true)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it.each<[string, () => void]>([
    ['that it was prayed', () => server.markPrayed('anna')],
    ['an update of it', () => server.put('prayer_updates', updateRow('hired', 'anna', 'Hired'))],
  ])('after another device has sent %s', async (_what, send) => {
    server.put('prayers', RESOLVED)
    const sync = await synced()
    restore()
    send()
    await sync.syncNow()
    expect(prayer()).toMatchObject({ person_name: 'Anne', resolved: true, due_on: '2026-11-03' })
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('but not if only that it was prayed is missing', async () => {
    const sync = await synced()
    const restoreBackup = server.backUp()
    server.markPrayed('anna')
    await sync.syncNow()
    restoreBackup()
    server.put('prayers', prayerRow('anna', 'Passed'))
    server.changes.length = 0
    await sync.syncNow()
    expect(server.changes).toEqual([])
    expect(sync.rows('prayers')).toMatchObject([{ note: 'Passed' }])
  })
})

it('the other fields of an update of which a text has lost are sent again', async () => {
  const sync = await synced()
  server.put('prayers', prayerRow('anna', 'Operation'))
  const restoreBackup = server.backUp()
  const isSaved = () => server.tables.prayers.some(({ resolved }) => resolved === true)
  server.intercept = ({ path }) => (path === 'sync_state' && isSaved() ? connectionLost() : null)
  await sendChanges(sync, updateOf('prayers', 'anna', { note: 'Passed', resolved: true }, { note: 'Exam' }))
  server.intercept = () => null
  expect(isSaved()).toBe(true)
  restoreBackup()
  await sync.syncNow()
  expect(server.tables.prayers).toMatchObject([{ note: 'Operation', resolved: true }])
  expect(bodies()).toEqual(['2026-03-01T09:00:00.000Z: Passed'])
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
})

describe('when another tab notices the restore before this one goes on with a response,', () => {
  let restoreBackup: () => void
  beforeEach(() => {
    restoreBackup = server.backUp()
    server.put('prayers', prayerRow('ben', 'Job'))
  })

  /** @param isResponse whether it is the response to this request that comes late */
  async function overtaken(isResponse: (url: URL, method: string) => boolean): Promise<SyncEngine> {
    let [sync, isLate]: [SyncEngine | null, boolean] = [null, false]
    const send: typeof fetch = async (input, init) => {
      const response = await server.fetch(input, init)
      const url = new URL(input instanceof Request ? input.url : input)
      // What is fetched before the change is sent decides nothing.
      if (isLate || server.changes.length === 0 || !isResponse(url, init?.method ?? 'GET')) return response
      isLate = true
      restoreBackup()
      server.intercept = ({ method }) => (method === 'GET' ? null : connectionLost())
      await synced()
      server.intercept = () => null
      await sync?.refresh()
      return response
    }
    sync = await synced({ send })
    return sync
  }
  const isState = ({ pathname }: URL) => pathname.endsWith('/sync_state')
  const isRow = ({ searchParams }: URL, method: string) =>
    searchParams.get('id') === 'eq.ben' && method === 'GET'

  it.each<[what: string, theirs: () => void, isResponse: (url: URL, method: string) => boolean]>([
    ['a conflict copy', () => server.put('prayers', prayerRow('ben', 'Operation')), isState],
    ['a rejection because the row is gone', () => server.remove('prayers', 'ben'), isRow],
    ['a rejection after the server was asked', () => server.remove('prayers', 'ben'), isState],
  ])('%s is not made, and the change is sent again', async (_what, theirs, isResponse) => {
    const sync = await overtaken(isResponse)
    theirs()
    await sendChanges(sync, updateOf('prayers', 'ben', { note: 'Colleagues' }, { note: 'Job' }))
    await sync.syncNow()
    expect(notes()).toContainEqual(['ben', 'Colleagues'])
    expect([bodies(), sync.status()]).toMatchObject([[], { waiting: 0, rejected: [] }])
  })

  it('a change that was saved is sent again', async () => {
    const sync = await overtaken((_url, method) => method === 'PATCH')
    await sendChanges(sync, moveOf('friends', 'anna'))
    expect(server.tables.prayers).toContainEqual(
      expect.objectContaining({ id: 'anna', category_id: 'friends' }),
    )
  })
})

it('a row that the server always fails with does not keep a page that stores nothing from saving others', async () => {
  server.put('prayer_updates', updateRow('lost', 'anna', 'Thanks'))
  const sync = await synced({ storage: memoryStorage() })
  restore()
  server.intercept = ({ path, method }) =>
    path === 'prayer_updates' && method === 'POST' ? failure(500, 'XX000') : null
  for (let round = 0; round < 5; round += 1) await sync.syncNow()
  const made = sync.change(updateOf('categories', 'family', { name: 'Home' }))
  await Promise.all([made, sync.syncNow()])
  expect(server.tables.categories).toMatchObject([{ name: 'Home' }])
  server.intercept = () => null
  await sync.syncNow()
  expect(bodies()).toEqual(['Thanks'])
})

describe('after a second restore', () => {
  const prayer = () => server.tables.prayers.find(({ id }) => id === 'anna')
  const RESOLVED = { ...prayerRow('anna', 'Passed'), resolved: true, due_on: '2026-11-03' }

  it.each(['the same backup', 'an older backup'])(
    'of %s, what the server has lost is sent again',
    async (which) => {
      const restoreOlder = server.backUp()
      server.put('categories', categoryRow('work', 'Work', 2))
      const restoreNewer = server.backUp()
      server.put('prayers', RESOLVED)
      server.put('categories', categoryRow('family', 'Relatives', 1))
      const sync = await synced()
      restoreNewer()
      await sync.syncNow()
      if (which === 'the same backup') restoreNewer()
      else restoreOlder()
      await sync.syncNow()
      expect(prayer()).toMatchObject({ note: 'Passed', resolved: true, due_on: '2026-11-03' })
      expect(new Set(server.tables.categories.map(({ name }) => name))).toEqual(
        new Set(['Relatives', 'Work']),
      )
      expect([bodies(), sync.status().rejected]).toEqual([[], []])
    },
  )

  it('of a newer backup, a text that this device has not seen is kept', async () => {
    const restoreOlder = server.backUp()
    const sync = await synced()
    server.put('prayers', prayerRow('anna', 'Unseen'))
    const restoreNewer = server.backUp()
    restoreOlder()
    await sync.syncNow()
    await sync.change(updateOf('prayers', 'anna', { note: 'Seen' }, { note: 'Exam' }))
    await sync.syncNow()
    restoreNewer()
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Unseen']])
    expect(bodies()).toEqual(['2026-03-01T09:00:00.000Z: Seen'])
  })

  it.each([
    ['all rows are fetched', 'another version of the app', () => {}],
    ['what the server has lost is computed', 'a restore', () => server.backUp()()],
  ])('while %s because of %s, nothing is lost', async (_what, _why, cause) => {
    const restoreBackup = server.backUp()
    server.put('prayers', RESOLVED)
    await synced()
    const categories = { ...RULES.categories, columns: ['name', 'new'] }
    const sync = await openTab(server, { rules: { ...RULES, categories } })
    cause()
    let isRestored = false
    server.intercept = ({ path }) => {
      if (path !== 'prayers' || isRestored) return null
      isRestored = true
      restoreBackup()
      return null
    }
    await sync.syncNow()
    expect(isRestored).toBe(true)
    expect(prayer()).toMatchObject({ note: 'Passed', resolved: true, due_on: '2026-11-03' })
  })

  it('a device of an earlier version, which has not stored the first one, keeps both texts', async () => {
    const restoreBackup = server.backUp()
    server.put('prayers', RESOLVED)
    const sync = await synced()
    restoreBackup()
    await sync.syncNow()
    const storage = await openDatabase('me', NO_EVENTS)
    const { version, cursor } = await storage.read()
    const { restores: _restores, ...earlier } = cursor ?? { rev: 0, epoch: null }
    await storage.commit({ cursor: earlier }, version)
    await sync.refresh()
    restoreBackup()
    await sync.syncNow()
    expect(notes()).toEqual([['anna', 'Exam']])
    expect(bodies()).toEqual(['2026-03-01T09:00:00.000Z: Passed'])
  })
})
