import { beforeAll, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

let token: string

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  token = await accessTokenFor(server.services, ANNA)
})

const codeOf = async (path: string, body?: unknown): Promise<number | string> => {
  const response = await send(server, path, { token, body, method: body === undefined ? 'GET' : 'POST' })
  if (response.status < 300) return response.status
  const error: { code: string } = JSON.parse(response.text)
  return error.code
}

it('notices schema changes, reading the schema at most once a second', async () => {
  const { pool } = server.services
  server.clock.advance(1)
  expect(await codeOf('/psalms')).toBe('PGRST205')
  await pool.query('create table public.psalms (number int primary key, old text)')
  await pool.query('grant select, insert on public.psalms to authenticated')
  expect(await codeOf('/psalms')).toBe('PGRST205')
  server.clock.advance(1)
  expect(await codeOf('/psalms')).toBe(200)

  await pool.query('alter table public.psalms add column title text')
  server.clock.advance(1)
  expect(await codeOf('/psalms', { number: 23, title: 'The Lord is my shepherd' })).toBe(201)
  expect(await codeOf('/psalms?title=like.The*')).toBe(200)

  await pool.query('alter table public.psalms drop column old')
  server.clock.advance(1)
  expect(await codeOf('/psalms')).toBe(200)

  server.clock.advance(1)
  expect(await codeOf('/rpc/count_psalms', {})).toBe('PGRST202')
  await pool.query('create function public.count_psalms() returns bigint language sql as $$ select count(*) from public.psalms $$') // prettier-ignore
  server.clock.advance(1)
  expect(await codeOf('/rpc/count_psalms', {})).toBe(200)

  await pool.query('drop function public.count_psalms(); drop table public.psalms')
  server.clock.advance(1)
  expect(await codeOf('/psalms')).toBe('PGRST205')
  expect(await codeOf('/rpc/count_psalms', {})).toBe('PGRST202')
})
