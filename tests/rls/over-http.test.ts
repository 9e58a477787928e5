import { createHmac } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA, BEN } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { DENIED, type Operation, OPERATIONS, type Outcome } from './operations.ts'
import { resetRows, rowsOf } from './stored-rows.ts'

/** The last two send a token that is rejected. */
type Actor = 'owner' | 'stranger' | 'anonymous' | 'forged' | 'expired'

let tokens: Readonly<Record<Actor, string | null>>

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  const now = Math.floor(server.clock.now().getTime() / 1000)
  const owner = await accessTokenFor(server.services, ANNA)
  tokens = {
    owner,
    stranger: await accessTokenFor(server.services, BEN),
    anonymous: null,
    forged: signedWithAnotherKey(owner),
    expired: await accessTokenFor(server.services, ANNA, { exp: now - 3600 }),
  }
})

beforeEach(() => resetRows(server.services.pool))

function signedWithAnotherKey(token: string): string {
  const content = token.split('.').slice(0, 2).join('.')
  return `${content}.${createHmac('sha256', 'guessed').update(content).digest('base64url')}`
}

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

it.each([
  ['anonymous', DENIED],
  ['forged', 'error PGRST301'],
  ['expired', 'error PGRST303'],
] as const)(
  'over HTTP, as the %s caller: every operation is %s, and changes nothing',
  async (actor, expected) => {
    const { pool } = server.services
    const before = await rowsOf(pool, ANNA, BEN)
    for (const operation of OPERATIONS) expect(await run(operation, actor), operation.name).toBe(expected)
    expect(await rowsOf(pool, ANNA, BEN)).toEqual(before)
  },
)
