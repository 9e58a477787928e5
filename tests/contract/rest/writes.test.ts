import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type RawRequest, send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const FULL = 'return=representation'
const OBJECT = 'application/vnd.pgrst.object+json'
let token: string

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  token = await accessTokenFor(server.services, ANNA)
})

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

describe('an insert', () => {
  it('is 201 and empty without preferences', async () => {
    const response = await call('POST', '/categories', { body: { name: 'Church', order: 3 } })
    expect([response.status, response.text]).toEqual([201, ''])
    expect(response.headers.get('content-length')).toBe('0')
    expect(response.headers.get('content-range')).toBe('*/*')
    for (const absent of ['content-type', 'location', 'preference-applied']) {
      expect(response.headers.has(absent)).toBe(false)
    }
    expect(await storedNames()).toEqual(['Family', 'Friends', 'Church'])
  })

  it('returns the rows if requested, in the requested order', async () => {
    const response = await call('POST', '/categories?select=name,order&order=order.desc', {
      headers: { prefer: FULL, 'content-profile': 'public' },
      body: [
        { name: ' Church ', order: 3 },
        { name: 'Work', order: 4 },
      ],
    })
    expect(response.status).toBe(201)
    expect(response.json()).toEqual([
      { name: 'Work', order: 4 },
      { name: 'Church', order: 3 },
    ])
    expect(response.headers.get('preference-applied')).toBe(FULL)
    expect(response.headers.get('content-profile')).toBe('public')
    expect(response.headers.get('content-range')).toBe('*/*')
  })

  it('returns a single object if requested', async () => {
    const response = await call('POST', '/categories?select=name', {
      headers: { prefer: FULL, accept: OBJECT },
      body: { name: 'Church', order: 3 },
    })
    expect([response.status, response.text]).toEqual([201, '{"name":"Church"}'])
    expect(response.headers.get('content-type')).toBe(`${OBJECT}; charset=utf-8`)
  })

  it('returns the count if requested', async () => {
    const body = [
      { name: 'a', order: 3 },
      { name: 'b', order: 4 },
    ]
    const response = await call('POST', '/categories', { headers: { prefer: 'count=exact' }, body })
    expect(response.headers.get('content-range')).toBe('*/2')
  })

  it('ignores keys that are not in columns', async () => {
    const body = [
      { name: 'a', order: 3, is_visible: false, nonsense: 1 },
      { order: 4, name: 'b' },
    ]
    const response = await call('POST', '/categories?columns="name","order"&select=is_visible', {
      headers: { prefer: FULL },
      body,
    })
    expect(response.json()).toEqual([{ is_visible: true }, { is_visible: true }])
  })

  it('uses null for a missing key, or the default if requested', async () => {
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

  it('of no rows inserts nothing', async () => {
    const response = await call('POST', '/categories', { headers: { prefer: FULL }, body: [] })
    expect([response.status, response.text]).toEqual([201, '[]'])
  })

  it.each([
    ['broken', '{"name":', 'PGRST102', 'Empty or invalid json'],
    ['different keys', '[{"name":"a"},{"order":1}]', 'PGRST102', 'All object keys must match'],
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
    ['null character', '{"name":"a\\u0000b","order":1}', '22P05', 'unsupported Unicode escape sequence'],
    [
      'nested too deeply',
      `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)},"order":1}`,
      '54001',
      'stack depth limit exceeded',
    ],
    ['half a surrogate pair', '{"name":"\\ud800","order":1}', '22P02', 'invalid input syntax for type json'],
  ])('is rejected and changes nothing: %s', async (_name, body, code, message) => {
    const response = await call('POST', '/categories', { body })
    expect(response.status).toBe(400)
    expect(response.json()).toMatchObject({ code, message })
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })

  it('is rejected for an unknown column in columns', async () => {
    const response = await call('POST', '/categories?columns=nope', { body: [{ nope: 1 }] })
    expect(response.json()).toMatchObject({ code: 'PGRST204' })
  })

  it('has invalid JSON rejected by the database if columns are given', async () => {
    const response = await call('POST', '/categories?columns=name', { body: '[{"name":}]' })
    expect([response.status, JSON.parse(response.text).code]).toEqual([400, '22P02'])
  })

  it('is rejected for content types other than JSON', async () => {
    const headers = { 'content-type': 'text/csv' }
    const response = await call('POST', '/categories', { headers, body: 'name,order' })
    expect([response.status, JSON.parse(response.text).message]).toEqual([
      400,
      'Content-Type not acceptable: text/csv',
    ])
  })

  it('inserts all rows or none', async () => {
    const body = [
      { name: 'a', order: 3 },
      { name: '', order: 4 },
    ]
    expect((await call('POST', '/categories', { body })).status).toBe(400)
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })

  it('of a row that exists already is a conflict', async () => {
    const id = await idOf('Family')
    const response = await call('POST', '/categories', { body: { id, name: 'Again', order: 3 } })
    expect(response.status).toBe(409)
    expect(response.json()).toEqual({
      code: '23505',
      // PostgreSQL omits the key for tables with row level security.
      details: null,
      hint: null,
      message: 'duplicate key value violates unique constraint "categories_pkey"',
    })
  })
})

describe('an update', () => {
  it('is 204 and empty without preferences', async () => {
    const response = await call('PATCH', '/categories?name=eq.Family', { body: { name: 'Home' } })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.get('content-range')).toBe('0-0/*')
    expect(response.headers.has('content-type')).toBe(false)
    expect(await storedNames()).toEqual(['Home', 'Friends'])
  })

  it('returns the rows if requested', async () => {
    const response = await call('PATCH', '/categories?name=like.F*&select=name,is_visible&order=name', {
      headers: { prefer: `${FULL},count=exact` },
      body: { is_visible: false },
    })
    expect(response.status).toBe(200)
    expect(response.json()).toEqual([
      { name: 'Family', is_visible: false },
      { name: 'Friends', is_visible: false },
    ])
    expect(response.headers.get('content-range')).toBe('0-1/2')
    expect(response.headers.get('preference-applied')).toBe(`${FULL}, count=exact`)
  })

  it('of no rows is not an error', async () => {
    const request = { body: { name: 'x' } }
    const response = await call('PATCH', `/categories?id=eq.${randomUUID()}`, request)
    expect([response.status, response.headers.get('content-range')]).toEqual([204, '*/*'])
    const full = await call('PATCH', `/categories?id=eq.${randomUUID()}`, {
      ...request,
      headers: { prefer: FULL },
    })
    expect([full.status, full.text]).toEqual([200, '[]'])
  })

  it('without any column changes nothing', async () => {
    const response = await call('PATCH', '/categories?name=eq.Family', {
      headers: { prefer: FULL },
      body: {},
    })
    expect([response.status, response.text]).toEqual([200, '[]'])
  })

  it.each([`/categories?name=like.F*`, `/categories?name=eq.unknown`])(
    'is rolled back if a single object was requested: %s',
    async (path) => {
      const response = await call('PATCH', path, {
        headers: { accept: OBJECT, prefer: FULL },
        body: { name: 'Changed' },
      })
      expect(response.status).toBe(406)
      expect(response.json()).toMatchObject({
        code: 'PGRST116',
        message: 'Cannot coerce the result to a single JSON object',
        hint: null,
      })
      expect(await storedNames()).toEqual(['Family', 'Friends'])
    },
  )
})

describe('a delete', () => {
  it('is 204 and empty without preferences', async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await call('DELETE', '/categories?name=eq.Family', { headers })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.get('content-range')).toBe('*/*')
    expect(await storedNames()).toEqual(['Friends'])
  })

  it('returns the rows if requested', async () => {
    const headers = { prefer: `${FULL},count=exact` }
    const response = await call('DELETE', '/categories?name=eq.Family&select=name', { headers })
    expect([response.status, response.text]).toEqual([200, '[{"name":"Family"}]'])
    expect(response.headers.get('content-range')).toBe('*/1')
  })

  it('is rolled back if a single object was requested and there are more', async () => {
    const response = await call('DELETE', '/categories?name=like.F*', { headers: { accept: OBJECT } })
    expect(response.status).toBe(406)
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })

  it('of a category with prayers is rejected', async () => {
    await server.services.pool.query(
      `insert into public.prayers (user_id, category_id, person_name)
       select user_id, id, 'Boaz' from public.categories where name = 'Family'`,
    )
    const response = await call('DELETE', '/categories?name=eq.Family')
    expect(response.status).toBe(409)
    expect(response.json()).toMatchObject({ code: expect.stringMatching(/^23(?:001|503)$/) })
    expect(await storedNames()).toEqual(['Family', 'Friends'])
  })
})

describe('an upsert', () => {
  const MERGE = 'resolution=merge-duplicates'

  it('is 201 if a row is new', async () => {
    const body = [
      { id: await idOf('Family'), name: 'Home', order: 1 },
      { id: randomUUID(), name: 'Church', order: 3 },
    ]
    const headers = { prefer: `${MERGE},${FULL}` }
    const response = await call('POST', '/categories?select=name&order=order', { headers, body })
    expect([response.status, response.json()]).toEqual([201, [{ name: 'Home' }, { name: 'Church' }]])
    expect(response.headers.get('preference-applied')).toBe(`${MERGE}, ${FULL}`)
    expect(await storedNames()).toEqual(['Home', 'Friends', 'Church'])
  })

  it('is 200 if all rows existed', async () => {
    const body = { id: await idOf('Family'), name: 'Home', order: 1 }
    const response = await call('POST', '/categories?on_conflict=id', { headers: { prefer: MERGE }, body })
    expect([response.status, response.text]).toEqual([200, ''])
    expect(await storedNames()).toEqual(['Home', 'Friends'])
  })

  it('does not change existing rows if duplicates are ignored', async () => {
    const body = [
      { id: await idOf('Family'), name: 'Home', order: 1 },
      { id: randomUUID(), name: 'Church', order: 3 },
    ]
    const headers = { prefer: `resolution=ignore-duplicates,${FULL}` }
    const response = await call('POST', '/categories?select=name', { headers, body })
    expect([response.status, response.json()]).toEqual([201, [{ name: 'Church' }]])
    expect(await storedNames()).toEqual(['Family', 'Friends', 'Church'])
  })

  it('requires conflict columns with a unique constraint', async () => {
    const request = { headers: { prefer: MERGE }, body: { name: 'Family', order: 1 } }
    expect((await call('POST', '/categories?on_conflict=name', request)).json()).toMatchObject({
      code: '42P10',
    })
    expect((await call('POST', '/categories?on_conflict=nope', request)).json()).toMatchObject({
      code: '42703',
    })
  })
})
