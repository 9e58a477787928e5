import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addPeople, ANNA, BEN } from '#tests/support/people.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { type Actor, type Operation, OPERATIONS, type Outcome } from './operations.ts'
import { resetRows, rowsOf } from './stored-rows.ts'

let server: TestServer
let tokens: Readonly<Record<Actor, string | null>>

beforeAll(async () => {
  server = await startTestServer()
  await addPeople(server.services.pool)
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

function expectedOf(operation: Operation, actor: Actor): Outcome {
  if (actor === 'forged') return 'refused PGRST301'
  return actor === 'expired' ? 'refused PGRST303' : operation[actor]
}

async function attempt({ http }: Operation, actor: Actor): Promise<Outcome> {
  const answer = await send(server, http.path, {
    method: http.method,
    token: tokens[actor],
    body: http.body,
    headers: http.prefer === undefined ? {} : { prefer: http.prefer },
  })
  if (answer.status === 204) return '1 rows'
  const body: { code: string } | unknown[] = JSON.parse(answer.text)
  if (Array.isArray(body)) return `${body.length} rows`
  // A function that gives one value answers with that.
  return answer.status === 200 ? '1 rows' : `refused ${body.code}`
}

const NOT_TOUCHED: Readonly<Record<Actor, readonly string[]>> = {
  owner: [BEN],
  stranger: [ANNA],
  anonymous: [ANNA, BEN],
  forged: [ANNA, BEN],
  expired: [ANNA, BEN],
}

describe.each(['owner', 'stranger', 'anonymous', 'forged', 'expired'] as const)(
  'over HTTP the %s',
  (actor) => {
    it.each(
      OPERATIONS.map((operation) => [operation.does, expectedOf(operation, actor), operation] as const),
    )('tries to %s: %s', async (_does, expected, operation) => {
      const { pool } = server.services
      const before = await Promise.all(NOT_TOUCHED[actor].map((id) => rowsOf(pool, id)))
      expect(await attempt(operation, actor)).toBe(expected)
      expect(await Promise.all(NOT_TOUCHED[actor].map((id) => rowsOf(pool, id)))).toEqual(before)
    })
  },
)
