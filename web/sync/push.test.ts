import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NetworkUnavailableError } from '#web/lib/error-message.ts'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { isRecord } from '#shared/is-record.ts'
import { connectionLost, failure, FakeServer } from './fake-server.test-data.ts'
import { type NewChange, fieldsOf } from './change.ts'
import type { Row } from './schema.ts'
import {
  categoryRow,
  deleteOf,
  insertOf,
  moveOf,
  openTab,
  prayerRow,
  reorderOf,
  updateOf,
  updateRow,
  sendChanges,
} from './sync.test-data.ts'
import { memoryStorage } from './storage.ts'
import type { SyncEngine } from './sync-engine.ts'

const PASSED = updateOf('prayers', 'anna', { note: 'Passed' }, { note: 'Exam' })
const DELETION = deleteOf('prayers', 'anna', { note: 'Exam' })
const NEW = insertOf('categories', categoryRow('new', 'Neighbours', 3))

let server: FakeServer
let sync: SyncEngine

beforeEach(async () => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('categories', categoryRow('family', 'Family', 1))
  server.put('categories', categoryRow('friends', 'Friends', 2))
  server.put('prayers', prayerRow('anna', 'Exam'))
  sync = await openTab(server)
  await sync.syncNow()
})

/** The server handles the next change, but its response does not arrive. */
function loseNextResponse(): void {
  const { fetch } = server
  server.fetch = async (input, init) => {
    const response = await fetch(input, init)
    if ((init?.method ?? 'GET') === 'GET') return response
    server.fetch = fetch
    return connectionLost()
  }
}

async function reopen(send: typeof fetch = (input, init) => server.fetch(input, init)): Promise<SyncEngine> {
  sync.close()
  return openTab(server, { send })
}

const noteOf = (id: string) => server.tables.prayers.find((row) => row.id === id)?.['note']
const reasons = () => sync.status().rejected.map((change) => [change.reason, fieldsOf(change)])

it('sends none of the first changes of an account again', async () => {
  server = new FakeServer()
  server.loseEverything()
  server.intercept = ({ path }) => {
    if (path.startsWith('rpc')) server.put('categories', categoryRow('new', 'Neighbours', 3))
    return null
  }
  stubIndexedDb()
  sync = await openTab(server)
  await sync.syncNow()
  expect(
    await sendChanges(
      sync,
      NEW,
      reorderOf('new'),
      updateOf('categories', 'new', { is_visible: false }),
      deleteOf('categories', 'new'),
    ),
  ).toBe(true)
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  expect(server.changes.filter(({ path }) => path.startsWith('rpc'))).toHaveLength(1)
})

describe('while the epoch of an account is not known', () => {
  beforeEach(async () => {
    server = new FakeServer()
    server.loseEverything()
    stubIndexedDb()
  })
  const failToPull = ({ path }: { path: string }) =>
    path === 'sync_state' && server.changes.length > 0 ? connectionLost() : null
  const ANNA = insertOf('prayers', prayerRow('anna', 'Exam'))

  it('a row that another device has changed since it was saved has no conflict copy', async () => {
    sync = await openTab(server)
    await sync.syncNow()
    server.intercept = failToPull
    await sendChanges(sync, ANNA)
    server.intercept = () => null
    server.put('prayers', prayerRow('anna', 'Passed'))
    await sync.syncNow()
    expect(sync.rows('prayers')).toMatchObject([{ note: 'Passed' }])
    expect([server.tables.prayer_updates, sync.status().waiting]).toEqual([[], 0])
    expect(server.changes).toHaveLength(1)
  })

  it.each([
    ['a browser that keeps it', () => ({})],
    ['one that keeps nothing', () => ({ storage: memoryStorage() })],
  ])('what was saved is sent again by %s if the server was restored since', async (_which, options) => {
    sync = await openTab(server, options())
    server.intercept = failToPull
    await Promise.all([sync.change(ANNA), sync.syncNow()])
    const restoreBackup = server.backUp()
    const update = updateOf('prayers', 'anna', { note: 'Passed' }, { note: 'Exam' })
    await Promise.all([sync.change(update), sync.syncNow()])
    server.intercept = () => null
    restoreBackup()
    // Its revision is higher than the one as which it was saved.
    server.markPrayed('anna')
    await sync.syncNow()
    expect([noteOf('anna'), sync.status().waiting]).toEqual(['Passed', 0])
  })

  it('what was saved is sent again, although nothing is kept, if the server was restored to before the first change', async () => {
    sync = await openTab(server, { storage: memoryStorage(), onPending: () => void sync.syncNow() })
    server.intercept = failToPull
    await sync.change(ANNA)
    await sync.syncNow()
    server.intercept = () => null
    server.loseEverything()
    expect(await sync.syncNow()).toBe(false)
    expect(sync.rows('prayers')).toMatchObject([{ note: 'Exam' }])
    expect(await sync.syncNow()).toBe(true)
    expect([noteOf('anna'), sync.status().waiting]).toEqual(['Exam', 0])
  })

  it('a round fails after which the server does not show it, instead of being followed by another at once', async () => {
    sync = await openTab(server)
    server.intercept = ({ path }) => (path === 'sync_state' ? Response.json([]) : null)
    expect(await sendChanges(sync, ANNA)).toBe(false)
    expect(sync.status()).toMatchObject({
      waiting: 1,
      error: { message: expect.stringContaining('does not show') },
    })
    expect(server.changes).toHaveLength(1)
  })
})

describe('a lost response', () => {
  it.each<[string, NewChange]>([
    ['an insert', NEW],
    ['an update', PASSED],
    ['a deletion', DELETION],
    ['a reorder', reorderOf('friends', 'family')],
  ])('of %s is sent again, without an error', async (_kind, change) => {
    sync = await reopen()
    await sync.change(change)
    const shown = [sync.rows('categories').length, sync.rows('prayers').length]
    loseNextResponse()
    expect(await sync.syncNow()).toBe(false)
    expect(sync.status().waiting).toBe(1)
    sync = await reopen()
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [], error: null })
    expect([sync.rows('categories').length, sync.rows('prayers').length]).toEqual(shown)
    expect(sync.rows('prayers')).toEqual(server.tables.prayers)
  })

  it.each<[what: string, theirs: () => void, names: string[]]>([
    ['changed', () => server.put('categories', categoryRow('new', 'Street', 3)), ['Street']],
    ['deleted', () => server.remove('categories', 'new'), []],
  ])('of an insert leaves the row as others have %s it since', async (_what, theirs, names) => {
    sync = await reopen()
    await sync.change(NEW)
    loseNextResponse()
    await sync.syncNow()
    theirs()
    await sync.syncNow()
    expect(sync.rows('categories').map(({ name }) => name)).toEqual(['Family', 'Friends', ...names])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })
})

it('does not let a duplicate that arrives late undo a later change', async () => {
  await sync.change(updateOf('prayers', 'anna', { resolved: true }))
  const late: (() => Promise<Response>)[] = []
  const { fetch } = server
  const delayed = await reopen(async (input, init) => {
    if (init?.method !== 'PATCH' || late.length > 0) return fetch(input, init)
    late.push(() => fetch(input, init))
    return connectionLost()
  })
  await delayed.syncNow()
  await sendChanges(delayed, updateOf('prayers', 'anna', { resolved: false }))
  await late[0]?.()
  expect(server.tables.prayers[0]).toMatchObject({ resolved: false })
})

describe('a change of a row that another device has changed', () => {
  it.each<
    [what: string, theirs: Row | null, ours: NewChange, saved: object[], kept: number, rejected: unknown[]]
  >([
    [
      'keeps both if it is about other fields',
      { ...prayerRow('anna', 'Exam'), resolved: true },
      updateOf('prayers', 'anna', { person_name: 'Hannah' }),
      [{ person_name: 'Hannah', resolved: true }],
      0,
      [],
    ],
    [
      'never overwrites a text that was not seen, and saves the other fields',
      prayerRow('anna', 'Operation'),
      updateOf('prayers', 'anna', { note: 'Passed', resolved: true }, { note: 'Exam' }),
      [{ note: 'Operation', resolved: true }],
      1,
      [],
    ],
    ['overwrites a text that was emptied', prayerRow('anna', null), PASSED, [{ note: 'Passed' }], 0, []],
    [
      'is saved if the text is the one that was shown',
      { ...prayerRow('anna', 'Exam'), person_name: 'Hannah' },
      PASSED,
      [{ note: 'Passed', person_name: 'Hannah' }],
      0,
      [],
    ],
    ['is saved if the text is the same', prayerRow('anna', 'Passed'), PASSED, [{ note: 'Passed' }], 0, []],
    ['cannot be saved if the row was deleted', null, PASSED, [], 0, [['deleted', { note: 'Passed' }]]],
    ['is done if both have deleted the row', null, DELETION, [], 0, []],
    [
      'does not delete a text that was not seen',
      prayerRow('anna', 'Operation'),
      DELETION,
      [{ note: 'Operation' }],
      0,
      [['conflict', {}]],
    ],
  ])('%s', async (_what, theirs, ours, saved, kept, rejected) => {
    if (theirs) server.put('prayers', theirs)
    else server.remove('prayers', 'anna')
    await sendChanges(sync, ours)
    expect(server.tables.prayers).toMatchObject(saved)
    expect(server.tables.prayer_updates).toHaveLength(kept)
    expect(reasons()).toEqual(rejected)
    expect(sync.status().waiting).toBe(0)
    expect(sync.rows('prayers')).toEqual(server.tables.prayers)
  })

  it('is saved if its text was typed over that of an earlier change, whose row was not received yet', async () => {
    server.put('prayers', { ...prayerRow('anna', 'Exam'), person_name: 'Hannah' })
    await sendChanges(sync, PASSED, updateOf('prayers', 'anna', { note: 'Thanks' }, { note: 'Passed' }))
    expect(noteOf('anna')).toBe('Thanks')
    await sync.change(updateOf('prayers', 'anna', { note: 'Done' }, { note: 'Thanks' }))
    server.put('prayers', { ...prayerRow('anna', 'Thanks'), person_name: 'Anne' })
    await sendChanges(sync, deleteOf('prayers', 'anna', { note: 'Done' }))
    expect(server.tables.prayers).toEqual([])
    expect(reasons()).toEqual([])
  })

  it.each([false, true])(
    'is saved before later ones, apart from the text (only in this page: %s)',
    async (isFull) => {
      sync.close()
      sync = await openTab(server, { fails: () => isFull })
      server.put('prayers', prayerRow('anna', 'Operation'))
      const made = [
        updateOf('prayers', 'anna', { person_name: 'Hannah', note: 'Passed' }, { note: 'Exam' }),
        updateOf('prayers', 'anna', { person_name: 'Anne' }),
      ].map((change) => sync.change(change))
      await sync.syncNow()
      await Promise.all(made)
      expect(server.tables.prayers).toMatchObject([{ person_name: 'Anne', note: 'Operation' }])
      expect(server.tables.prayer_updates).toMatchObject([{ body: '2026-03-01T09:00:00.000Z: Passed' }])
      expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    },
  )

  it('does not delete a text that was received, but not seen', async () => {
    server.put('prayers', prayerRow('anna', 'Operation'))
    await sync.syncNow()
    await sync.change(DELETION)
    expect(sync.rows('prayers')).toEqual([])
    await sync.syncNow()
    expect(reasons()).toEqual([['conflict', {}]])
    expect(sync.rows('prayers')).toMatchObject([{ note: 'Operation' }])
  })

  it('is made when the user tries it again after having seen the other text', async () => {
    server.put('prayers', prayerRow('anna', 'Operation'))
    await sendChanges(sync, DELETION)
    await sync.tryAgain(sync.status().rejected[0]?.id ?? '')
    expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
    await sync.syncNow()
    expect(server.tables.prayers).toEqual([])
  })
})

it('a change that was saved is not sent again if its row was written again before it could be pulled', async () => {
  server.put('prayers', { ...prayerRow('anna', 'Exam'), person_name: 'Hannah' })
  server.intercept = ({ path }) => {
    if (path !== 'categories' || noteOf('anna') !== 'Passed') return null
    server.intercept = () => null
    server.put('prayers', prayerRow('anna', 'Exam'))
    return null
  }
  expect(await sendChanges(sync, PASSED)).toBe(true)
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  expect(sync.rows('prayers')).toMatchObject([{ note: 'Exam', person_name: 'Anna' }])
})

it('a change that was saved is not rejected if its row was written again before it could be pulled, and then deleted', async () => {
  server.put('prayers', { ...prayerRow('anna', 'Exam'), person_name: 'Hannah' })
  server.intercept = ({ path }) => {
    if (path !== 'categories' || noteOf('anna') !== 'Passed') return null
    server.put('prayers', prayerRow('anna', 'Thanks'))
    server.intercept = ({ method }) => {
      if (method === 'PATCH') server.remove('prayers', 'anna')
      return null
    }
    return null
  }
  expect(await sendChanges(sync, PASSED)).toBe(true)
  expect(server.tables.prayers).toEqual([])
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
})

describe('changes that were sent, but not received, before the page was closed', () => {
  const PASSED_TWICE = updateOf('prayers', 'anna', { note: 'Passed with honours' }, { note: 'Passed' })
  /** They are saved, on a row that was written again meanwhile; then the page is closed before it has pulled. */
  const sendAndClose = async (...changes: readonly NewChange[]) => {
    server.markPrayed('anna')
    server.intercept = ({ method, path }) =>
      method === 'GET' && path === 'categories' ? connectionLost() : null
    for (const change of changes) await sync.change(change)
    await sync.syncNow()
    server.intercept = () => null
    sync = await reopen()
    expect(sync.status().waiting).toBe(changes.length)
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  }

  it('keep the last text alone', async () => {
    await sendAndClose(PASSED, PASSED_TWICE)
    expect(noteOf('anna')).toBe('Passed with honours')
    expect(server.tables.prayer_updates).toEqual([])
  })

  it('keep both texts if the last one was typed without having seen the other', async () => {
    await sendAndClose(updateOf('prayers', 'anna', { note: 'Passed' }, { note: 'Exam' }))
    server.put('prayers', prayerRow('anna', 'Thanks'))
    await sync.change(updateOf('prayers', 'anna', { note: 'Moved' }, { note: 'Passed' }))
    await sync.change(updateOf('prayers', 'anna', { note: 'Thanks' }, { note: 'Exam' }))
    await sync.syncNow()
    expect(noteOf('anna')).toBe('Thanks')
    expect(server.tables.prayer_updates).toMatchObject([{ body: '2026-03-01T09:00:00.000Z: Moved' }])
  })

  it('are not rejected if the last one has deleted the row', async () => {
    await sendAndClose(PASSED, deleteOf('prayers', 'anna', { note: 'Passed', answer: null }))
    expect(server.tables.prayers).toEqual([])
  })
})

describe('a rejected change', () => {
  const prayer = insertOf('prayers', { ...prayerRow('ben', 'Job'), category_id: 'new' })

  it('takes those along that depend on it, and no others', async () => {
    server.intercept = ({ path, method }) =>
      path === 'categories' && method === 'POST' ? failure(400, '23514', 'name too long') : null
    await sendChanges(
      sync,
      NEW,
      prayer,
      updateOf('prayers', 'ben', { note: 'New job' }, { note: 'Job' }),
      PASSED,
    )
    expect(
      sync.status().rejected.map((change) => ['row' in change && change.row, change.reason, change.code]),
    ).toEqual([
      ['new', 'rejected', '23514'],
      ['ben', 'depends', ''],
      ['ben', 'depends', ''],
    ])
    expect(noteOf('anna')).toBe('Passed')
    expect(sync.rows('categories')).toHaveLength(2)
  })

  it('is not kept if it has added what was deleted here since', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? failure(400, '23514', 'name too long') : null)
    await sendChanges(
      sync,
      insertOf('prayers', prayerRow('ben', 'Jb')),
      updateOf('prayers', 'ben', { note: 'Job' }, { note: 'Jb' }),
      deleteOf('prayers', 'ben', { note: 'Job', answer: null }),
    )
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    sync = await reopen()
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is kept with what was typed since if that was not seen by whoever has deleted it', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? failure(400, '23514', 'name too long') : null)
    await sendChanges(
      sync,
      insertOf('prayers', prayerRow('ben', 'Job')),
      updateOf('prayers', 'ben', { note: 'New job' }, { note: 'Job' }),
      deleteOf('prayers', 'ben', { note: 'Job', answer: null }),
    )
    expect(sync.status().rejected.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['insert', 'rejected'],
      ['update', 'depends'],
      ['delete', 'depends'],
    ])
  })

  it('is kept until the user discards it, and is still there after a restart', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? failure(403, '42501') : null)
    await sendChanges(sync, NEW)
    sync = await reopen()
    expect(sync.status().rejected).toMatchObject([{ row: 'new', fields: { name: 'Neighbours' } }])
    await sync.discard(sync.status().rejected[0]?.id ?? '')
    sync = await reopen()
    expect(sync.status().rejected).toEqual([])
  })
})

describe('a change with which the server fails', () => {
  const FAULT = () => failure(500, 'XX000')
  const runRounds = async (count: number) => {
    for (let round = 0; round < count; round += 1) expect(await sync.syncNow()).toBe(false)
  }
  const isAbout = (body: unknown, name: string) => JSON.stringify(body).includes(name)
  const sent = () => server.changes.map(({ method, path }) => `${method} ${path}`)

  it('keeps the others waiting for five rounds, and is never rejected', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? FAULT() : null)
    await sync.change(NEW)
    await sync.change(PASSED)
    await runRounds(4)
    expect(noteOf('anna')).toBe('Exam')
    await runRounds(1)
    expect(noteOf('anna')).toBe('Passed')
    await runRounds(20)
    expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
    expect(sync.rows('categories')).toHaveLength(3)
    server.intercept = () => null
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(server.tables.categories).toHaveLength(3)
  })

  it('counts faults in a row only', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? FAULT() : null)
    await sync.change(NEW)
    await sync.change(PASSED)
    await runRounds(4)
    server.intercept = connectionLost
    await runRounds(1)
    server.intercept = ({ method }) => (method === 'POST' ? FAULT() : null)
    await runRounds(4)
    expect(noteOf('anna')).toBe('Exam')
  })

  it('keeps back what depends on it, and sends that in order when it is saved', async () => {
    const ben = { ...prayerRow('ben', 'Job'), category_id: 'new' }
    server.intercept = ({ method, body }) =>
      method === 'POST' && isAbout(body, 'Neighbours') ? FAULT() : null
    await sync.change(NEW)
    await sync.change(updateOf('categories', 'new', { name: 'Street' }))
    await sync.change(insertOf('prayers', ben))
    await sync.change(insertOf('prayer_updates', updateRow('hired', 'ben', 'He has a job')))
    await sync.change(reorderOf('new', 'family', 'friends'))
    await sync.change(PASSED)
    await runRounds(6)
    expect(sent()).toEqual([
      ...Array.from({ length: 5 }, () => 'POST categories'),
      'PATCH prayers',
      'POST categories',
    ])
    server.changes.splice(0)
    server.intercept = () => null
    expect(await sync.syncNow()).toBe(true)
    expect(sent()).toEqual([
      'POST categories',
      'PATCH categories',
      'POST prayers',
      'POST prayer_updates',
      'POST rpc/reorder_categories',
    ])
  })

  it.each<[what: string, change: NewChange]>([
    ['moved', updateOf('prayers', 'anna', { category_id: 'friends' })],
    ['deleted', DELETION],
  ])('keeps back the deletion of the category from which a prayer is %s', async (_how, change) => {
    server.intercept = ({ path }) => (path === 'prayers' ? FAULT() : null)
    await sync.change(change)
    await sync.change(deleteOf('categories', 'family'))
    await sync.change(deleteOf('categories', 'friends'))
    await runRounds(5)
    const left = change.kind === 'update' ? ['family', 'friends'] : ['family']
    expect(server.tables.categories.map(({ id }) => id)).toEqual(left)
    expect(sync.status().rejected).toEqual([])
  })

  it('is tried once in a round, in turn with others', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? FAULT() : null)
    await sync.change(NEW)
    await sync.change(insertOf('categories', categoryRow('work', 'Work', 4)))
    await runRounds(9)
    server.changes.splice(0)
    await runRounds(4)
    const names = server.changes.map(({ body }) => (isAbout(body, 'Work') ? 'Work' : 'Neighbours'))
    expect(names).toEqual(['Neighbours', 'Work', 'Neighbours', 'Work'])
  })
})

describe('inserts that follow one another', () => {
  const ids = Array.from({ length: 250 }, (_, index) => `p${String(index + 100)}`)
  const inserts = ids.map((id) => insertOf('prayers', prayerRow(id, `Note ${id}`)))
  /** The paths of the requests, each with the number of rows. */
  const sent = () =>
    server.changes.map(({ method, path, body }) => [
      `${method} ${path}`,
      Array.isArray(body) ? body.length : 1,
    ])
  const POST = 'POST prayers'
  const isWrong = (body: unknown, id: string) => JSON.stringify(body).includes(`"${id}"`)
  const added = () => server.tables.prayers.map(({ id }) => id).filter((id) => id !== 'anna')

  it('are sent together, 100 at most, and stored as received in one step each', async () => {
    let commits = 0
    sync.close()
    sync = await openTab(server, { onCommit: () => (commits += 1) })
    await sync.change(NEW, ...inserts)
    expect(await sync.syncNow()).toBe(true)
    expect(sent()).toEqual([
      ['POST categories', 1],
      [POST, 100],
      [POST, 100],
      [POST, 50],
    ])
    // One stores the changes, and one what was pulled.
    expect(commits).toBe(1 + 4 + 1)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(added()).toEqual(ids)
    expect(sync.rows('prayers')).toHaveLength(251)
  })

  it('are joined up to 200 kB', async () => {
    const long = ['a', 'b', 'c'].map((id) => insertOf('prayers', prayerRow(id, 'é'.repeat(45_000))))
    await sync.change(...long)
    await sync.syncNow()
    expect(sent()).toEqual([
      [POST, 2],
      [POST, 1],
    ])
  })

  it('are not joined across other changes', async () => {
    await sync.change(...inserts.slice(0, 2), PASSED, ...inserts.slice(2, 4), NEW, ...inserts.slice(4, 5))
    await sync.syncNow()
    expect(sent()).toEqual([
      [POST, 2],
      ['PATCH prayers', 1],
      [POST, 2],
      ['POST categories', 1],
      [POST, 1],
    ])
    expect(sync.status().waiting).toBe(0)
  })

  it('are each sent alone if they exist in this page only', async () => {
    sync.close()
    sync = await openTab(server, { fails: () => true })
    const accepted = sync.change(...inserts.slice(0, 3))
    await vi.waitFor(() => expect(sync.status().unsafe).toBe(true))
    await sync.syncNow()
    await accepted
    expect(sent().slice(-3)).toEqual([
      [POST, 1],
      [POST, 1],
      [POST, 1],
    ])
  })

  it('are sent again after a lost response, without a change of what others have made of them since', async () => {
    sync = await reopen()
    await sync.change(...inserts.slice(0, 100))
    loseNextResponse()
    expect(await sync.syncNow()).toBe(false)
    server.put('prayers', { ...prayerRow('p101', 'Theirs'), person_name: 'Hannah' })
    server.remove('prayers', 'p102')
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(added().toSorted()).toEqual(ids.slice(0, 100).filter((id) => id !== 'p102'))
    expect(noteOf('p101')).toBe('Theirs')
    expect(sync.rows('prayers')).toHaveLength(100)
  })

  it('are rejected one by one, with what depends on them', async () => {
    const wrong = ['p117', 'p230']
    server.intercept = ({ method, body }) =>
      method === 'POST' && wrong.some((id) => isWrong(body, id)) ? failure(400, '22001', 'too long') : null
    await sync.change(...inserts, updateOf('prayers', 'p117', { note: 'New' }, { note: 'Note p117' }))
    await sync.change(PASSED)
    expect(await sync.syncNow()).toBe(true)
    const rejected = sync.status().rejected.map((change) => ['row' in change && change.row, change.reason])
    expect(rejected).toEqual([
      ['p117', 'rejected'],
      ['p117', 'depends'],
      ['p230', 'rejected'],
    ])
    expect(added()).toEqual(ids.filter((id) => !wrong.includes(id)))
    expect(noteOf('anna')).toBe('Passed')
    expect(sync.status().waiting).toBe(0)
    // The logarithm of 100 for each of the two, twice, and a few until as many as before are joined.
    const failed = server.changes.filter(({ body }) => wrong.some((id) => isWrong(body, id)))
    expect(failed.length).toBeLessThan(20)
    expect(server.changes.length).toBeLessThan(60)
  })

  it('are hardly sent more often than one by one if all are wrong', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? failure(413, 'PT413', 'full') : null)
    await sync.change(...inserts)
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: { length: 250 } })
    const rows = sent().reduce((sum, [, count]) => sum + Number(count), 0)
    expect(rows).toBeLessThan(250 + 220)
  })

  it('do not wait for one with which the server fails', async () => {
    server.intercept = ({ method, body }) =>
      method === 'POST' && isWrong(body, 'p120') ? failure(500, 'XX000') : null
    await sync.change(...inserts)
    for (let round = 0; round < 5; round += 1) expect(await sync.syncNow()).toBe(false)
    expect(added()).toEqual(ids.filter((id) => id !== 'p120'))
    expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
    server.intercept = () => null
    expect(await sync.syncNow()).toBe(true)
    expect(sync.status().waiting).toBe(0)
  })

  it('do not wait for one that an older server does not know', async () => {
    server.intercept = ({ method, body }) =>
      method === 'POST' && isWrong(body, 'p120') ? failure(400, 'PGRST204') : null
    await sync.change(...inserts)
    for (let round = 0; round < 8; round += 1) expect(await sync.syncNow()).toBe(false)
    expect(added()).toEqual(ids.filter((id) => id !== 'p120'))
    expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
  })
})

describe('a move of many prayers', () => {
  const ids = Array.from({ length: 250 }, (_, index) => `p${String(index)}`)
  const requests = () => server.changes.map(({ method, path, body }) => [method, path, body])
  const move = ['PATCH', 'prayers', { category_id: 'friends' }]
  const categories = () => new Set(server.tables.prayers.map((row) => row['category_id']))

  beforeEach(async () => {
    server.removeAll('prayers', ['anna'])
    server.putAll(
      'prayers',
      ids.map((id) => prayerRow(id, null)),
    )
    await sync.syncNow()
  })

  it('is one change, sent as updates of 100 at most', async () => {
    await sync.change(moveOf('friends', ...ids))
    expect(sync.status().waiting).toBe(1)
    await sync.syncNow()
    expect(requests()).toEqual([move, move, move])
    expect(categories()).toEqual(new Set(['friends']))
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(sync.rows('prayers')).toEqual(server.tables.prayers.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  })

  it('leaves out what was deleted, and keeps what else another device has changed', async () => {
    server.remove('prayers', 'p7')
    server.put('prayers', prayerRow('p8', 'Exam'))
    await sendChanges(sync, moveOf('friends', 'p7', 'p8', 'p9'))
    const find = (id: string) => server.tables.prayers.find((row) => row.id === id)
    expect(find('p7')).toBeUndefined()
    expect(find('p8')).toMatchObject({ note: 'Exam', category_id: 'friends' })
    expect(find('p9')).toMatchObject({ category_id: 'friends' })
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is repeated after a lost response', async () => {
    sync = await reopen()
    await sync.change(moveOf('friends', ...ids))
    loseNextResponse()
    expect(await sync.syncNow()).toBe(false)
    expect(await sync.syncNow()).toBe(true)
    expect(categories()).toEqual(new Set(['friends']))
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('does not undo a later one if it arrives twice', async () => {
    const late: (() => Promise<Response>)[] = []
    const { fetch } = server
    await sync.change(moveOf('friends', 'p1'))
    const delayed = await reopen(async (input, init) => {
      if (init?.method === 'PATCH' && late.length === 0) late.push(() => fetch(input, init))
      return fetch(input, init)
    })
    await delayed.syncNow()
    await sendChanges(delayed, moveOf('family', 'p1'))
    await late[0]?.()
    expect(categories()).toEqual(new Set(['family']))
  })

  it('is rejected as one if its category is gone', async () => {
    server.intercept = ({ method }) => (method === 'PATCH' ? failure(409, '23503') : null)
    await sendChanges(sync, moveOf('friends', ...ids))
    const args = { prayer_ids: ids, category_id: 'friends' }
    expect(sync.status().rejected).toMatchObject([{ reason: 'rejected', args }])
  })

  it('is rejected with the category that it needs', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? failure(400, '23514') : null)
    await sendChanges(sync, NEW, moveOf('new', ...ids))
    expect(sync.status().rejected.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['insert', 'rejected'],
      ['call', 'depends'],
    ])
    expect(sync.rows('prayers').every((row) => row.category_id === 'family')).toBe(true)
  })

  it('waits for a category that is set aside, and holds back the deletion of the one that it empties', async () => {
    server.intercept = ({ method }) => (method === 'POST' ? failure(500, 'XX000') : null)
    await sync.change(NEW)
    await sync.change(moveOf('new', ...ids))
    await sync.change(deleteOf('categories', 'family'))
    for (let round = 0; round < 6; round += 1) await sync.syncNow()
    expect(server.changes.filter(({ method }) => method !== 'POST')).toEqual([])
    server.intercept = () => null
    expect(await sync.syncNow()).toBe(true)
    expect(categories()).toEqual(new Set(['new']))
    expect(server.tables.categories.map(({ id }) => id)).toEqual(['friends', 'new'])
  })
})

// The rules of these tests do not know it.
it('keeps a change of many rows that only a newer version of the app knows', async () => {
  server.intercept = ({ path }) => (path === 'rpc/unmark_prayed' ? failure(404, 'PGRST202') : null)
  const args = { prayer_ids: ['anna'], prayed_on: '2026-03-01' }
  await sync.change({ table: 'prayers', kind: 'call', name: 'unmark_prayed', args })
  expect(await sync.syncNow()).toBe(false)
  expect(sync.status()).toMatchObject({ waiting: 1, rejected: [] })
})

it('keeps the order of changes while the first cannot be sent, and still receives', async () => {
  server.intercept = ({ method }) => (method === 'POST' ? failure(400, 'PGRST204') : null)
  await sync.change(NEW)
  await sync.change(PASSED)
  server.put('categories', categoryRow('friends', 'Best friends', 2))
  expect(await sync.syncNow()).toBe(false)
  expect(sync.status()).toMatchObject({ waiting: 2, rejected: [] })
  expect(noteOf('anna')).toBe('Exam')
  expect(sync.rows('categories')[1]).toMatchObject({ name: 'Best friends' })
})

it('keeps changes for as long as the account may write nothing, and still receives', async () => {
  const headers = { 'retry-after': '1200' }
  const body = { code: 'PT429', message: 'Your account has changed too much within an hour.' }
  server.intercept = ({ method }) =>
    method === 'POST' ? Response.json(body, { status: 429, headers }) : null
  await sync.change(NEW)
  server.put('categories', categoryRow('friends', 'Best friends', 2))
  expect(await sync.syncNow()).toBe(false)
  expect(sync.status()).toMatchObject({ waiting: 1, rejected: [], retryAfter: 1200 })
  expect(sync.rows('categories')[1]).toMatchObject({ name: 'Best friends' })
  server.intercept = () => null
  expect(await sync.syncNow()).toBe(true)
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [], retryAfter: 0 })
})

it('passes on how long the server wants to be left alone when it could not refresh the session', async () => {
  server.intercept = () => {
    throw new NetworkUnavailableError(120)
  }
  expect(await sync.syncNow()).toBe(false)
  expect(sync.status()).toMatchObject({ retryAfter: 120 })
})

it('sends a change that is made during a round', async () => {
  const made: Promise<void>[] = []
  server.intercept = ({ method }) => {
    if (method === 'POST') made.push(sync.change(updateOf('prayers', 'anna', { resolved: true })))
    return null
  }
  await sendChanges(sync, NEW)
  await Promise.all(made)
  await sync.syncNow()
  expect(server.tables.prayers[0]).toMatchObject({ resolved: true })
})

it('sends a later change of a row once an update of it was received, which is otherwise repeated over it after the page was closed', async () => {
  server.put('prayers', prayerRow('anna', 'Written elsewhere'))
  let isGone = false
  server.intercept = ({ body }) => {
    isGone ||= isRecord(body) && body['resolved'] === false
    return isGone ? connectionLost() : null
  }
  await sync.change(updateOf('prayers', 'anna', { resolved: true }))
  await sendChanges(sync, updateOf('prayers', 'anna', { resolved: false }))
  await sync.syncNow()
  expect(isGone).toBe(true)
  sync.close()
  server.intercept = () => null
  sync = await reopen()
  expect(sync.status().waiting).toBe(1)
  await sync.syncNow()
  expect(server.tables.prayers[0]).toMatchObject({ resolved: false, note: 'Written elsewhere' })
})

describe('a server that seems to be restored again and again', () => {
  let requests: number
  beforeEach(async () => {
    requests = 0
    sync = await reopen((input, init) => {
      if ((requests += 1) === 200) sync.close()
      return server.fetch(input, init)
    })
  })

  it.each<[string, () => FakeServer['intercept']]>([
    [
      'it refuses the epoch that it has told',
      () => (request) => (request.method === 'GET' ? null : failure(412, 'PT412')),
    ],
    [
      'each response names another one',
      () => {
        const restore = server.backUp()
        return ({ path }) => {
          if (path === 'sync_state') restore()
          return null
        }
      },
    ],
  ])('gets a pause as after other failures, and then the change: %s', async (_why, faultOf) => {
    await sync.change(PASSED)
    server.intercept = faultOf()
    expect(await sync.syncNow()).toBe(false)
    expect(requests).toBeLessThan(100)
    expect(sync.status()).toMatchObject({ rejected: [], error: expect.any(Error) })
    server.intercept = () => null
    expect(await sync.syncNow()).toBe(true)
    expect(noteOf('anna')).toBe('Passed')
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [], error: null })
  })
})

it('gives other tabs their turn after 25 seconds, and goes on afterwards', async () => {
  let seconds = 0
  const rounds: number[] = []
  sync.close()
  sync = await openTab(server, {
    now: () => new Date(1_800_000_000_000 + seconds * 1000),
    exclusively: async (round) => {
      const before = server.changes.length
      const result = await round()
      rounds.push(server.changes.length - before)
      return result
    },
  })
  server.intercept = ({ method }) => {
    if (method === 'PATCH') seconds += 10
    return null
  }
  for (let order = 1; order <= 20; order += 1) await sync.change(updateOf('categories', 'family', { order }))
  expect(await sync.syncNow()).toBe(true)
  expect(rounds).toEqual([3, 3, 3, 3, 3, 3, 2])
  expect(server.tables.categories).toContainEqual(expect.objectContaining({ order: 20 }))
})

it('ends up the same if two tabs without a lock send the same changes at the same time', async () => {
  await sync.change(NEW)
  await sync.change(updateOf('prayers', 'anna', { resolved: true }))
  await sync.change(updateOf('prayers', 'anna', { resolved: false, note: 'Passed' }, { note: 'Exam' }))
  await sync.change(deleteOf('categories', 'friends'))
  const other = await openTab(server)
  await Promise.all([sync.syncNow(), other.syncNow()])
  await sync.refresh()
  for (const tab of [sync, other]) {
    expect(tab.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(tab.rows('prayers')).toMatchObject([{ resolved: false, note: 'Passed' }])
    expect(tab.rows('categories').map(({ id }) => id)).toEqual(['family', 'new'])
  }
})

it('does not write an older name over a newer one that another tab without a lock has sent meanwhile', async () => {
  let isOvertaken = false
  const tab = await openTab(server, {
    send: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      if (!isOvertaken && url.searchParams.get('id') === 'eq.anna' && !init?.body) {
        isOvertaken = true
        await sync.syncNow()
        await sendChanges(sync, updateOf('prayers', 'anna', { person_name: 'Anne' }))
      }
      return server.fetch(input, init)
    },
  })
  server.markPrayed('anna')
  await sendChanges(tab, updateOf('prayers', 'anna', { person_name: 'Hannah' }))
  expect(isOvertaken).toBe(true)
  expect(server.tables.prayers).toMatchObject([{ person_name: 'Anne' }])
})

describe('an answer whose prayer is reopened', () => {
  const ANSWER = updateOf('prayers', 'anna', { answer: 'Passed' }, { answer: null })
  const REOPENING: NewChange = {
    table: 'prayers',
    kind: 'call',
    name: 'reopen_prayer',
    args: { prayer_id: 'anna', update_id: 'former', reopened_at: '2026-03-01T09:00:00Z' },
  }
  const answer = () => server.tables.prayers.find(({ id }) => id === 'anna')?.['answer']
  /** What another tab has sent. */
  const reopenOnServer = () => {
    server.put('prayers', prayerRow('anna', 'Exam'))
    server.put('prayer_updates', updateRow('former', 'anna', 'Passed'))
  }

  it('is not sent again if another tab has sent both', async () => {
    server.intercept = connectionLost
    await sendChanges(sync, ANSWER, REOPENING)
    server.intercept = () => null
    reopenOnServer()
    await sync.syncNow()
    expect(answer()).toBeNull()
    expect(server.tables.prayer_updates).toMatchObject([{ body: 'Passed' }])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is sent if it was given after that', async () => {
    server.intercept = connectionLost
    await sendChanges(sync, REOPENING, ANSWER)
    server.intercept = () => null
    reopenOnServer()
    await sync.syncNow()
    expect(answer()).toBe('Passed')
  })
})
