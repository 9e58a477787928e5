import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '#server/errors/api-error.ts'
import { parsePrefer } from '#server/rest/headers.ts'
import { parseParameters, parseQuery } from '#server/rest/parse-query.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { startSurroundings, type Surroundings } from '#tests/support/surroundings.ts'
import { addressOf, attackOnAccounts, attackOnData, type GeneratedAttack } from './generated-attacks.ts'
import { injection } from './injections.ts'
import { BENS_SECRET, startWithTwoPeople, type TwoPeople } from './two-people.ts'

/** Requests to the parser, to data and to accounts. More are a matter of patience: `ATTACK_REQUESTS=100000 npx vitest run --project=security generated`. */
const REQUESTS = Number(process.env['ATTACK_REQUESTS'] ?? 12_000)
const SEED = Number(process.env['ATTACK_SEED'] ?? 20_260_301)
const PARSED = Math.ceil(REQUESTS / 2)
const SENT = Math.ceil(REQUESTS / 4)
const PATIENCE = 30_000 + REQUESTS * 30

let world: TwoPeople
let around: Surroundings
let token: string

beforeAll(async () => {
  around = await startSurroundings()
  world = await startWithTwoPeople({ config: { ...around.config, rateLimitFactor: 1_000_000 } })
  // Of no session, because some requests end all of them.
  token = await accessTokenFor(world.server.services, world.anna.id, { session_id: '' })
})

afterAll(async () => {
  await world.close()
  await around.close()
})

const targetOf = ({ ben }: TwoPeople) => ({
  userId: ben.id,
  categoryId: ben.categoryId,
  prayerId: ben.prayerId,
  email: 'ben@example.org',
})

async function ofBen(): Promise<unknown> {
  const { pool } = world.server.database
  const found: unknown[] = []
  for (const table of ['categories', 'prayers']) {
    found.push((await pool.query(`select * from public.${table} where user_id = $1`, [world.ben.id])).rows)
  }
  // That a mail was asked for is noted of whoever it goes to, and no more.
  const account = `select to_jsonb(u) - '{updated_at,recovery_sent_at,confirmation_sent_at}'::text[] as account,
    (select count(*) from auth.sessions s where s.user_id = u.id) as sessions from auth.users u where id = $1`
  found.push((await pool.query(account, [world.ben.id])).rows)
  return found
}

async function send(request: GeneratedAttack, isSignedIn: boolean) {
  const hasBody = !['GET', 'HEAD'].includes(request.method) && request.body !== null
  return world.server.app.inject({
    method: request.method,
    url: addressOf(request),
    headers: {
      apikey: world.server.services.keys.anonKey,
      ...(isSignedIn ? { authorization: `Bearer ${token}` } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...request.headers,
    },
    ...(hasBody ? { payload: request.body ?? '' } : {}),
  })
}

/** Answers that mean that something broke, or that somebody got in. */
function faultOf(answer: { statusCode: number; body: string; headers: object }): string | null {
  const shown = answer.body + JSON.stringify(answer.headers)
  if (answer.statusCode >= 500) return `${String(answer.statusCode)}: ${answer.body}`
  if (shown.includes(BENS_SECRET)) return `told a secret: ${shown}`
  if (shown.includes('$argon2id$')) return `told a hash: ${shown}`
  return 'x-injected' in answer.headers ? 'took over a header' : null
}

async function expectNobodyGetsIn(attacks: fc.Arbitrary<GeneratedAttack>): Promise<Map<number, number>> {
  const before = await ofBen()
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(attacks, fc.boolean(), async (request, isSignedIn) => {
      const answer = await send(request, isSignedIn)
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
      expect(faultOf(answer)).toBeNull()
    }),
    { seed: SEED, numRuns: SENT },
  )
  expect(await ofBen()).toEqual(before)
  return statuses
}

describe('generated attacks', () => {
  it(
    'on data break nothing and reach nothing of another person’s',
    async () => {
      const statuses = await expectNobodyGetsIn(attackOnData(targetOf(world)))
      for (const status of [200, 400, 401, 404])
        expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(5)
    },
    PATIENCE,
  )

  it(
    'on accounts break nothing and reach nothing of another person’s',
    async () => {
      const statuses = await expectNobodyGetsIn(attackOnAccounts(targetOf(world)))
      for (const status of [200, 302, 303, 400, 401]) {
        expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(5)
      }
    },
    PATIENCE,
  )

  it(
    'on the parser are read or refused, and never anything else',
    () => {
      const outcomes = { read: 0, refused: 0 }
      const name = fc.oneof(
        injection,
        fc.constantFrom('select', 'order', 'or', 'and', 'not.and', 'limit', 'on_conflict'),
      )
      const query = fc.array(fc.tuple(name, injection), { maxLength: 4 })
      fc.assert(
        fc.property(query, fc.boolean(), (pairs, isEncoded) => {
          const encode = (text: string) => (isEncoded ? encodeURIComponent(text.toWellFormed()) : text)
          const address = `/x?${pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&')}`
          outcomes[outcomeOf(address)] += 1
        }),
        { seed: SEED, numRuns: PARSED },
      )
      expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(PARSED / 50)
    },
    PATIENCE,
  )
})

/** Throws whatever the parser throws that is no refusal of a bad request. */
function outcomeOf(address: string): 'read' | 'refused' {
  try {
    const parameters = parseParameters(address)
    parseQuery(parameters, 'prayers')
    parsePrefer(parameters.map(([key, value]) => `${key}=${value}`).join(','))
    return 'read'
  } catch (error) {
    if (error instanceof ApiError && error.status === 400 && /^PGRST\d{3}$/.test(error.code)) return 'refused'
    throw error
  }
}
