import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '#server/errors/api-error.ts'
import { parsePrefer } from '#server/rest/headers.ts'
import { parseParameters, parseQuery } from '#server/rest/parse-query.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { startSurroundings, type Surroundings } from '#tests/support/surroundings.ts'
import { attackOnAccounts, attackOnData, type GeneratedAttack, urlOf } from './generated-attacks.ts'
import { injection } from './injections.ts'
import { BENS_SECRET, startWithTwoUsers, type TwoUsers } from './two-users.ts'

/** Total of the three tests. For a longer run: `ATTACK_REQUESTS=100000 npx vitest run tests/security/generated`. */
const REQUESTS = Number(process.env['ATTACK_REQUESTS'] ?? 12_000)
const SEED = Number(process.env['ATTACK_SEED'] ?? 20_260_301)
const PARSED = Math.ceil(REQUESTS / 2)
const SENT = Math.ceil(REQUESTS / 4)
const TIMEOUT = 30_000 + REQUESTS * 30

let world: TwoUsers
let around: Surroundings
let token: string

beforeAll(async () => {
  around = await startSurroundings()
  world = await startWithTwoUsers({ config: { ...around.config, rateLimitFactor: 1_000_000 } })
  // Without a session, because some requests end all sessions.
  token = await accessTokenFor(world.server.services, world.anna.id, { session_id: '' })
})

afterAll(async () => {
  await world.close()
  await around.close()
})

const targetOf = ({ ben }: TwoUsers) => ({
  userId: ben.id,
  categoryId: ben.categoryId,
  prayerId: ben.prayerId,
  updateId: ben.updateId,
  email: 'ben@example.org',
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

async function send(request: GeneratedAttack, isSignedIn: boolean) {
  const hasBody = !['GET', 'HEAD'].includes(request.method) && request.body !== null
  return world.server.app.inject({
    method: request.method,
    url: urlOf(request),
    headers: {
      apikey: world.server.services.keys.anonKey,
      ...(isSignedIn ? { authorization: `Bearer ${token}` } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    },
    ...(hasBody ? { payload: request.body ?? '' } : {}),
  })
}

/** Describes a response that reveals a server error or a successful attack; null for any other. */
function vulnerabilityIn(response: { statusCode: number; body: string; headers: object }): string | null {
  const shown = response.body + JSON.stringify(response.headers)
  if (response.statusCode >= 500) return `${String(response.statusCode)}: ${response.body}`
  if (shown.includes(BENS_SECRET)) return `contains a secret: ${shown}`
  if (shown.includes('$argon2id$')) return `contains a password hash: ${shown}`
  return 'x-injected' in response.headers ? 'has an injected header' : null
}

async function expectNoVulnerability(attacks: fc.Arbitrary<GeneratedAttack>): Promise<Map<number, number>> {
  const before = await rowsOfBen()
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(attacks, fc.boolean(), async (request, isSignedIn) => {
      const response = await send(request, isSignedIn)
      statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
      expect(vulnerabilityIn(response)).toBeNull()
    }),
    { seed: SEED, numRuns: SENT },
  )
  expect(await rowsOfBen()).toEqual(before)
  return statuses
}

describe('generated attacks', () => {
  it(
    'on data cause no server error and reach no rows of another user',
    async () => {
      const statuses = await expectNoVulnerability(attackOnData(targetOf(world)))
      for (const status of [200, 400, 401, 404])
        expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(5)
    },
    TIMEOUT,
  )

  it(
    'on accounts cause no server error and reach no data of another user',
    async () => {
      const statuses = await expectNoVulnerability(attackOnAccounts(targetOf(world)))
      for (const status of [200, 302, 303, 400, 401]) {
        expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(5)
      }
    },
    TIMEOUT,
  )

  it(
    'on the query parser are parsed or rejected',
    () => {
      const outcomes = { parsed: 0, rejected: 0 }
      const name = fc.oneof(
        injection,
        fc.constantFrom('select', 'order', 'or', 'and', 'not.and', 'limit', 'on_conflict'),
      )
      const query = fc.array(fc.tuple(name, injection), { maxLength: 4 })
      fc.assert(
        fc.property(query, fc.boolean(), (pairs, isEncoded) => {
          const encode = (text: string) => (isEncoded ? encodeURIComponent(text.toWellFormed()) : text)
          const url = `/x?${pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')}`
          outcomes[outcomeOf(url)] += 1
        }),
        { seed: SEED, numRuns: PARSED },
      )
      expect(Math.min(outcomes.parsed, outcomes.rejected)).toBeGreaterThan(PARSED / 50)
    },
    TIMEOUT,
  )
})

/** Throws any error of the parser that does not reject the request. */
function outcomeOf(url: string): 'parsed' | 'rejected' {
  try {
    const parameters = parseParameters(url)
    parseQuery(parameters)
    parsePrefer(parameters.map(([key, value]) => `${key}=${value}`).join(','))
    return 'parsed'
  } catch (error) {
    if (error instanceof ApiError && error.status === 400 && /^PGRST\d{3}$/.test(error.code))
      return 'rejected'
    throw error
  }
}
