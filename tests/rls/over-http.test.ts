import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA, BEN } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { DENIED, type Operation, OPERATIONS, type Outcome } from './operations.ts'
import { resetRows, rowsOf } from './stored-rows.ts'

type Actor = 'owner' | 'stranger' | 'anonymous'

let tokens: Readonly<Record<Actor, string | null>>

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  tokens = {
    owner: await accessTokenFor(server.services, ANNA),
    stranger: await accessTokenFor(server.services, BEN),
    anonymous: null,
  }
})

beforeEach(() => resetRows(server.services.pool))

async function run({ http }: Operation, actor: Actor): Promise<Outcome> {
  const response = await send(server, http.path, {
    method: http.method,
    token: tokens[actor],
    body: http.body,
    headers: { prefer: http.prefer },
  })
  if (response.status === 204) return '1 rows'
  const body: { code: string } | unknown[] = JSON.parse(response.text)
  if (Array.isArray(body)) return `${body.length} rows`
  // The result of a function that returns a single value is not an array.
  return response.status === 200 ? '1 rows' : `error ${body.code}`
}

describe.each([
  ['owner', BEN],
  ['stranger', ANNA],
] as const)('over HTTP, as the %s', (actor, other) => {
  it.each(OPERATIONS.map((operation) => [operation.name, operation[actor], operation] as const))(
    '%s: %s',
    async (_name, expected, operation) => {
      const { pool } = server.services
      const before = await rowsOf(pool, other)
      expect(await run(operation, actor)).toBe(expected)
      expect(await rowsOf(pool, other)).toEqual(before)
    },
  )
})

it('over HTTP, as the anonymous caller: every operation is denied, and changes nothing', async () => {
  const { pool } = server.services
  const before = await rowsOf(pool, ANNA, BEN)
  for (const operation of OPERATIONS) expect(await run(operation, 'anonymous'), operation.name).toBe(DENIED)
  expect(await rowsOf(pool, ANNA, BEN)).toEqual(before)
})
