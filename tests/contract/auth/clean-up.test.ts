// What the server deletes by itself, and what it must keep.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cleanUp } from '#server/auth/clean-up.ts'
import { createMailbox, linkIn } from '#tests/support/mailbox.ts'
import { startTestServer } from '#tests/support/server.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { call, newUser, PASSWORD, refresh, sessionOf, signIn } from './auth-client.ts'
import { addApp, appOf, enroll } from './two-factor-client.ts'

const server = useTestServer()

const DAY = 86_400

async function rowsOf(query: string): Promise<number> {
  const { rows } = await server.database.pool.query<{ rows: number }>(
    `select count(*)::int as rows from ${query}`,
  )
  return rows[0]?.rows ?? -1
}

it('deletes revoked refresh tokens after a day, except the parent of the active one', async () => {
  let session = await newUser(server, 'ruth@example.com')
  const used: string[] = []
  for (let count = 0; count < 5; count += 1) {
    used.push(session.refresh_token)
    session = sessionOf(await refresh(server, session.refresh_token))
  }
  await cleanUp(server.services)
  expect(await rowsOf('auth.refresh_tokens')).toBe(6)
  server.clock.advance(2 * DAY)
  await cleanUp(server.services)
  expect(await rowsOf('auth.refresh_tokens')).toBe(2)
  expect(sessionOf(await refresh(server, used.at(-1) ?? '')).refresh_token).toBe(session.refresh_token)
  expect((await refresh(server, session.refresh_token)).status).toBe(200)
})

it('deletes sessions and known networks that were not used for a year', async () => {
  await server.database.pool.query('delete from auth.users')
  await newUser(server, 'unused@example.com')
  const unused = sessionOf(await signIn(server, 'unused@example.com'))
  const kept = await newUser(server, 'used@example.com')
  server.clock.advance(200 * DAY)
  const { refresh_token: token } = sessionOf(await refresh(server, kept.refresh_token))
  server.clock.advance(200 * DAY)
  await cleanUp(server.services)
  expect(await rowsOf('auth.sessions')).toBe(1)
  expect(await rowsOf('auth.mfa_amr_claims')).toBe(1)
  expect(await rowsOf('intercede.known_networks')).toBe(0)
  expect((await refresh(server, token)).status).toBe(200)
  // Nobody has ended it.
  expect((await refresh(server, unused.refresh_token)).body).toMatchObject({
    code: 'refresh_token_not_found',
  })
})

it('deletes an unused session only after its token, which a refresh may be using, so that it does not count as ended', async () => {
  const { user, refresh_token: token } = await newUser(server, 'returning@example.com')
  const sessions = () => rowsOf(`auth.sessions where user_id = '${user.id}'`)
  server.clock.advance(400 * DAY)
  const holder = await server.database.pool.connect()
  await holder.query('begin')
  await holder.query('select from auth.refresh_tokens where user_id = $1 for update', [user.id])
  await cleanUp(server.services)
  expect(await sessions()).toBe(1)
  await holder.query('rollback')
  holder.release()
  await cleanUp(server.services)
  expect(await sessions()).toBe(0)
  expect((await refresh(server, token)).body).toMatchObject({ code: 'refresh_token_not_found' })
})

it('deletes challenges once they have expired, and apps of which no code was given after a day', async () => {
  const { session } = await addApp(server, await newUser(server, 'verified@example.com'))
  const { access_token: token } = await newUser(server, 'unverified@example.com')
  const { factorId } = appOf(await enroll(server, token))
  await call(server, 'POST', `/factors/${factorId}/challenge`, { token, body: {} })
  await cleanUp(server.services)
  expect(await rowsOf('auth.mfa_challenges')).toBe(1)
  server.clock.advance(361)
  await cleanUp(server.services)
  expect([await rowsOf('auth.mfa_challenges'), await rowsOf('auth.mfa_factors')]).toEqual([0, 2])
  server.clock.advance(DAY)
  await cleanUp(server.services)
  expect(await rowsOf(`auth.mfa_factors where user_id = '${session.user.id}'`)).toBe(1)
  expect(await rowsOf('auth.mfa_factors')).toBe(1)
})

it('forgets after 30 days which sessions were ended on purpose', async () => {
  const { access_token: token, refresh_token: ended } = await newUser(server, 'ended@example.com')
  await call(server, 'POST', '/logout?scope=local', { token })
  await server.database.pool.query('update intercede.ended_sessions set ended_at = $1', [server.clock.now()])
  server.clock.advance(29 * DAY)
  await cleanUp(server.services)
  expect((await refresh(server, ended)).body).toMatchObject({ code: 'session_not_found' })
  server.clock.advance(2 * DAY)
  await cleanUp(server.services)
  expect(await rowsOf('intercede.ended_sessions')).toBe(0)
  expect((await refresh(server, ended)).body).toMatchObject({ code: 'refresh_token_not_found' })
})

it('forgets after a year what was done to accounts', async () => {
  const { pool } = server.database
  await pool.query({
    text: `insert into intercede.account_actions (happened_at, action, done_by) values ($1, 'make-key', 'command')`,
    values: [server.clock.now()],
  })
  const count = async () => (await pool.query('select from intercede.account_actions')).rowCount
  server.clock.advance(365 * 86_400)
  await cleanUp(server.services)
  expect(await count()).toBe(1)
  server.clock.advance(1)
  await cleanUp(server.services)
  expect(await count()).toBe(0)
})

it('deletes expired links, unfinished sign-ins, failed ones and unused quotas', async () => {
  await signIn(server, 'failed@example.com', 'wrong')
  const { user } = await newUser(server, 'links@example.com')
  const { pool } = server.database
  const now = server.clock.now()
  await pool.query('update intercede.failed_sign_ins set updated_at = $1', [now])
  await pool.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at)
     values (gen_random_uuid(), $1, 'recovery_token', 'x', 'x', $2::timestamptz at time zone 'UTC')`,
    [user.id, now],
  )
  await pool.query(
    `insert into auth.flow_state (id, provider_type, authentication_method, created_at)
     values (gen_random_uuid(), 'x', 'oauth', $1)`,
    [now],
  )
  await pool.query(
    "insert into auth.oauth_client_states (id, provider_type, created_at) values (gen_random_uuid(), 'x', $1)",
    [now],
  )
  const all = async () =>
    Promise.all(
      ['auth.one_time_tokens', 'auth.flow_state', 'auth.oauth_client_states'].map(async (table) =>
        rowsOf(table),
      ),
    )
  await cleanUp(server.services)
  expect(await all()).toEqual([1, 1, 1])
  server.clock.advance(361)
  await cleanUp(server.services)
  expect(await all()).toEqual([1, 0, 0])
  expect(await rowsOf('intercede.rate_limits')).toBeGreaterThan(0)
  expect(await rowsOf('intercede.failed_sign_ins')).toBe(1)
  server.clock.advance(8 * DAY)
  await cleanUp(server.services)
  expect(await all()).toEqual([0, 0, 0])
  expect(await rowsOf('intercede.rate_limits')).toBe(0)
  expect(await rowsOf('intercede.failed_sign_ins')).toBe(0)
})

it('forgets a change of an email address that was not confirmed, a week after its links have expired', async () => {
  const { access_token: token, user } = await newUser(server, 'stays@example.com')
  const columns = 'email_change, email_change_sent_at, email_change_confirm_status'
  await server.database.pool.query(
    `update auth.users set (${columns}) = ('moved@example.com', $2, 1) where id = $1`,
    [user.id, server.clock.now()],
  )
  const pending = async () => (await call(server, 'GET', '/user', { token })).body
  server.clock.advance(3000)
  await cleanUp(server.services)
  expect(await pending()).toMatchObject({ new_email: 'moved@example.com' })
  server.clock.advance(8 * DAY)
  await cleanUp(server.services)
  const { rows } = await server.database.pool.query(`select ${columns} from auth.users where id = $1`, [
    user.id,
  ])
  expect(rows).toEqual([{ email_change: '', email_change_sent_at: null, email_change_confirm_status: 0 }])
})

it('deletes more than one batch per run', async () => {
  const { pool } = server.database
  await pool.query(
    `insert into auth.oauth_client_states (id, provider_type, created_at)
     select gen_random_uuid(), 'x', $1 from generate_series(1, 2500)`,
    [server.clock.now()],
  )
  server.clock.advance(DAY)
  await cleanUp(server.services)
  expect(await rowsOf('auth.oauth_client_states')).toBe(0)
})

it('deletes accounts that were not confirmed within a month, and never a confirmed one', async () => {
  const mailbox = await createMailbox()
  const other = await startTestServer({ config: { confirmEmail: true, dataDir: mailbox.dataDir } })
  const addresses = async () => {
    const { rows } = await other.database.pool.query<{ email: string }>(
      'select email from auth.users order by 1',
    )
    return rows.map(({ email }) => email)
  }
  const signUpWithEmail = async (email: string) =>
    call(other, 'POST', '/signup', { body: { email, password: PASSWORD } })
  await signUpWithEmail('confirmed@example.org')
  const [email = ''] = await mailbox.emails()
  const { pathname, search } = linkIn(email)
  await fetch(`${other.url}${pathname}${search}`, { redirect: 'manual' })
  await signUpWithEmail('never@example.org')
  await signUpWithEmail('later@example.org')

  other.clock.advance(29 * DAY)
  await cleanUp(other.services)
  await call(other, 'POST', '/resend', { body: { type: 'signup', email: 'later@example.org' } })
  other.clock.advance(2 * DAY)
  await cleanUp(other.services)
  expect(await addresses()).toEqual(['confirmed@example.org', 'later@example.org'])

  other.clock.advance(400 * DAY)
  await cleanUp(other.services)
  expect(await addresses()).toEqual(['confirmed@example.org'])
  expect((await signIn(other, 'confirmed@example.org')).status).toBe(200)
  await other.close()
  await mailbox.remove()
})

it('deletes emails from the outbox after a day, and no other files', async () => {
  const mailbox = await createMailbox()
  const other = await startTestServer({ config: { confirmEmail: true, dataDir: mailbox.dataDir } })
  const body = { email: 'anna@example.org', password: PASSWORD }
  await call(other, 'POST', '/signup', { body })
  await writeFile(join(mailbox.dataDir, 'outbox', 'notes.txt'), 'not ours')
  other.clock.advance(DAY - 1000)
  await cleanUp(other.services)
  expect(await mailbox.emails()).toHaveLength(2)
  other.clock.advance(2000)
  await cleanUp(other.services)
  expect(await mailbox.emails()).toEqual(['not ours'])
  await other.close()
  await mailbox.remove()
})

it('lets no table grow forever: rows are deleted with their account or by clean-up, or their number is fixed', async () => {
  const { rows } = await server.database.pool.query<{ name: string }>(`
    with recursive owned as (
      select 'auth.users'::regclass::oid as id
      union
      select k.conrelid from pg_constraint k join owned on k.confrelid = owned.id
      where k.contype = 'f' and k.confdeltype = 'c'
    )
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('auth', 'intercede', 'private', 'public')
      and (c.oid not in (select id from owned) or c.oid = 'auth.users'::regclass)
    order by 1`)
  expect(rows.map(({ name }) => name)).toEqual([
    // Deleted by clean-up, as tested above.
    'auth.flow_state',
    'auth.oauth_client_states',
    // One row per migration.
    'auth.schema_migrations',
    // Deleted by their user, or if never confirmed.
    'auth.users',
    // Deleted by clean-up.
    'intercede.account_actions',
    'intercede.ended_sessions',
    'intercede.failed_sign_ins',
    'intercede.rate_limits',
    // A secret, one key per secret, and the hash of the service key.
    'intercede.settings',
  ])
})
