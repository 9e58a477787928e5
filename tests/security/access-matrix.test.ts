// Every endpoint that is for signed-in users, called with every kind of token. The table of the statuses is part of docs/access.md:
// `npx vitest run tests/security/access-matrix.test.ts -u` writes it there.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { claimsOf, textMember } from '#tests/contract/auth/auth-client.ts'
import { storeNewServiceKey } from '#server/auth/service-key.ts'
import { codeOf } from '#tests/contract/auth/two-factor-client.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import { attack, bearer } from './attack.ts'
import { apiRoutes, type Calls, SERVER_CALLS, dataCalls, type Subject } from './protected-calls.ts'
import { addOwner } from './two-users.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

interface Caller extends Subject {
  /** Null: no token. */
  token: string | null
}

/** As a Supabase project stores it, in plain text. */
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const HOUR = 3600

interface Kind {
  /** The level that the token claims. */
  claims?: 'aal1' | 'aal2'
  /** That of its session. */
  session?: 'aal1' | 'aal2'
  /** Whether two-factor sign-in is on. */
  isOn?: boolean
  /** Seconds since the sign-in. */
  age?: number
  /** SQL that happens after the token was issued; $1 is the session. */
  afterwards?: string
  hasExpired?: boolean
  /** Whether it is not a token of the user, but the key of the admin API. */
  isServiceKey?: boolean
}

const REMOVE_APP =
  'delete from auth.mfa_factors where id = (select factor_id from auth.sessions where id = $1)'
const RAISED = { claims: 'aal2', session: 'aal2', isOn: true } as const

const CALLERS: Readonly<Record<string, Kind | null>> = {
  'no token': null,
  'no two-factor': {},
  'no code yet': { isOn: true },
  'from before the code': { isOn: true, session: 'aal2' },
  'with a code': RAISED,
  'signed in an hour ago': { ...RAISED, age: HOUR },
  'app removed': { ...RAISED, afterwards: REMOVE_APP },
  'session ended': { ...RAISED, afterwards: 'delete from auth.sessions where id = $1' },
  expired: { ...RAISED, hasExpired: true },
  'service key': { isServiceKey: true, isOn: true },
}

let owners = 0

/** Somebody who has just signed in, unless the kind says otherwise, with two apps if two-factor sign-in is on. */
async function createCaller(kind: Kind | null): Promise<Caller> {
  owners += 1
  const { services, database } = server
  const owner = await addOwner(server, `caller${String(owners)}@example.org`, 'a text')
  const sessionId = textMember(claimsOf(owner.session.access_token), 'session_id')
  const { claims: aal = 'aal1', session = 'aal1', isOn = false, age = 0, hasExpired = false } = kind ?? {}
  const now = services.clock.now()
  const { rows } = await database.pool.query<{ id: string; begun: string; seconds: number }>({
    text: `with added as (
             insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
             select gen_random_uuid(), $1, name, 'totp', $2, $3, $4, $4 from unnest(array['phone', 'tablet']) as app (name)
             returning id, friendly_name
           ), begun as (
             insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
             values (gen_random_uuid(), $1, 'begun', 'totp', 'unverified', $3, $4, $4) returning id
           ), challenged as (
             insert into auth.mfa_challenges (id, factor_id, created_at) select id, id, $5 from added
           ), raised as (
             update auth.sessions set aal = $6::auth.aal_level,
               factor_id = (select id from added where friendly_name = 'tablet' and $6::text = 'aal2')
             where user_id = $1
           ), signed_in as (
             update auth.mfa_amr_claims set updated_at = $4 where session_id = $7
           )
           select id, (select id from begun) as begun, extract(epoch from now())::float8 as seconds
           from added where friendly_name = 'phone'`,
    values: [
      owner.id,
      isOn ? 'verified' : 'unverified',
      SECRET,
      new Date(now.getTime() - age * 1000),
      now,
      session,
      sessionId,
    ],
  })
  const [{ id: factorId, begun: begunId, seconds } = { id: '', begun: '', seconds: 0 }] = rows
  // The database has a clock of its own, which decides how recent the sign-in of a token is.
  const amr = [{ method: 'password', timestamp: Math.floor(seconds) - age }]
  const exp = hasExpired ? { exp: Math.floor(now.getTime() / 1000) - HOUR } : {}
  const token = kind?.isServiceKey
    ? await storeNewServiceKey(database.pool)
    : await accessTokenFor(services, owner.id, { session_id: sessionId, aal, amr, ...exp })
  if (kind?.afterwards !== undefined) await database.pool.query(kind.afterwards, [sessionId])
  const code = codeOf(server, { factorId, secret: SECRET })
  return { token: kind === null ? null : token, owner, sessionId, factorId, begunId, code }
}

/** The statuses of all calls, in their order. */
async function statusesOfAll(calls: Calls, kind: Kind | null): Promise<number[]> {
  const statuses: number[] = []
  let caller = await createCaller(kind)
  for (const [name, callOf] of Object.entries(calls)) {
    const headers = caller.token === null ? {} : bearer(caller.token)
    const { status } = await attack(server, { ...callOf(caller), headers })
    await server.services.background.settled()
    statuses.push(status)
    // What was refused has changed nothing.
    if (status < 400 || name.endsWith('verify')) caller = await createCaller(kind)
  }
  return statuses
}

/** The names of what has the same statuses, by these. */
function bySameStatuses(all: readonly (readonly [string, readonly unknown[]])[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const [name, statuses] of all) {
    const key = statuses.join(' | ')
    names.set(key, [...(names.get(key) ?? []), name])
  }
  return names
}

const DOCUMENT = fileURLToPath(new URL('../../docs/access.md', import.meta.url))
const TABLE = /(?<=<!-- Written by tests\/security\/access-matrix\.test\.ts -->\n)[^]*?(?=<!-- End -->)/

it('an endpoint is open to the tokens of the table in docs/access.md, and to no others', async () => {
  const calls = { ...SERVER_CALLS, ...(await dataCalls(server)) }
  const kinds: [string, number[]][] = []
  for (const [name, kind] of Object.entries(CALLERS)) kinds.push([name, await statusesOfAll(calls, kind)])
  const columns = bySameStatuses(kinds)
  const statuses = [...columns.keys()].map((column) => column.split(' | '))
  const rows = bySameStatuses(
    Object.keys(calls).map((name, index) => [name, statuses.map((column) => column[index])]),
  )
  const table = [
    ['endpoint', ...[...columns.values()].map((names) => names.join(', '))],
    ['---', ...statuses.map(() => '---')],
    ...[...rows].map(([cells, names]) => [names.map((name) => `\`${name}\``).join(', '), cells]),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
  const page = readFileSync(DOCUMENT, 'utf8')
  expect(page).toMatch(TABLE)
  const options = { ...(await resolveConfig(DOCUMENT)), filepath: DOCUMENT }
  await expect(await format(page.replace(TABLE, `\n${table}\n\n`), options)).toMatchFileSnapshot(DOCUMENT)
})

it('the table has all endpoints of the auth API and of reminders that take a token', async () => {
  const caller = await createCaller(null)
  const named = new Set(
    Object.values(SERVER_CALLS).map((callOf) => {
      const owner = { ...caller.owner, id: ':id' }
      const { method, path } = callOf({ ...caller, owner, factorId: ':id', begunId: ':factor' })
      return `${method} ${path}`
    }),
  )
  const found: string[] = []
  for (const { method, path } of apiRoutes(server.app)) {
    const { text } = await attack(server, { method, path, ...(method === 'GET' ? {} : { body: {} }) })
    if (text.includes('no_authorization')) found.push(`${method} ${path}`)
  }
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter((one) => !named.has(one))).toEqual([])
})
