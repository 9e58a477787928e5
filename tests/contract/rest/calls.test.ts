import { beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type RawRequest, send } from '#tests/support/data-requests.ts'
import { introspectSchema } from '#server/rest/schema-introspection.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const OBJECT = 'application/vnd.pgrst.object+json'
let token: string

const FUNCTIONS = `
  create table public.marks (number int);
  grant select, insert on public.marks to authenticated;
  create function public.add(a int, b int default 10) returns int language sql immutable as 'select a + b';
  create function public.nothing() returns text language sql stable as 'select null::text';
  create function public.mark(number int) returns bigint language sql
    as 'insert into public.marks values (number); select count(*) from public.marks';
  create function public.teapot() returns void language plpgsql
    as $$ begin raise exception 'short and stout' using errcode = 'PT418', detail = 'spout', hint = 'tip me over'; end $$;
  create function public.words() returns setof text language sql stable as $$ values ('one'), ('two') $$;
  create function public.pairs() returns table (number int, word text) language sql stable as $$ select 1, 'one' $$;
  create function public.one_mark() returns public.marks language sql stable as 'select row(7)::public.marks';
  create function public.total(variadic numbers int[]) returns int language sql immutable as 'select 1';
  create function public.vague(a int) returns int language sql as 'select 1';
  create function public.vague(a text) returns int language sql as 'select 2';
  create function public.whatever(a anyelement) returns int language sql as 'select 1';
  create function public.unnamed(json) returns int language sql as 'select 1';
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
  ])('returns %s', async (_name, name, body, text) => {
    const response = await call(name, body)
    expect([response.status, response.text]).toEqual([200, text])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('runs once', async () => {
    const counted = { headers: { prefer: 'count=exact', accept: OBJECT } }
    const response = await call('mark', { number: 1 }, counted)
    expect([response.status, response.text]).toEqual([200, '1'])
    expect(response.headers.get('content-range')).toBe('0-0/1')
    expect(response.headers.get('content-type')).toBe(`${OBJECT}; charset=utf-8`)
    expect((await call('mark', { number: 2 })).text).toBe('2')
  })

  it('is cancelled after its own time limit, which only imports and abandoning a key have', async () => {
    const { routines } = await introspectSchema(server.services.pool)
    const limits = routines.map(({ name, statement_timeout: limit }) => [name, limit] as const)
    expect(Object.fromEntries(limits.filter(([, limit]) => limit !== null))).toEqual({
      abandon_encryption_key: 50_000,
      import_prayers: 50_000,
      import_sealed: 50_000,
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

describe('a call is rejected', () => {
  it.each(['GET', 'PATCH', 'PUT', 'DELETE'])('with %s', async (method) => {
    const response = await call('add', undefined, { method })
    expect(response.status).toBe(405)
    expect(response.json()).toMatchObject({
      code: 'PGRST101',
      message: `Cannot use the ${method} method on RPC`,
    })
  })

  it('with the name and arguments that were not found', async () => {
    const response = await call('add', { upto: 1, from: 2 })
    expect(response.status).toBe(404)
    expect(response.json()).toEqual({
      code: 'PGRST202',
      details:
        'Searched for the function public.add with parameters upto, from, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add(a, b)',
      message: 'Could not find the function public.add(upto, from) in the schema cache',
    })
  })

  it.each([
    ['words', 'functions that return rows'],
    ['pairs', 'functions that return rows'],
    ['one_mark', 'functions that return rows'],
    ['total', 'variadic functions'],
    ['vague', 'overloaded functions'],
    ['whatever', 'polymorphic functions'],
    ['unnamed', 'functions with unnamed parameters'],
    ['add?select=*', 'query parameters of calls'],
  ])('of what the server lacks: %s, %s', async (name, feature) => {
    const response = await call(name, {})
    expect(response.status).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'PGRST127',
      message: `Not supported by this server: ${feature}`,
    })
  })

  it('if another function has been added that overloads it', async () => {
    const create = (parameters: string) =>
      server.services.pool.query(
        `create function public.added(${parameters}) returns int language sql as 'select 1'`,
      )
    await create('a int, b int default 1')
    server.clock.advance(1)
    expect((await call('added', { a: 1, b: 2 })).status).toBe(200)
    await create('a int, c int[] default null')
    server.clock.advance(1)
    expect((await call('added', { a: 1 })).json()).toMatchObject({ code: 'PGRST127' })
  })

  it('quoting no more than 4,000 characters of it', async () => {
    const argument = 'x'.repeat(100)
    const names = Array.from({ length: 8000 }, (_, index) => [`${argument}${index}`, 1])
    for (const [name, body] of [
      ['mark', Object.fromEntries(names)],
      ['add', { a: 'x'.repeat(900_000) }],
    ] as const) {
      const { text } = await call(name, body)
      expect(text.length).toBeLessThan(10_000)
      expect(JSON.parse(text).message).toHaveLength(4001)
    }
  })

  it.each([
    ['unknown', {}, 404, 'PGRST202'],
    ['mark', {}, 404, 'PGRST202'],
    ['pg_sleep', { seconds: 1 }, 404, 'PGRST202'],
    ['uid', {}, 404, 'PGRST202'],
    ['require_single_row', { row_count: 1 }, 404, 'PGRST202'],
    ['before_category_write', {}, 404, 'PGRST202'],
    ['hidden', {}, 403, '42501'],
    ['add', { a: 'x' }, 400, '22P02'],
    ['add', [1], 400, 'PGRST102'],
    ['add', '{', 400, 'PGRST102'],
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
