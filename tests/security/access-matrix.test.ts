// Every endpoint that is for signed-in users, called with every kind of token. The table of the statuses is part of docs/security.md:
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
import { type Attack, attack, bearer } from './attack.ts'
import { authRoutes } from './protected-calls.ts'
import { addOwner, type Owner } from './two-users.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

interface Caller {
  /** Null: no token. */
  token: string | null
  owner: Owner
  sessionId: string
  factorId: string
  /** An app that has not given a code yet. */
  begunId: string
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
  return { token: kind === null ? null : token, owner, sessionId, factorId, begunId }
}

const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/a',
  keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) },
}
const IMPORTED = { categories: [], prayers: [] }

const auth = (method: string, path: string, body?: (caller: Caller) => object) => (caller: Caller) => ({
  method,
  path: `/auth/v1${path.replace(':id', caller.factorId)}`,
  ...(body === undefined ? {} : { body: body(caller) }),
})

/** A call of the admin API about the caller's own account. */
const ofUser =
  (method: string, path: string, body?: object) =>
  ({ owner }: Caller): Attack => ({
    method,
    path: `/auth/v1/admin/users/${owner.id}${path}`,
    ...(body === undefined ? {} : { body }),
  })

/** As they are called in the table, with what a caller sends. */
const CALLS: Readonly<Record<string, (caller: Caller) => Attack>> = {
  'GET /user': auth('GET', '/user'),
  'PUT /user (name)': auth('PUT', '/user', () => ({ data: { full_name: 'Ruth' } })),
  'PUT /user (email)': auth('PUT', '/user', ({ owner }) => ({ email: `x${owner.id}@example.org` })),
  'PUT /user (password)': auth('PUT', '/user', () => ({ password: 'a louder horse' })),
  'GET /reauthenticate': auth('GET', '/reauthenticate'),
  'POST /logout': auth('POST', '/logout'),
  'POST /factors': auth('POST', '/factors', () => ({ factor_type: 'totp', friendly_name: 'third' })),
  'POST /factors/:id/challenge': auth('POST', '/factors/:id/challenge'),
  'POST /factors/:id/verify': auth('POST', '/factors/:id/verify', ({ factorId }) => ({
    challenge_id: factorId,
    code: codeOf(server, { factorId, secret: SECRET }),
  })),
  'DELETE /factors/:id (without a code yet)': (caller) => ({
    method: 'DELETE',
    path: `/auth/v1/factors/${caller.begunId}`,
  }),
  'DELETE /factors/:id': auth('DELETE', '/factors/:id'),
  'GET /factors/recovery-codes': auth('GET', '/factors/recovery-codes'),
  'POST /factors/recovery-codes': auth('POST', '/factors/recovery-codes', () => ({})),
  'POST /factors/recovery-codes/verify': auth('POST', '/factors/recovery-codes/verify', () => ({
    code: 'x',
  })),
  'GET /admin/users': auth('GET', '/admin/users'),
  'POST /admin/users': auth('POST', '/admin/users', ({ owner }) => ({ email: `y${owner.id}@example.org` })),
  'GET /admin/users/:id': ofUser('GET', ''),
  'PUT /admin/users/:id': ofUser('PUT', '', { ban_duration: 'none' }),
  'DELETE /admin/users/:id': ofUser('DELETE', ''),
  'GET /admin/users/:id/factors': ofUser('GET', '/factors'),
  'DELETE /admin/users/:id/factors/:factor (without a code yet)': (caller) =>
    ofUser('DELETE', `/factors/${caller.begunId}`)(caller),
  'DELETE /admin/users/:id/factors/:factor': (caller) =>
    ofUser('DELETE', `/factors/${caller.factorId}`)(caller),
  'POST /invite': auth('POST', '/invite', ({ owner }) => ({ email: `z${owner.id}@example.org` })),
  'POST /admin/generate_link': auth('POST', '/admin/generate_link', ({ owner }) => ({
    type: 'recovery',
    email: owner.session.user.email,
  })),
  'GET /subscription': () => ({ method: 'GET', path: '/reminders/v1/subscription' }),
  'PUT /subscription': () => ({ method: 'PUT', path: '/reminders/v1/subscription', body: SUBSCRIPTION }),
  'DELETE /subscription': () => ({ method: 'DELETE', path: '/reminders/v1/subscription' }),
}

/** Arguments of functions, by name. */
const argumentsFor = ({ owner, sessionId }: Caller): Readonly<Record<string, unknown>> => ({
  category_ids: [owner.categoryId],
  prayer_ids: [owner.prayerId],
  prayer_id: owner.prayerId,
  update_id: owner.categoryId,
  reopened_at: '2026-01-03T00:00:00Z',
  prayed_on: '2026-01-03',
  data: IMPORTED,
  preview: true,
  session_id: sessionId,
  key_id: 'A'.repeat(16),
  state: 'encrypting',
  counter: 2,
  proof: 'p'.repeat(43),
  rows: [],
  category_names: {},
})

/** The calls of the data API, from the catalogue of the database: for tables, one for each privilege. */
async function dataCalls(): Promise<typeof CALLS> {
  const { pool } = server.database
  const { rows: tables } = await pool.query<{ name: string; privileges: string[] }>(
    `select c.relname as name, array_agg(privilege order by number) as privileges
     from pg_class c
     cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE']) with ordinality as given (privilege, number)
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and has_any_column_privilege('authenticated', c.oid, replace(privilege, 'DELETE', 'SELECT'))
       and (privilege <> 'DELETE' or has_table_privilege('authenticated', c.oid, 'DELETE'))
     group by 1 order by 1`,
  )
  const { rows: functions } = await pool.query<{ name: string; parameters: string[] }>(
    `select proname as name, coalesce(proargnames, '{}') as parameters from pg_proc p
     where pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
     order by 1`,
  )
  const methods: Readonly<Record<string, string>> = {
    SELECT: 'GET',
    INSERT: 'POST',
    UPDATE: 'PATCH',
    DELETE: 'DELETE',
  }
  const bodies = ({ owner }: Caller): Readonly<Record<string, object>> => ({
    categories: { name: 'Friends', order: 2 },
    prayers: { person_name: 'Anna', category_id: owner.categoryId },
    prayer_updates: { body: 'Better', prayer_id: owner.prayerId },
    reminders: { remind_at: '09:00', weekdays: 127, time_zone: 'UTC' },
  })
  const ofTables = tables.flatMap(({ name, privileges }) =>
    privileges.map((privilege) => {
      const method = methods[privilege] ?? ''
      const send = (caller: Caller): Attack => ({
        method,
        path: `/rest/v1/${name}${method === 'POST' ? '' : `?user_id=eq.${caller.owner.id}`}`,
        ...(method === 'POST' || method === 'PATCH' ? { body: bodies(caller)[name] } : {}),
      })
      return [`${method} ${name}`, send] as const
    }),
  )
  const ofFunctions = functions.map(({ name, parameters }) => {
    const send = (caller: Caller): Attack => ({
      method: 'POST',
      path: `/rest/v1/rpc/${name}`,
      body: Object.fromEntries(parameters.map((parameter) => [parameter, argumentsFor(caller)[parameter]])),
    })
    return [`rpc ${name}`, send] as const
  })
  return Object.fromEntries([...ofTables, ...ofFunctions])
}

/** The statuses of all calls, by call. */
async function statusesOfAll(calls: typeof CALLS, kind: Kind | null): Promise<Map<string, number>> {
  const statuses = new Map<string, number>()
  let caller = await createCaller(kind)
  for (const [name, callOf] of Object.entries(calls)) {
    const headers = caller.token === null ? {} : bearer(caller.token)
    const { status } = await attack(server, { ...callOf(caller), headers })
    await server.services.background.settled()
    statuses.set(name, status)
    // What was refused has changed nothing.
    if (status < 400 || name.endsWith('verify')) caller = await createCaller(kind)
  }
  return statuses
}

const DOCUMENT = fileURLToPath(new URL('../../docs/security.md', import.meta.url))
const TABLE = /(?<=<!-- Written by tests\/security\/access-matrix\.test\.ts -->\n)[^]*?(?=<!-- End -->)/

it('an endpoint is open to the tokens of the table in docs/security.md, and to no others', async () => {
  const calls = { ...CALLS, ...(await dataCalls()) }
  const columns = []
  for (const kind of Object.values(CALLERS)) columns.push(await statusesOfAll(calls, kind))
  const rows = new Map<string, string[]>()
  for (const name of Object.keys(calls)) {
    const statuses = columns.map((column) => String(column.get(name))).join(' | ')
    rows.set(statuses, [...(rows.get(statuses) ?? []), name])
  }
  const cells = [...rows].map(
    ([statuses, names]) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${statuses} |`,
  )
  const head = [
    ['endpoint', ...Object.keys(CALLERS)],
    Object.keys(CALLERS)
      .map(() => '---')
      .concat('---'),
  ]
  const table = [...head.map((row) => `| ${row.join(' | ')} |`), ...cells].join('\n')
  const page = readFileSync(DOCUMENT, 'utf8')
  expect(page).toMatch(TABLE)
  const options = { ...(await resolveConfig(DOCUMENT)), filepath: DOCUMENT }
  await expect(await format(page.replace(TABLE, `\n${table}\n\n`), options)).toMatchFileSnapshot(DOCUMENT)
})

it('the table has all endpoints of the auth API that take a token', async () => {
  const caller = await createCaller(null)
  const named = new Set(
    Object.values(CALLS).map((callOf) => {
      const owner = { ...caller.owner, id: ':id' }
      const { method, path } = callOf({ ...caller, owner, factorId: ':id', begunId: ':factor' })
      return `${method} ${path}`
    }),
  )
  const found: string[] = []
  for (const { method, path } of authRoutes(server.app)) {
    const { text } = await attack(server, { method, path, ...(method === 'GET' ? {} : { body: {} }) })
    if (text.includes('no_authorization')) found.push(`${method} ${path}`)
  }
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter((one) => !named.has(one))).toEqual([])
})
