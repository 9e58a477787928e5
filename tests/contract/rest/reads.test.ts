import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type RawRequest, send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

let token: string

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  token = await accessTokenFor(server.services, ANNA)
  await server.services.pool.query(
    `insert into public.categories (user_id, name, "order", is_visible)
     select $1, name, position, name <> 'Work' from unnest($2::text[]) with ordinality as listed (name, position)`,
    [ANNA, ['Family', 'Friends', 'Church', 'Work', 'a,b "c" (d)']],
  )
})

const read = (path: string, request: RawRequest = {}) => send(server, path, { token, ...request })

async function names(query: string): Promise<string[]> {
  const response = await read(`/categories?select=name&order=order&${query}`)
  const rows: { name: string }[] = JSON.parse(response.text)
  return rows.map((row) => row.name)
}

describe('a list', () => {
  it('is an array with its range, location and content type', async () => {
    const response = await read('/categories?select=name&order=order.desc&limit=2&name=neq.a%20b')
    expect(response.status).toBe(200)
    expect(response.json()).toEqual([{ name: 'a,b "c" (d)' }, { name: 'Work' }])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('content-range')).toBe('0-1/*')
    expect(response.headers.get('content-location')).toBe(
      '/categories?limit=2&name=neq.a%20b&order=order.desc&select=name',
    )
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(response.text)))
    expect(response.headers.has('preference-applied')).toBe(false)
    expect(response.headers.has('content-profile')).toBe(false)
  })

  it('has no range if it is empty', async () => {
    const response = await read('/prayers')
    expect([response.status, response.text, response.headers.get('content-range')]).toEqual([
      200,
      '[]',
      '*/*',
    ])
    expect(response.headers.get('content-location')).toBe('/prayers')
  })

  it('names the schema if the request did', async () => {
    const response = await read('/categories?select=name', { headers: { 'accept-profile': 'public' } })
    expect(response.headers.get('content-profile')).toBe('public')
  })

  it('has all columns in the order of the table, with times as ISO 8601 in UTC', async () => {
    const [row] = JSON.parse((await read('/categories?limit=1')).text)
    expect(Object.keys(row)).toEqual([
      'id',
      'user_id',
      'name',
      'order',
      'is_visible',
      'created_at',
      'updated_at',
      'rev',
      'pray_days',
    ])
    expect(row.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?\+00:00$/)
  })
})

describe('filters', () => {
  it.each([
    ['name=eq.Family', ['Family']],
    ['name=neq.Family&is_visible=eq.false', ['Work']],
    ['name=like.F*', ['Family', 'Friends']],
    ['name=ilike.*c*', ['Church', 'a,b "c" (d)']],
    ['name=not.like.F*&is_visible=is.true', ['Church', 'a,b "c" (d)']],
    ['name=in.(Work,"a,b \\"c\\" (d)")', ['Work', 'a,b "c" (d)']],
    ['name=in.()', []],
    ['is_visible=is.false', ['Work']],
    ['is_visible=not.is.false&name=lt.Friends&name=gt.Church', ['Family']],
    ['or=(name.eq.Work,and(name.gte.F,name.lt.Fb))', ['Family', 'Work']],
    ['not.or=(name.eq.Work,name.like.F*)', ['Church', 'a,b "c" (d)']],
    ['and=(name.neq.Work,is_visible.is.true)&name=neq.Church', ['Family', 'Friends', 'a,b "c" (d)']],
    ['or=(name.eq."a,b \\"c\\" (d)")', ['a,b "c" (d)']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })
})

describe('part of a list', () => {
  it.each([
    ['limit=2&offset=4', {}, '4-4/*', 200],
    ['limit=2&offset=1', { prefer: 'count=exact' }, '1-2/5', 206],
    ['limit=2', { prefer: 'count=estimated' }, '0-1/5', 206],
    ['name=eq.unknown', { prefer: 'count=planned' }, '*/0', 200],
  ])('%j with %j is %s', async (query, headers: Record<string, string>, contentRange, status) => {
    const response = await read(`/categories?select=name&${query}`, { headers })
    expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange])
    expect(response.headers.get('preference-applied')).toBe(headers['prefer'] ?? null)
  })

  it('has at most 1,000 rows, like a Supabase project', async () => {
    await server.services.pool.query(
      `insert into public.prayers (user_id, category_id, person_name)
       select user_id, id, 'Person ' || number from public.categories, generate_series(1, 1001) as number
       where name = 'Church'`,
    )
    const response = await read('/prayers?select=id&limit=5000', { headers: { prefer: 'count=exact' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, '0-999/1001'])
    expect(response.json()).toHaveLength(1000)
    await server.services.pool.query('delete from public.prayers')
  })
})

describe('HEAD', () => {
  it('returns the headers of GET and no body', async () => {
    const request = { headers: { prefer: 'count=exact' } }
    const got = await read('/categories?select=name', request)
    const head = await read('/categories?select=name', { ...request, method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-range', 'content-type', 'content-location', 'preference-applied']) {
      expect([name, head.headers.get(name)]).toEqual([name, got.headers.get(name)])
    }
  })
})

describe('a long response', () => {
  const headers = { 'accept-encoding': 'gzip, br', prefer: 'count=exact' }

  beforeAll(() =>
    server.services.pool.query(
      `insert into public.prayers (user_id, category_id, person_name)
       select user_id, id, 'Person ' || number from public.categories, generate_series(1, 100) as number
       where name = 'Church'`,
    ),
  )
  afterAll(() => server.services.pool.query('delete from public.prayers'))

  it('is compressed, and otherwise the same', async () => {
    const path = '/prayers?order=id&limit=99'
    const plain = await read(path, { headers: { ...headers, 'accept-encoding': 'identity' } })
    const compressed = await read(path, { headers })
    expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(plain.text)))
    expect(compressed.headers.get('content-encoding')).toBe('br')
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(plain.text.length / 5)
    expect(compressed.text === plain.text).toBe(true)
    for (const response of [plain, compressed]) {
      expect([response.status, response.headers.get('content-range')]).toEqual([206, '0-98/100'])
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(response.headers.get('vary')).toBe('accept-encoding')
    }
  })

  it('of a function is compressed', async () => {
    const response = await read('/rpc/export_account', { method: 'POST', headers })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, 'br'])
    expect(response.json()).toMatchObject({ format: 'intercede-export' })
  })

  it('has no body and no encoding for HEAD', async () => {
    const response = await read('/prayers', { method: 'HEAD', headers })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
  })
})

describe('a single object', () => {
  const headers = { accept: 'application/vnd.pgrst.object+json' }

  it('is returned without an array around it', async () => {
    const response = await read('/categories?select=name&name=eq.Work', { headers })
    expect([response.status, response.text]).toEqual([200, '{"name":"Work"}'])
    expect(response.headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8')
  })

  it.each([
    ['name=eq.unknown', 0],
    ['name=like.F*', 2],
  ])('is rejected if %s finds %i rows', async (query, rows) => {
    const response = await read(`/categories?${query}`, { headers })
    expect(response.status).toBe(406)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.json()).toEqual({
      code: 'PGRST116',
      details: `The result contains ${rows} rows`,
      hint: null,
      message: 'Cannot coerce the result to a single JSON object',
    })
  })
})

describe('an invalid read', () => {
  it.each([
    ['/categories?nope=eq.1', {}, 400, '42703', 'column categories.nope does not exist'],
    ['/categories?select=nope', {}, 400, '42703', 'column categories.nope does not exist'],
    ['/categories?order=nope', {}, 400, '42703', 'column categories.nope does not exist'],
    ['/categories', { range: '0-1' }, 400, 'PGRST127', 'Not supported by this server: the Range header'],
    ['/categories?id=eq.x', {}, 400, '22P02', 'invalid input syntax for type uuid: "x"'],
    [
      '/categories?created_at=gt.soon',
      {},
      400,
      '22007',
      'invalid input syntax for type timestamp with time zone: "soon"',
    ],
    ['/categories?id=like.x*', {}, 404, '42883', 'operator does not exist: uuid ~~ unknown'],
    ['/categories?name=foo.x', {}, 400, 'PGRST100', '"failed to parse filter (foo.x)" (line 1, column 1)'],
    ['/categories?select=*,prayers(*)', {}, 400, 'PGRST127', "Not supported by this server: embedding other tables ('prayers')"], // prettier-ignore
    ['/nope', {}, 404, 'PGRST205', "Could not find the table 'public.nope' in the schema cache"],
    ['/pg_class', {}, 404, 'PGRST205', "Could not find the table 'public.pg_class' in the schema cache"],
    ['/categories?limit=-1', {}, 416, 'PGRST103', 'Requested range not satisfiable'],
    [
      '/categories',
      { accept: 'text/csv' },
      406,
      'PGRST107',
      'None of these media types are available: text/csv',
    ],
    ['/categories', { 'accept-profile': 'auth' }, 406, 'PGRST106', 'Invalid schema: auth'],
    [
      '/categories',
      { prefer: 'handling=strict, x=y' },
      400,
      'PGRST122',
      'Invalid preferences given with handling=strict',
    ],
    ['/categories?name=eq.%00', {}, 400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00'],
  ] as const)('%s %j is %i %s', async (path, headers, status, code, message) => {
    const response = await read(path, { headers })
    expect(response.status).toBe(status)
    expect(response.json()).toMatchObject({ code, message })
    expect(Object.keys(JSON.parse(response.text)).toSorted()).toEqual(['code', 'details', 'hint', 'message'])
    expect(response.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it.each(['PUT', 'PATCH', 'DELETE'])('%s without a filter is rejected', async (method) => {
    const response = await read('/categories', { method, body: { name: 'x' } })
    expect(response.status).toBe(method === 'PUT' ? 405 : 400)
    expect(response.json()).toMatchObject({ code: method === 'PUT' ? 'PGRST117' : '21000' })
    expect(await names('')).toHaveLength(5)
  })
})
