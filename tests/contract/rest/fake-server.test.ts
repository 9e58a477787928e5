// The tests of the web app trust a data API in memory: it has to answer like the real one.
import { beforeEach, expect, it } from 'vitest'
import { isRecord } from '#shared/is-record.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { FakeServer } from '#web/sync/fake-server.test-data.ts'
import { rowsAfter } from '#web/sync/paging.ts'
import { namingKey } from '#web/sync/sealing/remembered.ts'
import { connect, type Server, type ServerResponse } from '#web/sync/server.ts'

const FAMILY = '00000000-0000-4000-8000-0000000000a1'
const FRIENDS = '00000000-0000-4000-8000-0000000000a2'
const RUTH = '00000000-0000-4000-8000-0000000000a3'
const BOAZ = '00000000-0000-4000-8000-0000000000a4'
const NOAH = '00000000-0000-4000-8000-0000000000a5'
const UPDATE = '00000000-0000-4000-8000-0000000000c1'
const UNKNOWN = '00000000-0000-4000-8000-0000000000ff'

const CATEGORY = 'id,user_id,name,order,rev'
const PRAYER = 'id,user_id,category_id,person_name,note,rev'
const REVISIONS = 'id,rev,written_rev'
const PRAYED = `${REVISIONS},times_prayed,last_prayed_on`

const family = { id: FAMILY, name: 'Family', order: 1 }
const friends = { id: FRIENDS, name: 'Friends', order: 2 }
const ruth = { id: RUTH, category_id: FAMILY, person_name: 'Ruth', note: 'Exam' }
const boaz = { id: BOAZ, category_id: FAMILY, person_name: 'Boaz' }
const noah = { id: NOAH, category_id: FRIENDS, person_name: 'Noah' }

const server = useTestServer()

beforeEach(async () => {
  await server.services.pool.query('delete from auth.users')
  await addUsers(server.services.pool)
})

interface Account {
  url: string
  send: typeof fetch
  userId: string
}

interface Devices {
  userId: string
  /** Makes a request and keeps the response, and the state of the synchronisation after it. Resolves to the rows. */
  ask: (request: PromiseLike<ServerResponse<unknown>>) => Promise<readonly Record<string, unknown>[]>
  /** A client that names this epoch, or this key. */
  naming: (known: { epoch?: string; key?: string }) => Server
}

/** The responses to a conversation of an account's devices with its server. */
async function answersOf({ url, send, userId }: Account, talk: (devices: Devices) => Promise<void>) {
  const answers: unknown[] = []
  const naming: Devices['naming'] = ({ epoch = null, key }) =>
    connect(url, (input, init) => send(input, key === undefined ? init : namingKey(init, key)), epoch)
  const ask: Devices['ask'] = async (request) => {
    const { status, error, data } = await request
    const state = await naming({}).from('sync_state').select('rev,floor,restores,key').eq('user_id', userId)
    answers.push({ status, code: isRecord(error) ? error['code'] : null, data, state: state.data })
    return [data].flat().filter(isRecord)
  }
  await talk({ userId, ask, naming })
  return comparable(answers, userId)
}

/** Without what differs by nature: the user's id, and revisions except for their order. */
function comparable(answers: readonly unknown[], userId: string): unknown {
  const isRevision = (name: string, value: unknown) => /rev$|^floor$/.test(name) && typeof value === 'number'
  const revisions = new Set<unknown>()
  const text = JSON.stringify(answers, (name, value: unknown) => {
    if (isRevision(name, value)) revisions.add(value)
    return value
  })
  const ordered = [...revisions].toSorted((a, b) => Number(a) - Number(b))
  return JSON.parse(text, (name, value: unknown) => {
    if (isRevision(name, value)) return ordered.indexOf(value)
    return value === userId ? 'the owner' : value
  })
}

async function expectSameAnswers(talk: (devices: Devices) => Promise<void>): Promise<void> {
  const fake = new FakeServer()
  fake.loseEverything()
  // When a user has signed in, the database compares with its own clock.
  const amr = [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }]
  const token = await accessTokenFor(server.services, ANNA, { amr })
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('apikey', server.services.keys.anonKey)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  const real = await answersOf({ url: `${server.url}/rest/v1`, send, userId: ANNA }, talk)
  const inMemory = await answersOf({ url: 'http://localhost/rest/v1', send: fake.fetch, userId: 'me' }, talk)
  expect(inMemory).toEqual(real)
}

it('answers inserts, updates, deletions and queries like the real server', async () => {
  await expectSameAnswers(async ({ userId, ask, naming }) => {
    const client = naming({})
    const [categories, prayers] = [() => client.from('categories'), () => client.from('prayers')]
    await ask(naming({ epoch: UNKNOWN }).from('categories').insert(family).select(CATEGORY).single())
    await ask(categories().insert(family).select(CATEGORY).single())
    await ask(categories().insert(family).select(CATEGORY).single())
    const options = { ignoreDuplicates: true, defaultToNull: false }
    await ask(categories().upsert([family, friends], options).select(CATEGORY))
    await ask(prayers().upsert([ruth, boaz, noah], options).select(PRAYER))

    await ask(naming({ epoch: UNKNOWN }).from('prayers').update({ note: 'x' }).eq('id', RUTH).select(PRAYER))
    await ask(naming({ epoch: UNKNOWN }).rpc('mark_prayed', { prayer_ids: [RUTH], prayed_on: '2026-01-01' }))
    const [stored] = await ask(prayers().select(PRAYER).eq('id', RUTH))
    const rev = Number(stored?.['rev'])
    const guarded = () => prayers().update({ note: 'Passed' }).eq('id', RUTH).eq('rev', rev)
    await ask(guarded().select(PRAYER))
    await ask(guarded().select(PRAYER))
    await ask(guarded().select(PRAYER).single())
    await ask(
      prayers().update({ category_id: FRIENDS }).in('id', [RUTH, BOAZ]).lte('rev', rev).select('id,rev'),
    )

    const order = [{ column: 'rev' }, { column: 'id' }]
    const page = () => prayers().select(PRAYER).eq('user_id', userId)
    const [, last = {}] = await ask(page().limit(2).order('rev').order('id'))
    await ask(page().or(rowsAfter(last, order)).limit(2).order('rev').order('id'))
    await ask(
      page().gt('rev', rev).lte('rev', Number(last['rev'])).order('rev', { ascending: false }).order('id'),
    )
    await ask(page().in('id', [RUTH, NOAH, UNKNOWN]).order('id'))

    const removal = () => prayers().delete().eq('id', BOAZ)
    await ask(removal().eq('rev', 0).select('id,rev'))
    await ask(removal().select('id,rev'))
    await ask(removal().select('id,rev'))
    await ask(prayers().insert(boaz).select(PRAYER).single())
    await ask(prayers().upsert([boaz, noah], options).select(PRAYER))
    await ask(page().order('id'))
    await ask(client.from('deletions').select('*').eq('user_id', userId).gt('rev', rev).order('rev'))
  })
})

it('numbers prayers that are prayed, or get updates, like the real server', async () => {
  await expectSameAnswers(async ({ userId, ask, naming }) => {
    const client = naming({})
    await client.from('categories').insert(family)
    await client.from('prayers').insert(ruth)
    await client.from('prayers').insert(boaz)
    const rows = () => ask(client.from('prayers').select(PRAYED).eq('user_id', userId).order('id'))
    const call = async (name: string, prayed_on: string, ...prayer_ids: string[]) => {
      await ask(client.rpc(name, { prayer_ids, prayed_on }))
      await rows()
    }
    await call('mark_prayed', '2026-01-02', RUTH, BOAZ, UNKNOWN)
    await call('mark_prayed', '2026-01-02', RUTH)
    await call('mark_prayed', '2026-01-01', RUTH)
    await call('unmark_prayed', '2026-01-02', RUTH)
    await call('unmark_prayed', '2026-01-02', RUTH)
    await call('unmark_prayed', '2026-01-01', RUTH)

    const updates = () => client.from('prayer_updates')
    await ask(updates().insert({ id: UPDATE, prayer_id: RUTH, body: 'Well.' }).select('id,body,rev').single())
    await rows()
    await ask(updates().update({ body: 'Better.' }).eq('id', UPDATE).select('id,body,rev'))
    await rows()
    await ask(updates().delete().eq('id', UPDATE).select('id'))
    await rows()
    await ask(updates().insert({ id: UPDATE, prayer_id: RUTH, body: 'Well.' }).select('id,body,rev'))
    await ask(updates().insert({ id: NOAH, prayer_id: RUTH, body: 'Best.' }).select('id,body,rev'))
    await ask(client.from('prayers').update({ note: 'Job' }).eq('id', RUTH).select(PRAYED))
    await ask(client.from('prayers').delete().eq('id', RUTH).select('id'))
    await ask(updates().select('id'))
    const deletions = client.from('deletions').select('*').eq('user_id', userId)
    await ask(deletions.order('rev').order('row_id').order('table_name'))
  })
})

it('takes an account through the steps of encryption like the real server', async () => {
  await expectSameAnswers(async ({ userId, ask, naming }) => {
    const client = naming({})
    const key = '0123456789ABCDEF'
    const next = 'FEDCBA9876543210'
    const sealed = (letter: string, by = key) => `enc1.${by}.${letter.repeat(80)}`
    const step = (state: string, counter: number, key_id = key) =>
      ask(client.rpc('set_encryption_key', { key_id, state, counter, proof: 'p'.repeat(43) }))
    await ask(naming({ key: 'none.0' }).from('categories').insert(family).select(CATEGORY).single())
    await ask(client.from('categories').insert(friends).select(CATEGORY).single())
    await ask(client.from('prayers').insert(boaz).select(REVISIONS).single())
    await step('encrypting', 1)
    await step('encrypting', 1)
    await step('on', 1)
    const move = (known: string) =>
      naming({ key: known }).from('categories').update({ order: 3 }).eq('id', FAMILY).select(CATEGORY)
    await ask(move('none.0'))
    const rename = (name: string) =>
      client.from('categories').update({ name }).eq('id', FAMILY).select(CATEGORY)
    await ask(rename('Plain'))
    const [renamed] = await ask(rename(sealed('A')))
    await step('on', 2)
    const [other] = await ask(client.from('categories').select(CATEGORY).eq('id', FRIENDS))
    const [prayer] = await ask(client.from('prayers').select(REVISIONS))
    await ask(
      client.rpc('replace_texts', {
        rows: [
          { table: 'categories', id: FAMILY, rev: 0, name: sealed('B') },
          { table: 'categories', id: FRIENDS, rev: other?.['rev'], name: sealed('B') },
          { table: 'prayers', id: BOAZ, rev: prayer?.['rev'], person_name: sealed('B') },
        ],
      }),
    )
    await ask(client.from('categories').select(CATEGORY).gt('rev', Number(renamed?.['rev'])))
    await ask(client.from('prayers').select(REVISIONS))
    await step('on', 2)
    await ask(move(`${key}.2`))
    await step('encrypting', 3, next)
    await step('replaced', 4)
    const [categories, prayers] = [
      await ask(client.from('categories').select('id,rev').order('id')),
      await ask(client.from('prayers').select('id,rev')),
    ]
    const rows = [
      ...categories.map(({ id, rev }) => ({ table: 'categories', id, rev, name: sealed('C', next) })),
      ...prayers.map(({ id, rev }) => ({ table: 'prayers', id, rev, person_name: sealed('C', next) })),
    ]
    await ask(client.rpc('replace_texts', { rows }))
    await step('replaced', 4)
    await step('on', 5, next)
    await step('decrypting', 6, next)
    await ask(rename(sealed('C')))
    await ask(rename('Family'))
    await step('off', 7, next)
    const keys = client.from('encryption_keys').select('key_id,state,counter,proof')
    await ask(keys.eq('user_id', userId))
  })
})
