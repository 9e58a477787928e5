import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const PRIVATE = 'for my brother, who drinks'
const FUNCTIONS = `
  create function public.close_connection() returns void language sql security definer
    as 'select pg_terminate_backend(pg_backend_pid())';
  create function public.fail_with(message text) returns void language plpgsql
    as $$ begin raise exception 'cannot save: %', message using errcode = 'P0002', detail = message; end $$;
  create function public.time_out() returns void language plpgsql
    as $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
  create table public.notes (note text check (char_length(note) < 10));
  grant insert on public.notes to authenticated;`

let server: TestServer
let token: string
let log = ''

beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString()
      done()
    },
  })
  server = await startTestServer({ logger: pino({ level: 'trace' }, stream) })
  await addUsers(server.services.pool)
  await server.services.pool.query(FUNCTIONS)
  server.clock.advance(1)
  token = await accessTokenFor(server.services, ANNA)
})

afterAll(() => server.close())

const post = (path: string, body: unknown) => send(server, path, { method: 'POST', token, body })

describe('a lost connection', () => {
  it('is reported as temporary, and the next request gets a new connection', async () => {
    const response = await post('/rpc/close_connection', {})
    expect(response.status).toBe(503)
    expect(response.json()).toEqual({
      code: 'PGRST000',
      details: null,
      hint: null,
      message: 'Database connection error. Retrying the connection.',
    })
    expect((await send(server, '/categories', { token })).status).toBe(200)
  })
})

describe('an error raised by the database', () => {
  it('is returned to the caller, but its message is not logged if it may quote user data', async () => {
    log = ''
    const response = await post('/rpc/fail_with', { message: PRIVATE })
    expect(response.status).toBe(500)
    expect(response.json()).toMatchObject({
      code: 'P0002',
      details: PRIVATE,
      message: `cannot save: ${PRIVATE}`,
    })
    expect(log).toContain('P0002')
    expect(log).not.toContain(PRIVATE)
  })

  it('is logged with its message if that is about the server', async () => {
    log = ''
    expect((await post('/rpc/time_out', {})).status).toBe(503)
    expect(log).toContain('canceling statement due to statement timeout')
  })
})

it('never logs what users send, whether the request succeeds or fails', async () => {
  log = ''
  const rejected = await post('/notes', { note: PRIVATE })
  expect(rejected.json()).toMatchObject({ code: '23514', details: expect.stringContaining(PRIVATE) })
  await send(server, `/prayers?note=eq.${encodeURIComponent(PRIVATE)}&id=eq.${encodeURIComponent(PRIVATE)}`, {
    token,
  })
  await post('/prayers', `{"note":"${PRIVATE}"`)
  await send(server, `/prayers?${encodeURIComponent(PRIVATE)}=eq.1`, { token })
  await send(server, `/${encodeURIComponent(PRIVATE)}`, { token: `${token}x` })
  expect(log.split('\n').filter((line) => line.includes('"request"')).length).toBeGreaterThan(4)
  for (const secret of [PRIVATE, encodeURIComponent(PRIVATE), token]) expect(log).not.toContain(secret)
})

describe('a full account', () => {
  it('gets 413 with the reason when it grows, and can still shrink', async () => {
    await post('/categories', { name: 'Family', order: 1 })
    await server.services.pool.query('update private.account_usage set categories = 500')
    const response = await post('/categories', { name: 'Friends', order: 2 })
    expect(response.status).toBe(413)
    expect(response.json()).toEqual({
      code: 'PT413',
      details: null,
      hint: null,
      message: 'Your account is full: it can hold at most 500 categories.',
    })
    const { status } = await send(server, '/categories?name=eq.Family', { method: 'DELETE', token })
    expect(status).toBe(204)
  })
})
