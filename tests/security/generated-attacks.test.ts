import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { useSurroundings } from '#tests/support/shared-server.ts'
import {
  attackOnAccounts,
  attackOnData,
  costlyAttackOnData,
  type GeneratedAttack,
  urlOf,
} from './generated-attacks.ts'
import { BENS_SECRET, type TwoUsers, useTwoUsers } from './two-users.ts'

/** Total of both tests. For a longer run: `ATTACK_REQUESTS=100000 npx vitest run tests/security/generated`. */
const REQUESTS = Number(process.env['ATTACK_REQUESTS'] ?? 2000)
const SEED = Number(process.env['ATTACK_SEED'] ?? 20_260_301)
const SENT = Math.ceil(REQUESTS / 2)
/** In milliseconds; a longer run needs more than the default. */
const TIMEOUT = 90_000 + REQUESTS * 30

let token: string

const around = useSurroundings()
const world = useTwoUsers(() => ({ config: { ...around.config, rateLimitFactor: 1_000_000 } }))

beforeAll(async () => {
  // Without a session, because some requests end all sessions.
  token = await accessTokenFor(world.server.services, world.anna.id, { session_id: '' })
  // So that they are not rejected for having written too much within an hour.
  await world.server.database.pool.query(
    `update private.account_usage set written_bytes = -1e15, written_since = 'infinity'`,
  )
})

const targetOf = ({ anna, ben }: TwoUsers) => ({
  userId: ben.id,
  categoryId: ben.categoryId,
  prayerId: ben.prayerId,
  updateId: ben.updateId,
  email: 'ben@example.org',
  ownCategoryId: anna.categoryId,
})

async function rowsOfBen(): Promise<unknown> {
  const { pool } = world.server.database
  const found: unknown[] = []
  for (const table of ['categories', 'prayers', 'prayer_updates', 'prayed_days']) {
    found.push((await pool.query(`select * from public.${table} where user_id = $1`, [world.ben.id])).rows)
  }
  // Anyone may request an email to Ben, which updates these columns.
  const account = `select to_jsonb(u) - '{updated_at,recovery_sent_at,confirmation_sent_at}'::text[] as account,
    (select count(*) from auth.sessions s where s.user_id = u.id) as sessions from auth.users u where id = $1`
  found.push((await pool.query(account, [world.ben.id])).rows)
  return found
}

async function send(request: GeneratedAttack, accessToken: string | null) {
  const hasBody = !['GET', 'HEAD'].includes(request.method) && request.body !== null
  return world.server.app.inject({
    method: request.method,
    url: urlOf(request),
    headers: {
      apikey: world.server.services.keys.anonKey,
      ...(accessToken === null ? {} : { authorization: `Bearer ${accessToken}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    },
    ...(hasBody ? { payload: request.body ?? '' } : {}),
  })
}

/** Describes a response that reveals a server error or a successful attack, or is malformed; null for any other. */
function vulnerabilityIn(
  { method, path }: GeneratedAttack,
  response: { statusCode: number; body: string; headers: object },
): string | null {
  const shown = response.body + JSON.stringify(response.headers)
  if (response.statusCode >= 500) return `${String(response.statusCode)}: ${response.body}`
  if (shown.includes(BENS_SECRET)) return `contains a secret: ${shown}`
  if (shown.includes('$argon2id$')) return `contains a password hash: ${shown}`
  if ('x-injected' in response.headers) return 'has an injected header'
  if (response.statusCode < 400 || method === 'HEAD' || !path.startsWith('/rest/')) return null
  const error: object = JSON.parse(response.body)
  const shape = Object.keys(error).toSorted().join()
  // The router rejects a URL before it knows the API.
  const isInvalidUrl = shape === 'code,message' && response.body.includes('The URL of the request is invalid')
  return shape === 'code,details,hint,message' || isInvalidUrl
    ? null
    : `is an error of another shape: ${response.body}`
}

async function expectNoVulnerability(attacks: fc.Arbitrary<GeneratedAttack>): Promise<Map<number, number>> {
  const before = await rowsOfBen()
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(attacks, fc.boolean(), async (request, isSignedIn) => {
      const response = await send(request, isSignedIn ? token : null)
      statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
      expect(vulnerabilityIn(request, response)).toBeNull()
    }),
    { seed: SEED, numRuns: SENT },
  )
  expect(await rowsOfBen()).toEqual(before)
  return statuses
}

it.each([
  ['data', attackOnData, [200, 201, 204, 400, 401, 403, 404, 405, 406, 409]],
  ['accounts', attackOnAccounts, [200, 302, 303, 400, 401]],
] as const)(
  'generated attacks on %s cause no server error and reach nothing of another user',
  async (_what, attacks, expected) => {
    const statuses = await expectNoVulnerability(attacks(targetOf(world)))
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([...expected]))
  },
  TIMEOUT,
)

describe('generated attacks that multiply what they ask for', () => {
  const LIST = { method: 'GET', path: '/rest/v1/prayers', query: [], headers: {}, body: null } as const
  const MAX_ERROR = 15_000
  /** Of the statements that a connection has prepared, and of the one that ran last. */
  const MAX_PREPARED = 45_000

  beforeAll(async () => {
    const { pool } = world.server.database
    await pool.query(
      `insert into public.prayers (user_id, category_id, person_name, note)
       select $1, $2, 'Anna', repeat('x', 10000) from generate_series(1, 12) n`,
      [world.anna.id, world.anna.categoryId],
    )
    await pool.query(`delete from public.prayers where user_id = $1 and person_name <> 'Anna'`, [
      world.anna.id,
    ])
  })

  it(
    'get no more than a full list, fill no connection, and another user is served',
    async () => {
      const statuses = new Set<number>()
      const list = await send(LIST, token)
      await fc.assert(
        fc.asyncProperty(costlyAttackOnData, async (request) => {
          const [{ statusCode, body }, ofBen] = await Promise.all([
            send(request, token),
            send(LIST, world.ben.session.access_token),
          ])
          statuses.add(statusCode)
          expect(statusCode).toBeLessThan(500)
          expect(body.length).toBeLessThan(statusCode < 400 ? 2 * list.body.length : MAX_ERROR)
          expect(Math.max(...(await preparedLengths()))).toBeLessThan(MAX_PREPARED)
          expect(ofBen.json()).toMatchObject([{ id: world.ben.prayerId }])
        }),
        { seed: SEED, numRuns: Math.ceil(SENT / 5), endOnFailure: true },
      )
      expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]))
    },
    TIMEOUT,
  )

  /** In characters, of each data connection. */
  async function preparedLengths(): Promise<number[]> {
    const { dataPool } = world.server.database
    const connections = await Promise.all(
      Array.from({ length: dataPool.totalCount }, () => dataPool.connect()),
    )
    return Promise.all(
      connections.map(async (connection) => {
        const { rows } = await connection.query<{ length: number }>(
          'select coalesce(sum(length(statement)), 0)::int as length from pg_prepared_statements',
        )
        connection.release()
        return rows[0]?.length ?? 0
      }),
    )
  }
})
