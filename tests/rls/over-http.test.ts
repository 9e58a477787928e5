import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA, BEN } from '#tests/support/users.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { type Actor, type Operation, OPERATIONS, type Outcome } from './operations.ts'
import { resetRows, rowsOf } from './stored-rows.ts'
import { SYNC_OPERATIONS } from './sync-operations.ts'
import { UPDATE_OPERATIONS } from './update-operations.ts'

let server: TestServer
let tokens: Readonly<Record<Actor, string | null>>

beforeAll(async () => {
  server = await startTestServer()
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

afterAll(() => server.close())
beforeEach(() => resetRows(server.services.pool))

function signedWithAnotherKey(token: string): string {
  const content = token.split('.').slice(0, 2).join('.')
  return `${content}.${createHmac('sha256', 'guessed').update(content).digest('base64url')}`
}

function expectedOutcome(operation: Operation, actor: Actor): Outcome {
  if (actor === 'forged') return 'error PGRST301'
  return actor === 'expired' ? 'error PGRST303' : operation[actor]
}

async function run({ http }: Operation, actor: Actor): Promise<Outcome> {
  const response = await send(server, http.path, {
    method: http.method,
    token: tokens[actor],
    body: http.body,
    headers: http.prefer === undefined ? {} : { prefer: http.prefer },
  })
  if (response.status === 204) return '1 rows'
  const body: { code: string } | unknown[] = JSON.parse(response.text)
  if (Array.isArray(body)) return `${body.length} rows`
  // The result of a function that returns a single value is not an array.
  return response.status === 200 ? '1 rows' : `error ${body.code}`
}

const UNTOUCHED: Readonly<Record<Actor, readonly string[]>> = {
  owner: [BEN],
  stranger: [ANNA],
  anonymous: [ANNA, BEN],
  forged: [ANNA, BEN],
  expired: [ANNA, BEN],
}

describe.each(['owner', 'stranger', 'anonymous', 'forged', 'expired'] as const)(
  'over HTTP, as the %s',
  (actor) => {
    it.each(
      [...OPERATIONS, ...SYNC_OPERATIONS, ...UPDATE_OPERATIONS].map(
        (operation) => [operation.name, expectedOutcome(operation, actor), operation] as const,
      ),
    )('%s: %s', async (_name, expected, operation) => {
      const { pool } = server.services
      const before = await Promise.all(UNTOUCHED[actor].map((id) => rowsOf(pool, id)))
      expect(await run(operation, actor)).toBe(expected)
      expect(await Promise.all(UNTOUCHED[actor].map((id) => rowsOf(pool, id)))).toEqual(before)
    })
  },
)
