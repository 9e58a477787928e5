import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type RawRequest, send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const FAMILY = '00000000-0000-4000-8000-0000000000a1'
const RUTH = '00000000-0000-4000-8000-0000000000a3'
const NOAH = '00000000-0000-4000-8000-0000000000a4'
const FULL = { prefer: 'return=representation' }
const OBJECT = { ...FULL, accept: 'application/vnd.pgrst.object+json' }

let token: string

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  token = await accessTokenFor(server.services, ANNA)
})

/** Anna has written nothing yet. */
beforeEach(async () => {
  await server.services.pool.query('delete from auth.users')
  await addUsers(server.services.pool)
})

async function call(method: string, path: string, request: RawRequest = {}) {
  const { status, text } = await send(server, path, { token, method, ...request })
  return { status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

/** Adds a category (rev 1) and a prayer (rev 2). */
async function addRows(): Promise<void> {
  await call('POST', '/categories', { body: { id: FAMILY, name: 'Family', order: 1 } })
  await addRuth()
}

const addRuth = (headers: Record<string, string> = FULL) =>
  call('POST', '/prayers', { headers, body: { id: RUTH, category_id: FAMILY, person_name: 'Ruth' } })

describe('the sync state', () => {
  it('is an empty list until the first write, and then one row', async () => {
    expect(await call('GET', '/sync_state?select=rev,floor,epoch')).toEqual({ status: 200, body: [] })
    await addRows()
    expect(await call('GET', '/sync_state')).toEqual({
      status: 200,
      body: [
        {
          user_id: ANNA,
          rev: 2,
          floor: 0,
          epoch: expect.stringMatching(/^[0-9a-f-]{36}$/),
          restores: [],
          key: 'none.0',
        },
      ],
    })
  })
})

it('a write that names another epoch, as a preference, is 412 and changes nothing', async () => {
  await addRows()
  const { rows } = await server.services.pool.query<{ epoch: string }>('select epoch from public.sync_state')
  const rename = async (epoch: string) => {
    const headers = { prefer: `epoch=${epoch}, return=representation` }
    const response = await call('PATCH', `/prayers?id=eq.${RUTH}`, { headers, body: { note: epoch } })
    return { ...response, body: [response.body].flat() }
  }
  const [{ epoch } = { epoch: '' }] = rows
  expect(await rename(FAMILY)).toMatchObject({ status: 412, body: [{ code: 'PT412' }] })
  expect(await rename(epoch)).toMatchObject({ status: 200, body: [{ note: epoch, rev: 3 }] })
  const prayed = { prayer_ids: [RUTH], prayed_on: '2026-01-01' }
  const mark = (known: string) =>
    call('POST', '/rpc/mark_prayed', { headers: { prefer: `epoch=${known}` }, body: prayed })
  expect(await mark(FAMILY)).toMatchObject({ status: 412, body: { code: 'PT412' } })
  expect(await mark(epoch)).toMatchObject({ status: 204 })
})

it('a write that names another prayer key is 412 and changes nothing; one in the wrong form is 400', async () => {
  await addRows()
  const key = '0123456789ABCDEF'
  const rename = async (known: string, note: string) => {
    const headers = { prefer: `key=${known}, return=representation` }
    const response = await call('PATCH', `/prayers?id=eq.${RUTH}`, { headers, body: { note } })
    return { ...response, body: [response.body].flat() }
  }
  expect(await rename('none.0', 'plain')).toMatchObject({ status: 200 })
  const amr = [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) }]
  const lately = await accessTokenFor(server.services, ANNA, { amr })
  const begin = { key_id: key, state: 'encrypting', counter: 1, proof: 'p'.repeat(43) }
  expect(await call('POST', '/rpc/set_encryption_key', { body: begin, token: lately })).toEqual({
    status: 204,
    body: null,
  })
  expect(await call('GET', '/encryption_keys?select=key_id,state,counter')).toEqual({
    status: 200,
    body: [{ key_id: key, state: 'encrypting', counter: 1 }],
  })
  for (const known of ['none.0', `${key}.2`, 'none.1'])
    expect(await rename(known, 'plain')).toMatchObject({ status: 412, body: [{ code: 'PT412' }] })
  expect(await rename(`${key}.1`, 'other')).toMatchObject({
    status: 400,
    body: [{ code: 'IC001', details: 'prayers.note' }],
  })
  const sealed = `enc1.${key}.${'A'.repeat(80)}`
  expect(await rename(`${key}.1`, sealed)).toMatchObject({ status: 200, body: [{ note: sealed }] })
})

describe('rows', () => {
  it('have the number of their last change, as a JSON number', async () => {
    await addRows()
    const update = await call('PATCH', `/prayers?id=eq.${RUTH}`, {
      headers: FULL,
      body: { note: 'x', rev: 77 },
    })
    expect(update).toMatchObject({ status: 200, body: [{ id: RUTH, note: 'x', rev: 3 }] })
    expect(await call('GET', '/prayers?select=id,rev&rev=gt.2&rev=lte.3&order=rev,id')).toEqual({
      status: 200,
      body: [{ id: RUTH, rev: 3 }],
    })
  })

  it.each([
    ['PATCH', { note: 'x' }],
    ['DELETE', undefined],
  ])('can be guarded by their number: %s', async (method, body) => {
    await addRows()
    const guarded = (rev: number, headers: Record<string, string>) =>
      call(method, `/prayers?id=eq.${RUTH}&rev=eq.${String(rev)}`, { headers, body })
    expect(await guarded(1, FULL)).toEqual({ status: 200, body: [] })
    expect(await guarded(1, OBJECT)).toMatchObject({ status: 406, body: { code: 'PGRST116' } })
    expect(await call('GET', '/prayers?select=note,rev')).toEqual({
      status: 200,
      body: [{ note: null, rev: 2 }],
    })
    expect(await guarded(2, FULL)).toMatchObject({ status: 200, body: [{ id: RUTH }] })
  })
})

it('many rows get the same fields by one update, unless they were written after a revision', async () => {
  await addRows()
  await call('POST', '/prayers', { body: { id: NOAH, category_id: FAMILY, person_name: 'Noah' } })
  const move = (rev: number) =>
    call('PATCH', `/prayers?id=in.(${RUTH},${NOAH})&rev=lte.${String(rev)}&select=id,rev`, {
      headers: FULL,
      body: { category_id: FAMILY },
    })
  expect(await move(2)).toEqual({ status: 200, body: [{ id: RUTH, rev: 4 }] })
  const { status, body } = await move(4)
  expect(status).toBe(200)
  expect(body).toHaveLength(2)
})

describe('a deleted row', () => {
  beforeEach(async () => {
    await addRows()
    await call('DELETE', `/prayers?id=eq.${RUTH}`)
  })

  it('is listed in deletions', async () => {
    expect(await call('GET', '/deletions?rev=gt.2&rev=lte.3&order=rev,row_id')).toEqual({
      status: 200,
      body: [{ user_id: ANNA, table_name: 'prayers', row_id: RUTH, rev: 3, row_rev: 2 }],
    })
  })

  it('is not added again by an insert: 201 without rows, or 406 if a single row was requested', async () => {
    expect(await addRuth()).toEqual({ status: 201, body: [] })
    expect(await addRuth({})).toEqual({ status: 201, body: null })
    expect(await addRuth(OBJECT)).toMatchObject({
      status: 406,
      body: { code: 'PGRST116', details: 'The result contains 0 rows' },
    })
    expect(await call('GET', '/prayers')).toEqual({ status: 200, body: [] })
  })

  it('is left out of rows that are added together, and so is one that exists', async () => {
    const people = [
      { id: RUTH, category_id: FAMILY, person_name: 'Ruth' },
      { id: NOAH, category_id: FAMILY, person_name: 'Noah', note: 'Ark' },
    ]
    const prefer = 'resolution=ignore-duplicates,missing=default,return=representation'
    const add = () =>
      call('POST', '/prayers?columns=id,category_id,person_name,note,resolved&select=id,note,resolved', {
        headers: { prefer },
        body: people,
      })
    expect(await add()).toEqual({ status: 201, body: [{ id: NOAH, note: 'Ark', resolved: false }] })
    const { status, body } = await add()
    expect([status, body]).toEqual([201, []])
  })

  it('is not added again by an upsert', async () => {
    const prefer = 'resolution=merge-duplicates,return=representation'
    expect(await addRuth({ prefer })).toEqual({ status: 200, body: [] })
  })
})
