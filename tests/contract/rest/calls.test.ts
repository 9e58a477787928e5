import { beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type RawRequest, send } from '#tests/support/data-requests.ts'
import { introspectSchema } from '#server/rest/schema-introspection.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const OBJECT = 'application/vnd.pgrst.object+json'
let token: string

const FUNCTIONS = `
  create table public.marks (number int primary key, word text);
  grant select, insert on public.marks to authenticated;
  create function public.add(a int, b int default 10) returns int language sql immutable as 'select a + b';
  create function public.nothing() returns text language sql stable as 'select null::text';
  create function public.words() returns setof text language sql stable as $$ values ('one'), ('two'), ('three') $$;
  create function public.pairs(up_to int) returns table (number int, word text) language sql stable
    as $$ select n, 'w' || n from generate_series(1, up_to) n $$;
  create function public.one_mark() returns public.marks language sql stable as $$ select row(7, 'seven')::public.marks $$;
  create function public.total(variadic numbers int[]) returns int language sql immutable
    as 'select sum(n)::int from unnest(numbers) n';
  create function public.mark(numbers int[]) returns setof public.marks language sql
    as $$ insert into public.marks select n, 'marked' from unnest(numbers) n returning * $$;
  create function public.teapot() returns void language plpgsql
    as $$ begin raise exception 'short and stout' using errcode = 'PT418', detail = 'spout', hint = 'tip me over'; end $$;
  create function public.vague(a int) returns int language sql as 'select 1';
  create function public.vague(a text) returns int language sql as 'select 2';
  create function public.mixed(a int, b int default 1, c int default 1) returns int language sql as 'select 1';
  create function public.mixed(a int, b anyelement default null::int) returns int language sql as 'select 2';
  create function public.mixed(a int, b bool default true) returns int language sql as 'select 3';
  create function public.whatever(a anyelement) returns int language sql as 'select 1';
  create function public.nap() returns void language sql set statement_timeout = '1ms' as 'select pg_sleep(5)';
  create function public.rest() returns void language sql set statement_timeout = 120000 as '';
  create function public.hidden() returns int language sql as 'select 1';
  revoke all on function public.hidden() from public;`

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  await server.services.pool.query(FUNCTIONS)
  server.clock.advance(1)
  token = await accessTokenFor(server.services, ANNA)
})

const call = (name: string, body?: unknown, request: RawRequest = {}) =>
  send(server, `/rpc/${name}`, { token, method: 'POST', body, ...request })
const get = (path: string, request: RawRequest = {}) => send(server, `/rpc/${path}`, { token, ...request })

describe('a function', () => {
  it('without a result is 204', async () => {
    const response = await call(
      'reorder_categories',
      { category_ids: [] },
      { headers: { prefer: 'return=minimal' } },
    )
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.has('content-type')).toBe(false)
  })

  it.each([
    ['a value', 'add', { a: 1, b: 2 }, '3'],
    ['a value, with an argument omitted', 'add', { a: 1 }, '11'],
    ['null', 'nothing', undefined, 'null'],
    ['values', 'words', {}, '["one", \n "two", \n "three"]'],
    ['one row', 'one_mark', {}, '{"number":7,"word":"seven"}'],
    ['rows', 'pairs', { up_to: 2 }, '[{"number":1,"word":"w1"}, \n {"number":2,"word":"w2"}]'],
    ['no rows', 'pairs', { up_to: 0 }, '[]'],
    ['a value for variadic arguments', 'total', { numbers: [1, 2, 3] }, '6'],
  ])('returns %s', async (_name, name, body, text) => {
    const response = await call(name, body)
    expect([response.status, response.text]).toEqual([200, text])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('that returns rows can be read like a table', async () => {
    const response = await call('pairs?select=n:number&number=gt.2&order=number.desc&limit=2', { up_to: 9 })
    expect(response.json()).toEqual([{ n: 9 }, { n: 8 }])
    expect(response.headers.get('content-range')).toBe('0-1/*')
    const counted = await call('pairs?limit=2', { up_to: 9 }, { headers: { prefer: 'count=exact' } })
    expect([counted.status, counted.headers.get('content-range')]).toEqual([206, '0-1/9'])
  })

  it('can be called for a single object', async () => {
    const headers = { accept: OBJECT }
    expect((await call('pairs', { up_to: 1 }, { headers })).json()).toEqual({ number: 1, word: 'w1' })
    expect((await call('pairs', { up_to: 2 }, { headers })).json()).toMatchObject({ code: 'PGRST116' })
  })

  it('runs once, and is rolled back if a single object was requested and there are two', async () => {
    const marks = async () =>
      (await server.services.pool.query('select number from public.marks')).rows.length
    expect(
      (await call('mark?select=number', { numbers: [1, 2] }, { headers: { accept: OBJECT } })).status,
    ).toBe(406)
    expect(await marks()).toBe(0)
    const response = await call(
      'mark?select=number',
      { numbers: [1, 2] },
      { headers: { prefer: 'count=exact' } },
    )
    expect(response.json()).toEqual([{ number: 1 }, { number: 2 }])
    expect(await marks()).toBe(2)
  })

  it('is cancelled after its own time limit, which only an import has', async () => {
    const { routines } = await introspectSchema(server.services.pool)
    const limits = routines.map(({ name, statement_timeout: limit }) => [name, limit] as const)
    expect(Object.fromEntries(limits.filter(([, limit]) => limit !== null))).toEqual({
      import_prayers: 50_000,
      nap: 1,
      rest: 120_000,
    })
    const response = await call('nap')
    expect(response.status).toBe(503)
    expect(JSON.parse(response.text)).toMatchObject({ code: '57014' })
  })

  it('can choose the status', async () => {
    const response = await call('teapot')
    expect(response.status).toBe(418)
    expect(response.json()).toEqual({
      code: 'PT418',
      details: 'spout',
      hint: 'tip me over',
      message: 'short and stout',
    })
  })
})

describe('a function that is not volatile', () => {
  it('can be called with GET', async () => {
    expect((await get('add?a=1&b=2')).text).toBe('3')
    expect((await get('total?numbers=%7B1,2%7D')).text).toBe('3')
    expect((await get('pairs?up_to=5&number=in.(2,4)&select=word')).json()).toEqual([
      { word: 'w2' },
      { word: 'w4' },
    ])
  })

  it('can be called with HEAD', async () => {
    const response = await get('pairs?up_to=5', { method: 'HEAD', headers: { prefer: 'count=exact' } })
    expect([response.status, response.text, response.headers.get('content-range')]).toEqual([
      200,
      '',
      '0-4/5',
    ])
  })
})

describe('a call is rejected', () => {
  it('with GET, if the function is volatile', async () => {
    const response = await get('mark?numbers=%7B5%7D')
    expect([response.status, JSON.parse(response.text).code]).toEqual([405, 'PGRST101'])
  })

  it.each(['PATCH', 'PUT', 'DELETE'])('with %s', async (method) => {
    const response = await call('add', { a: 1 }, { method })
    expect(response.status).toBe(405)
    expect(response.json()).toMatchObject({
      code: 'PGRST101',
      message: `Cannot use the ${method} method on RPC`,
    })
  })

  it('with the name and arguments that were not found', async () => {
    const response = await call('pairs', { upto: 1, from: 2 })
    expect(response.status).toBe(404)
    expect(response.json()).toEqual({
      code: 'PGRST202',
      details:
        'Searched for the function public.pairs with parameters upto, from, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.pairs(up_to)',
      message: 'Could not find the function public.pairs(upto, from) in the schema cache',
    })
  })

  it('with the candidates, those with the fewest parameters first, if several have defaults for the rest', async () => {
    const response = await call('mixed', { a: 1 })
    expect(response.status).toBe(300)
    expect(response.json()).toEqual({
      code: 'PGRST203',
      details: null,
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      message:
        'Could not choose the best candidate function between: public.mixed(a => integer, b => anyelement), ' +
        'public.mixed(a => integer, b => boolean), public.mixed(a => integer, b => integer, c => integer)',
    })
  })

  it('if another function has been added that makes it ambiguous', async () => {
    const create = (parameters: string) =>
      server.services.pool.query(
        `create function public.added(${parameters}) returns int language sql as 'select 1'`,
      )
    await create('a int, b int default 1')
    server.clock.advance(1)
    expect((await call('added', { a: 1, b: 2 })).status).toBe(200)
    await create('a int, c int[] default null')
    server.clock.advance(1)
    expect((await call('added', { a: 1 })).json()).toMatchObject({ code: 'PGRST203' })
  })

  it('quoting no more than 4,000 characters of it', async () => {
    const argument = 'x'.repeat(100)
    const names = Array.from({ length: 8000 }, (_, index) => [`${argument}${index}`, 1])
    for (const [name, body] of [
      ['pairs', Object.fromEntries(names)],
      ['add', { a: 'x'.repeat(900_000) }],
    ] as const) {
      const { text } = await call(name, body)
      expect(text.length).toBeLessThan(10_000)
      expect(JSON.parse(text).message).toHaveLength(4001)
    }
  })

  it.each([
    ['unknown', {}, 404, 'PGRST202'],
    ['whatever', { a: 1 }, 404, 'PGRST202'],
    ['pairs', {}, 404, 'PGRST202'],
    ['pg_sleep', { seconds: 1 }, 404, 'PGRST202'],
    ['uid', {}, 404, 'PGRST202'],
    ['require_single_row', { row_count: 1 }, 404, 'PGRST202'],
    ['before_category_write', {}, 404, 'PGRST202'],
    ['vague', { a: 1 }, 300, 'PGRST203'],
    ['hidden', {}, 403, '42501'],
    ['add', { a: 'x' }, 400, '22P02'],
    ['add', [1], 400, 'PGRST102'],
    ['add', '{', 400, 'PGRST102'],
    ['add?b=eq.1', { a: 1 }, 400, '42703'],
    ['pairs?select=nope', { up_to: 1 }, 400, '42703'],
  ])('%s %j is %i %s', async (name, body, status, code) => {
    const response = await call(name, body)
    expect([response.status, JSON.parse(response.text).code]).toEqual([status, code])
  })

  it('for an anonymous caller without the privilege', async () => {
    const response = await call('reorder_categories', { category_ids: [] }, { token: null })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    expect(response.json()).toMatchObject({ code: '42501' })
  })
})
