import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addPeople, ANNA } from '#tests/support/people.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const PRIVATE = 'for my brother, who drinks'
const FUNCTIONS = `
  create function public.hang_up() returns void language sql security definer
    as 'select pg_terminate_backend(pg_backend_pid())';
  create function public.stumble(words text) returns void language plpgsql
    as $$ begin raise exception 'cannot keep: %', words using errcode = 'P0002', detail = words; end $$;
  create function public.run_late() returns void language plpgsql
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
  await addPeople(server.services.pool)
  await server.services.pool.query(FUNCTIONS)
  server.clock.advance(1)
  token = await accessTokenFor(server.services, ANNA)
})

afterAll(() => server.close())

const post = (path: string, body: unknown) => send(server, path, { method: 'POST', token, body })

describe('a lost connection', () => {
  it('is told as something to try again, and the next request has a new one', async () => {
    const answer = await post('/rpc/hang_up', {})
    expect(answer.status).toBe(503)
    expect(answer.json()).toEqual({
      code: 'PGRST000',
      details: null,
      hint: null,
      message: 'Database connection error. Retrying the connection.',
    })
    expect((await send(server, '/categories', { token })).status).toBe(200)
  })
})

describe('a failure inside the database', () => {
  it('is told to the caller and kept out of the log, as far as it may quote what was written', async () => {
    log = ''
    const answer = await post('/rpc/stumble', { words: PRIVATE })
    expect(answer.status).toBe(500)
    expect(answer.json()).toMatchObject({
      code: 'P0002',
      details: PRIVATE,
      message: `cannot keep: ${PRIVATE}`,
    })
    expect(log).toContain('P0002')
    expect(log).not.toContain(PRIVATE)
  })

  it('is logged in its own words where they are about the server', async () => {
    log = ''
    expect((await post('/rpc/run_late', {})).status).toBe(503)
    expect(log).toContain('canceling statement due to statement timeout')
  })
})

it('what a person sends is in no line of the log, refused or not', async () => {
  log = ''
  const refused = await post('/notes', { note: PRIVATE })
  expect(refused.json()).toMatchObject({ code: '23514', details: expect.stringContaining(PRIVATE) })
  await send(server, `/prayers?note=eq.${encodeURIComponent(PRIVATE)}&id=eq.${encodeURIComponent(PRIVATE)}`, {
    token,
  })
  await post('/prayers', `{"note":"${PRIVATE}"`)
  await send(server, `/prayers?${encodeURIComponent(PRIVATE)}=eq.1`, { token })
  await send(server, `/${encodeURIComponent(PRIVATE)}`, { token: `${token}x` })
  expect(log.split('\n').filter((line) => line.includes('"request"')).length).toBeGreaterThan(4)
  for (const secret of [PRIVATE, encodeURIComponent(PRIVATE), token]) expect(log).not.toContain(secret)
})
