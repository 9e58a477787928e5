import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type RawRequest, send } from '#tests/support/data-requests.ts'
import { addPeople, ANNA } from '#tests/support/people.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const FULL = 'return=representation'
const OBJECT = 'application/vnd.pgrst.object+json'
let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer()
  await addPeople(server.services.pool)
  token = await accessTokenFor(server.services, ANNA)
})

afterAll(() => server.close())

beforeEach(async () => {
  await server.services.pool.query('delete from public.prayers')
  await server.services.pool.query('delete from public.categories')
  await server.services.pool.query(
    `insert into public.categories (user_id, name, "order") values ($1, 'Family', 1), ($1, 'Friends', 2)`,
    [ANNA],
  )
})

const call = (method: string, path: string, request: RawRequest = {}) =>
  send(server, path, { token, method, ...request })

async function stored(): Promise<{ id: string; name: string; order: number }[]> {
  const { rows } = await server.services.pool.query<{ id: string; name: string; order: number }>(
    'select id, name, "order" from public.categories order by "order", name',
  )
  return rows
}

const storedNames = async () => (await stored()).map((row) => row.name)

async function idOf(name: string): Promise<string> {
  return (await stored()).find((row) => row.name === name)?.id ?? ''
}

describe('adding', () => {
  it('one row without a word is 201 and empty', async () => {
    const answer = await call('POST', '/categories', { body: { name: 'Church', order: 3 } })
    expect([answer.status, answer.text]).toEqual([201, ''])
    expect(answer.headers.get('content-length')).toBe('0')
    expect(answer.headers.get('content-range')).toBe('*/*')
    for (const absent of ['content-type', 'location', 'preference-applied']) {
      expect(answer.headers.has(absent)).toBe(false)
    }
    expect(await storedNames()).toEqual(['Family', 'Friends', 'Church'])
  })

  it('gives the rows when asked, in the order asked for', async () => {
    const answer = await call('POST', '/categories?select=name,order&order=order.desc', {
      headers: { prefer: FULL, 'content-profile': 'public' },
      body: [
        { name: ' Church ', order: 3 },
        { name: 'Work', order: 4 },
      ],
    })
    expect(answer.status).toBe(201)
    expect(answer.json()).toEqual([
      { name: 'Work', order: 4 },
      { name: 'Church', order: 3 },
    ])
    expect(answer.headers.get('preference-applied')).toBe(FULL)
    expect(answer.headers.get('content-profile')).toBe('public')
    expect(answer.headers.get('content-range')).toBe('*/*')
  })

  it('gives one object when asked', async () => {
    const answer = await call('POST', '/categories?select=name', {
      headers: { prefer: FULL, accept: OBJECT },
      body: { name: 'Church', order: 3 },
    })
    expect([answer.status, answer.text]).toEqual([201, '{"name":"Church"}'])
    expect(answer.headers.get('content-type')).toBe(`${OBJECT}; charset=utf-8`)
  })

  it('says where the row is when asked for headers only', async () => {
    const answer = await call('POST', '/categories', {
      headers: { prefer: 'return=headers-only' },
      body: { name: 'Church', order: 3 },
    })
    expect([answer.status, answer.text]).toEqual([201, ''])
    expect(answer.headers.get('location')).toBe(`/categories?id=eq.${await idOf('Church')}`)
  })

  it('counts when asked', async () => {
    const body = [
      { name: 'a', order: 3 },
      { name: 'b', order: 4 },
    ]
    const answer = await call('POST', '/categories', { headers: { prefer: 'count=exact' }, body })
    expect(answer.headers.get('content-range')).toBe('*/2')
  })

  it('leaves out keys that columns does not name', async () => {
    const body = [
      { name: 'a', order: 3, is_visible: false, nonsense: 1 },
      { order: 4, name: 'b' },
    ]
    const answer = await call('POST', '/categories?columns="name","order"&select=is_visible', {
      headers: { prefer: FULL },
      body,
    })
    expect(answer.json()).toEqual([{ is_visible: true }, { is_visible: true }])
  })

  it('takes a missing key for null, or for the default when asked', async () => {
    const path = '/categories?columns=name,order,is_visible&select=name,is_visible'
    const body = [
      { name: 'a', order: 3, is_visible: false },
      { name: 'b', order: 4 },
    ]
    const asNull = await call('POST', path, { headers: { prefer: FULL }, body })
    expect(asNull.json()).toMatchObject({ code: '23502' })
    const asDefault = await call('POST', path, { headers: { prefer: `${FULL},missing=default` }, body })
    expect(asDefault.json()).toEqual([
      { name: 'a', is_visible: false },
      { name: 'b', is_visible: true },
    ])
    expect(asDefault.headers.get('preference-applied')).toBe(`missing=default, ${FULL}`)
  })

  it('nothing adds nothing', async () => {
    const answer = await call('POST', '/categories', { headers: { prefer: FULL }, body: [] })
    expect([answer.status, answer.text]).toEqual([201, '[]'])
  })

  it.each([
    ['empty', '', 'PGRST102', 'Empty or invalid json'],
    ['broken', '{"name":', 'PGRST102', 'Empty or invalid json'],
    ['no object', '7', 'PGRST102', 'Empty or invalid json'],
    ['uneven', '[{"name":"a"},{"order":1}]', 'PGRST102', 'All object keys must match'],
    [
      'unknown columns',
      { nope: 1 },
      'PGRST204',
      "Could not find the 'nope' column of 'categories' in the schema cache",
    ],
    ['wrong types', { name: 'a', order: 'many' }, '22P02', 'invalid input syntax for type integer: "many"'],
    [
      'too long',
      { name: 'x'.repeat(101), order: 1 },
      '23514',
      'new row for relation "categories" violates check constraint "categories_name_length"',
    ],
    [
      'empty name',
      { name: ' \u00a0 ', order: 1 },
      '23514',
      'new row for relation "categories" violates check constraint "categories_name_not_empty"',
    ],
    [
      'missing',
      { name: 'a' },
      '23502',
      'null value in column "order" of relation "categories" violates not-null constraint',
    ],
    ['zero characters', '{"name":"a\\u0000b","order":1}', '22P05', 'unsupported Unicode escape sequence'],
    [
      'too deep',
      `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)},"order":1}`,
      '54001',
      'stack depth limit exceeded',
    ],
    ['half a pair', '{"name":"\\ud800","order":1}', '22P02', 'invalid input syntax for type json'],
  ])('%s: refused, nothing changed', async (_name, body, code, message) => {
    const answer = await call('POST', '/categories', { body })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code, message })
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })

  it('an unknown column in columns is refused', async () => {
    const answer = await call('POST', '/categories?columns=nope', { body: [{ nope: 1 }] })
    expect(answer.json()).toMatchObject({ code: 'PGRST204' })
  })

  it('broken JSON is refused by the database where the columns are named', async () => {
    const answer = await call('POST', '/categories?columns=name', { body: '[{"name":}]' })
    expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, '22P02'])
  })

  it('another type than JSON is refused', async () => {
    const headers = { 'content-type': 'text/csv' }
    const answer = await call('POST', '/categories', { headers, body: 'name,order' })
    expect([answer.status, JSON.parse(answer.text).message]).toEqual([
      400,
      'Content-Type not acceptable: text/csv',
    ])
  })

  it('all rows or none', async () => {
    const body = [
      { name: 'a', order: 3 },
      { name: '', order: 4 },
    ]
    expect((await call('POST', '/categories', { body })).status).toBe(400)
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })

  it('a row that is there already is a conflict', async () => {
    const id = await idOf('Family')
    const answer = await call('POST', '/categories', { body: { id, name: 'Again', order: 3 } })
    expect(answer.status).toBe(409)
    expect(answer.json()).toEqual({
      code: '23505',
      // PostgreSQL tells no keys of a table with row security.
      details: null,
      hint: null,
      message: 'duplicate key value violates unique constraint "categories_pkey"',
    })
  })
})

describe('changing', () => {
  it('is 204 and empty without a word', async () => {
    const answer = await call('PATCH', '/categories?name=eq.Family', { body: { name: 'Home' } })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers.get('content-range')).toBe('0-0/*')
    expect(answer.headers.has('content-type')).toBe(false)
    expect(await storedNames()).toEqual(['Home', 'Friends'])
  })

  it('gives the rows when asked', async () => {
    const answer = await call('PATCH', '/categories?name=like.F*&select=name,is_visible&order=name', {
      headers: { prefer: `${FULL},count=exact` },
      body: { is_visible: false },
    })
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual([
      { name: 'Family', is_visible: false },
      { name: 'Friends', is_visible: false },
    ])
    expect(answer.headers.get('content-range')).toBe('0-1/2')
    expect(answer.headers.get('preference-applied')).toBe(`${FULL}, count=exact`)
  })

  it('nothing is no error', async () => {
    const request = { body: { name: 'x' } }
    const answer = await call('PATCH', `/categories?id=eq.${randomUUID()}`, request)
    expect([answer.status, answer.headers.get('content-range')]).toEqual([204, '*/*'])
    const full = await call('PATCH', `/categories?id=eq.${randomUUID()}`, {
      ...request,
      headers: { prefer: FULL },
    })
    expect([full.status, full.text]).toEqual([200, '[]'])
  })

  it('to nothing changes nothing', async () => {
    const answer = await call('PATCH', '/categories?name=eq.Family', { headers: { prefer: FULL }, body: {} })
    expect([answer.status, answer.text]).toEqual([200, '[]'])
  })

  it.each([`/categories?name=like.F*`, `/categories?name=eq.nobody`])(
    'is undone when one object was promised: %s',
    async (path) => {
      const answer = await call('PATCH', path, {
        headers: { accept: OBJECT, prefer: FULL },
        body: { name: 'Changed' },
      })
      expect(answer.status).toBe(406)
      expect(answer.json()).toMatchObject({
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        hint: null,
      })
      expect(await storedNames()).toEqual(['Family', 'Friends'])
    },
  )
})

describe('removing', () => {
  it('is 204 and empty without a word', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await call('DELETE', '/categories?name=eq.Family', { headers })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers.get('content-range')).toBe('*/*')
    expect(await storedNames()).toEqual(['Friends'])
  })

  it('gives the rows when asked', async () => {
    const headers = { prefer: `${FULL},count=exact` }
    const answer = await call('DELETE', '/categories?name=eq.Family&select=name', { headers })
    expect([answer.status, answer.text]).toEqual([200, '[{"name":"Family"}]'])
    expect(answer.headers.get('content-range')).toBe('*/1')
  })

  it('is undone when one object was promised', async () => {
    const answer = await call('DELETE', '/categories?name=like.F*', { headers: { accept: OBJECT } })
    expect(answer.status).toBe(406)
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })

  it('a category that holds a prayer is refused', async () => {
    await server.services.pool.query(
      `insert into public.prayers (user_id, category_id, person_name)
       select user_id, id, 'Boaz' from public.categories where name = 'Family'`,
    )
    const answer = await call('DELETE', '/categories?name=eq.Family')
    expect(answer.status).toBe(409)
    expect(answer.json()).toMatchObject({ code: expect.stringMatching(/^23(?:001|503)$/) })
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })
})

describe('adding or changing', () => {
  const MERGE = 'resolution=merge-duplicates'

  it('is 201 when a row is new', async () => {
    const body = [
      { id: await idOf('Family'), name: 'Home', order: 1 },
      { id: randomUUID(), name: 'Church', order: 3 },
    ]
    const headers = { prefer: `${MERGE},${FULL}` }
    const answer = await call('POST', '/categories?select=name&order=order', { headers, body })
    expect([answer.status, answer.json()]).toEqual([201, [{ name: 'Home' }, { name: 'Church' }]])
    expect(answer.headers.get('preference-applied')).toBe(`${MERGE}, ${FULL}`)
    expect(await storedNames()).toEqual(['Home', 'Friends', 'Church'])
  })

  it('is 200 when all were there', async () => {
    const body = { id: await idOf('Family'), name: 'Home', order: 1 }
    const answer = await call('POST', '/categories?on_conflict=id', { headers: { prefer: MERGE }, body })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await storedNames()).toEqual(['Home', 'Friends'])
  })

  it('leaves those that are there when asked to ignore them', async () => {
    const body = [
      { id: await idOf('Family'), name: 'Home', order: 1 },
      { id: randomUUID(), name: 'Church', order: 3 },
    ]
    const headers = { prefer: `resolution=ignore-duplicates,${FULL}` }
    const answer = await call('POST', '/categories?select=name', { headers, body })
    expect([answer.status, answer.json()]).toEqual([201, [{ name: 'Church' }]])
    expect(await storedNames()).toEqual(['Family', 'Friends', 'Church'])
  })

  it('needs columns that tell rows apart', async () => {
    const request = { headers: { prefer: MERGE }, body: { name: 'Family', order: 1 } }
    expect((await call('POST', '/categories?on_conflict=name', request)).json()).toMatchObject({
      code: '42P10',
    })
    expect((await call('POST', '/categories?on_conflict=nope', request)).json()).toMatchObject({
      code: '42703',
    })
  })
})
