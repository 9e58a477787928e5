import { beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const FUNCTIONS = `
  create function public.close_connection() returns void language sql security definer
    as 'select pg_terminate_backend(pg_backend_pid())';
  create function public.fail_with(message text) returns void language plpgsql
    as $$ begin raise exception 'cannot save: %', message using errcode = 'P0002', detail = message; end $$;`

let token: string

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  await server.services.pool.query(FUNCTIONS)
  server.clock.advance(1)
  token = await accessTokenFor(server.services, ANNA)
})

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

it('returns an error raised by the database to the caller', async () => {
  const response = await post('/rpc/fail_with', { message: 'a reason' })
  expect(response.status).toBe(500)
  expect(response.json()).toMatchObject({
    code: 'P0002',
    details: 'a reason',
    message: 'cannot save: a reason',
  })
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
