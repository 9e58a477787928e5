// Each call that changes an account, together with turning two-factor sign-in on, turning it off, and signing out everywhere: one of
// the two is stopped before one of its statements while the other runs. The result has to be that of one call after the other.
import { setImmediate } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { storedForm } from '#server/auth/one-time-links.ts'
import { createSession } from '#server/auth/sessions.ts'
import { signInWithProfile } from '#server/auth/x-sign-in.ts'
import { ApiError } from '#server/errors/api-error.ts'
import { call, newUser, textMember } from '#tests/contract/auth/auth-client.ts'
import { codeOf } from '#tests/contract/auth/two-factor-client.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { useMailbox, useShared, useTestServer } from '#tests/support/shared-server.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { openGatedPools } from './gated-pools.ts'

const NEW_PASSWORD = 'a louder horse'
/** As a Supabase project stores it, in plain text. */
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))
/** A second server on the same database, whose statements can be stopped. */
const gated = useShared(async () => {
  const { gate, pools, close } = openGatedPools(server.database.env)
  const database = { ...server.database, ...pools, drop: close }
  const started = await startTestServer({ database, config: { dataDir: mailbox.dataDir } })
  started.services.keys = server.services.keys
  return { gate, server: started }
})
afterAll(() => gated().server.close())

let passwordHash = ''

interface SessionOf {
  id: string
  token: string
  refreshToken: string
}

/** An account, as it is before the two calls. */
interface World {
  email: string
  userId: string
  /** The owner's session, which turns two-factor sign-in on or off, or signs out. */
  owner: SessionOf
  /** A token of the owner's session from before a code was given. */
  earlier: SessionOf
  /** Another session of the account: of somebody who has the password. */
  other: SessionOf
  /** The app of the owner. */
  app: string
  /** An app that the other session has begun to add. */
  begun: string
  links: { recovery: string; email_change: string }
}

/** What is called, and by whom. */
type Call = (on: TestServer, world: World, actor: SessionOf) => Promise<Outcome>

/** Why something is refused may differ: a session that has ended is asked for no code. */
type Outcome = 'done' | 'refused'

let accounts = 0

/** @param isOn whether the owner's app has been verified, and both sessions have given its code */
async function createWorld(isOn: boolean): Promise<World> {
  accounts += 1
  const { services, database } = server
  const { user, ...first } = await newUser(server, `race${String(accounts)}@example.org`)
  const second = await createSession(services, services.pool, {
    accountId: user.id,
    method: 'password',
    client: { userAgent: null, ip: '127.0.0.1' },
  })
  if (second === null) throw new Error('There is no second session.')
  const ids = { owner: sessionIdOf(first.access_token), other: second.id }
  const { rows } = await database.pool.query<{ app: string; begun: string; now: number; hash: string }>({
    text: `with app as (
             insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
             values (gen_random_uuid(), $1, 'app', 'totp', $2, $3, $4, $4) returning id
           ), begun as (
             insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
             values (gen_random_uuid(), $1, 'begun', 'totp', 'unverified', $3, $4, $4) returning id
           ), challenges as (
             insert into auth.mfa_challenges (id, factor_id, created_at)
             select id, id, $4 from (select id from app union all select id from begun) as both_apps
           ), links as (
             insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at)
             select gen_random_uuid(), $1, type::auth.one_time_token_type, hash, $1::text, $4::timestamptz at time zone 'UTC'
             from unnest($5::text[], $6::text[]) as link (type, hash)
           ), raised as (
             update auth.sessions set aal = 'aal2', factor_id = (select id from app)
             where user_id = $1 and $2::auth.factor_status = 'verified'
           ), proven as (
             update auth.identities set identity_data = identity_data || '{"email_verified":true}' where user_id = $1
           ), pending as (
             update auth.users set email_change = 'new-' || email, email_change_sent_at = $4, email_change_confirm_status = 1
             where id = $1 returning encrypted_password
           )
           select app.id as app, begun.id as begun, extract(epoch from now())::float8 as now,
                  (select encrypted_password from pending) as hash
           from app, begun`,
    values: [
      user.id,
      isOn ? 'verified' : 'unverified',
      SECRET,
      services.clock.now(),
      ['recovery_token', 'email_change_token_new', 'reauthentication_token'],
      ['recovery', 'change', 'code'].map((name) => storedForm(`${name} ${user.id}`)),
    ],
  })
  const [row] = rows
  if (row === undefined) throw new Error('The account was not prepared.')
  passwordHash = row.hash
  // The database has a clock of its own, which decides how recent the sign-in of a token is.
  const amr = [{ method: 'password', timestamp: Math.floor(row.now) }]
  const tokenOf = (session_id: string, aal: 'aal1' | 'aal2') =>
    accessTokenFor(services, user.id, { session_id, aal, amr })
  const aal = isOn ? 'aal2' : 'aal1'
  const owner = { id: ids.owner, refreshToken: first.refresh_token }
  return {
    email: user.email,
    userId: user.id,
    owner: { ...owner, token: await tokenOf(ids.owner, aal) },
    earlier: { ...owner, token: await tokenOf(ids.owner, 'aal1') },
    other: { id: ids.other, token: await tokenOf(ids.other, aal), refreshToken: second.refreshToken },
    app: row.app,
    begun: row.begun,
    links: { recovery: `recovery ${user.id}`, email_change: `change ${user.id}` },
  }
}

function sessionIdOf(token: string): string {
  return textMember(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()), 'session_id')
}

function auth(
  method: string,
  path: string | ((world: World) => string),
  body?: (world: World, actor: SessionOf) => object,
): Call {
  return async (on, world, actor) => {
    const target = typeof path === 'string' ? path : path(world)
    const given = body === undefined ? {} : { body: body(world, actor) }
    const { status, headers } = await call(on, method, target, { token: actor.token, ...given })
    return outcomeOf(status, headers.get('location')?.includes('error_code=') === true)
  }
}

function rpc(name: string, body: (world: World) => object): Call {
  return async (on, world, { token }) => {
    const { status } = await send(on, `/rpc/${name}`, { method: 'POST', token, body: body(world) })
    return outcomeOf(status, false)
  }
}

function outcomeOf(status: number, leadsToError: boolean): Outcome {
  expect(status).toBeLessThan(500)
  return status >= 400 || leadsToError ? 'refused' : 'done'
}

const verify = (app: (world: World) => string) =>
  auth(
    'POST',
    (world) => `/factors/${app(world)}/verify`,
    (world) => ({ challenge_id: app(world), code: codeOf(server, { factorId: '', secret: SECRET }) }),
  )
const turnOn = verify(({ app }) => app)
const turnOff = auth('DELETE', ({ app }) => `/factors/${app}`)
const signOut = auth('POST', '/logout?scope=global')

const REMOVED_BY_OPERATOR = 'the operator removing all apps'

const CALLS: Readonly<Record<string, Call>> = {
  'beginning to add an app': auth('POST', '/factors', () => ({
    factor_type: 'totp',
    friendly_name: 'third',
  })),
  'adding the app that was begun': verify(({ begun }) => begun),
  'removing the app': turnOff,
  'making recovery codes': auth('POST', '/factors/recovery-codes', () => ({})),
  'setting a password': auth('PUT', '/user', () => ({ password: NEW_PASSWORD })),
  'changing the address': auth('PUT', '/user', ({ userId }) => ({ email: `x${userId}@example.org` })),
  'changing the name': auth('PUT', '/user', () => ({ data: { full_name: 'Taken' } })),
  'asking for an emailed code': auth('GET', '/reauthenticate'),
  'signing out everywhere': signOut,
  'signing out elsewhere': auth('POST', '/logout?scope=others'),
  'signing out': auth('POST', '/logout?scope=local'),
  'signing out the owner': rpc('end_session', ({ owner }) => ({ session_id: owner.id })),
  'deleting the account': rpc('delete_account', () => ({})),
  'refreshing the session': auth('POST', '/token?grant_type=refresh_token', (_world, { refreshToken }) => ({
    refresh_token: refreshToken,
  })),
  'signing in': auth('POST', '/token?grant_type=password', ({ email }) => ({
    email,
    password: 'correct horse',
  })),
  'signing in with X': async ({ services }, { email, userId }) => {
    const profile = { issuer: 'x', id: `x${userId}`, name: 'Ruth', userName: 'ruth', avatarUrl: null, email }
    const client = { userAgent: null, ip: '127.0.0.1' }
    try {
      await signInWithProfile(services, { provider: 'x', profile, client })
      return 'done'
    } catch (error) {
      if (error instanceof ApiError) return 'refused'
      throw error
    }
  },
  [REMOVED_BY_OPERATOR]: async ({ database }, { userId }) => {
    await database.pool.query('delete from auth.mfa_factors where user_id = $1', [userId])
    return 'done'
  },
  'opening a link to set a password': auth(
    'GET',
    ({ links }) => `/verify?type=recovery&token=${links.recovery}`,
  ),
  'opening a link to change the address': auth(
    'GET',
    ({ links }) => `/verify?type=email_change&token=${links.email_change}`,
  ),
}

/** The account as it is afterwards, without what differs from one account to the next. */
async function stateOf({ userId, owner, other, app, begun, email }: World): Promise<unknown> {
  const names = { [owner.id]: 'owner', [other.id]: 'other', [app]: 'app', [begun]: 'begun' }
  const { rows } = await server.database.pool.query<{ state: unknown }>({
    text: `select jsonb_build_object(
             'password', case u.encrypted_password when $2 then 'old' when '' then 'none' else 'new' end,
             'email', replace(u.email, $3, 'address'),
             'pending', replace(replace(u.email_change, $3, 'address'), $1::text, 'id'),
             'name', u.raw_user_meta_data ->> 'full_name',
             'apps', (select jsonb_agg(jsonb_build_array(coalesce($4::jsonb ->> f.id::text, 'new'), f.status)
                                       order by f.friendly_name) from auth.mfa_factors f where f.user_id = u.id),
             'codes', (select count(*) from intercede.recovery_codes r where r.user_id = u.id),
             'sessions', (select jsonb_agg(jsonb_build_array(coalesce($4::jsonb ->> s.id::text, 'new'), s.aal,
                            exists (select from auth.refresh_tokens t where t.session_id = s.id and not t.revoked))
                          order by coalesce($4::jsonb ->> s.id::text, 'new')) from auth.sessions s where s.user_id = u.id),
             'links', (select jsonb_agg(o.token_type order by o.token_type) from auth.one_time_tokens o where o.user_id = u.id)
           ) as state
           from auth.users u where u.id = $1::uuid`,
    values: [userId, passwordHash, email, JSON.stringify(names)],
  })
  return rows[0]?.state ?? 'deleted'
}

interface Race {
  isOn: boolean
  /** What the owner does. */
  ownersCall: Call
  actor: 'other' | 'earlier'
  /** What comes in between. */
  otherCall: Call
}

interface Ended {
  owner: Outcome
  actor: Outcome
  state: unknown
}

interface SerialRun extends Ended {
  /** Of the first call. */
  statements: number
}

/** A new account, and both calls, of which `isOwnerFirst` says which comes first. */
async function prepare(race: Race, isOwnerFirst: boolean) {
  const world = await createWorld(race.isOn)
  const owners = (on: TestServer) => race.ownersCall(on, world, world.owner)
  const others = (on: TestServer) => race.otherCall(on, world, world[race.actor])
  const end = async (first: Outcome, second: Outcome): Promise<Ended> => {
    const [owner, actor] = isOwnerFirst ? [first, second] : [second, first]
    return { owner, actor, state: await stateOf(world) }
  }
  return isOwnerFirst ? { first: owners, second: others, end } : { first: others, second: owners, end }
}

async function runSerially(race: Race, isOwnerFirst: boolean): Promise<SerialRun> {
  const { first, second, end } = await prepare(race, isOwnerFirst)
  const { gate, server: stoppable } = gated()
  const { result, statements } = await gate.count(() => first(stoppable))
  return { ...(await end(result, await second(server))), statements }
}

/** Null if the call has no such statement this time. */
async function runStopped(race: Race, isOwnerStopped: boolean, statement: number): Promise<Ended | null> {
  const { first, second, end } = await prepare(race, isOwnerStopped)
  const { gate, server: stoppable } = gated()
  const stop = gate.stopBefore(statement)
  const stopped = first(stoppable)
  const isStopped = await Promise.race([stop.reached.then(() => true), stopped.then(() => false)])
  if (!isStopped) return null
  const other = second(server)
  await endedOrWaiting(other)
  stop.release()
  return end(await stopped, await other)
}

/** Resolves when the call has ended, or waits for a lock that the stopped one holds. */
async function endedOrWaiting(running: Promise<unknown>): Promise<void> {
  const progress = { hasEnded: false }
  const ended = running.finally(() => {
    progress.hasEnded = true
  })
  while (!progress.hasEnded) {
    const { rowCount } = await server.database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount !== 0) return
    await setImmediate()
  }
  await ended
}

/** Every sixth interleaving is tried, another sixth for each call; with RACES=all, every one. */
const STRIDE = process.env['RACES'] === 'all' ? 1 : 6

async function expectOneAfterTheOther(
  race: Race,
  ownerFirst: SerialRun,
  otherFirst: SerialRun,
  first: number,
): Promise<void> {
  const serial = [ownerFirst, otherFirst].map(({ owner, actor, state }): Ended => ({ owner, actor, state }))
  for (const isOwnerStopped of [true, false]) {
    const { statements } = isOwnerStopped ? ownerFirst : otherFirst
    for (let statement = first; statement <= statements; statement += STRIDE) {
      const ended = await runStopped(race, isOwnerStopped, statement)
      if (ended === null) break
      const where = `${isOwnerStopped ? 'the owner' : 'the other'} stopped before statement ${String(statement)}`
      expect(serial, `${where}: ${JSON.stringify(ended)}`).toContainEqual(ended)
    }
  }
}

/** What may still succeed once two-factor sign-in is on, because it gives no access, and takes nobody else's. */
const HARMLESS = new Set(['signing in', 'signing out', 'signing out elsewhere', 'signing out everywhere'])

/** Nothing that was begun without two-factor sign-in counts any more. */
function expectProtected(name: string, { actor, state }: Ended): void {
  expect(actor === 'refused' || HARMLESS.has(name), 'the other call was allowed').toBe(true)
  const apps = [['app', 'verified']]
  expect(state).toMatchObject({ apps, codes: 0, links: null, pending: '', password: 'old', name: null })
}

describe.each([
  [
    'turning two-factor sign-in on',
    'somebody who has the password',
    { isOn: false, ownersCall: turnOn, actor: 'other' },
  ],
  [
    'turning two-factor sign-in on',
    'a stolen token of the same session',
    { isOn: false, ownersCall: turnOn, actor: 'earlier' },
  ],
  [
    'turning two-factor sign-in off',
    'another session with a code',
    { isOn: true, ownersCall: turnOff, actor: 'other' },
  ],
  [
    'turning two-factor sign-in off',
    'a token from before the code',
    { isOn: true, ownersCall: turnOff, actor: 'earlier' },
  ],
  [
    'signing out everywhere',
    'another session with a code',
    { isOn: true, ownersCall: signOut, actor: 'other' },
  ],
] as const)('%s, and at the same time %s', (_call, _actor, race) => {
  it.each(Object.entries(CALLS))('%s', async (name, otherCall) => {
    const both = { ...race, otherCall }
    const ownerFirst = await runSerially(both, true)
    if (race.ownersCall === turnOn && name !== REMOVED_BY_OPERATOR) expectProtected(name, ownerFirst)
    const first = 1 + (Object.keys(CALLS).indexOf(name) % STRIDE)
    await expectOneAfterTheOther(both, ownerFirst, await runSerially(both, false), first)
  })
})
