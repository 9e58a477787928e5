// With two-factor sign-in on, somebody who knows only the password reads and changes nothing. What is tried comes from the catalogue
// of the database and from the routes of the server, so that this covers what is added later.
import { randomUUID } from 'node:crypto'
import { DatabaseError } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { storedForm } from '#server/auth/one-time-links.ts'
import { type Caller, runAs } from '#server/db/request-scope.ts'
import { claimsOf, PASSWORD, sessionOf, signIn } from '#tests/contract/auth/auth-client.ts'
import { addApp, newRecoveryCodes, type App } from '#tests/contract/auth/two-factor-client.ts'
import { readAllRows } from '#tests/support/all-rows.ts'
import { type Attack, attack, bearer } from './attack.ts'
import { apiRoutes } from './protected-calls.ts'
import { rowCalls } from './row-calls.ts'
import { BENS_SECRET, useTwoUsers } from './two-users.ts'

const world = useTwoUsers()

/** Ben's session in which no code was given. */
let token: string
let app: App

beforeAll(async () => {
  const added = await addApp(world.server, world.ben.session)
  app = added
  await newRecoveryCodes(world.server, added.session.access_token)
  token = sessionOf(await signIn(world.server, 'ben@example.org')).access_token
})

interface Table {
  name: string
  privileges: string[]
}

/** The tables that signed-in users can reach. */
async function tables(): Promise<Table[]> {
  const { rows } = await world.server.database.pool.query<Table>(
    `select c.relname as name, array_agg(privilege) as privileges
     from pg_class c cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
       and has_table_privilege('authenticated', c.oid, privilege)
     group by 1 order by 1`,
  )
  return rows
}

interface Routine {
  schema: string
  name: string
  parameters: string[]
  types: string[]
}

/** The functions that signed-in users can call, and that do not run with their rights in any case. */
async function routines(): Promise<Routine[]> {
  const { rows } = await world.server.database.pool.query<Routine>(
    `select n.nspname as schema, p.proname as name, coalesce(p.proargnames, '{}') as parameters,
            array(select unnest(p.proargtypes)::regtype::text) as types
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where (n.nspname = 'public' or (n.nspname = 'private' and p.prosecdef))
       and p.prorettype <> 'trigger'::regtype and has_function_privilege('authenticated', p.oid, 'execute')
     order by 1, 2`,
  )
  return rows
}

/** An argument for a function, which is about the row with this id. */
function argumentOf(type: string, id: string): string {
  const values: Readonly<Record<string, string>> = {
    uuid: id,
    'uuid[]': `{${id}}`,
    date: '2026-01-02',
    'date[]': '{2026-01-02}',
    'timestamp with time zone': '2026-01-02T00:00:00Z',
    json: '{}',
    jsonb: '{}',
    boolean: 'false',
    integer: '1',
    bigint: '1',
    text: 'x',
  }
  const value = values[type]
  if (value === undefined) throw new Error(`Add an argument of type ${type}.`)
  return value
}

async function errorInSql(text: string, values: readonly string[] = []): Promise<string | undefined> {
  const claims = claimsOf(token)
  const caller: Caller = { role: 'authenticated', claims: JSON.stringify(claims) }
  try {
    await runAs(world.server.database.dataPool, caller, { text, values })
    return 'none'
  } catch (error) {
    if (error instanceof DatabaseError) return error.code
    throw error
  }
}

async function send(call: Attack) {
  return attack(world.server, { ...call, headers: { ...call.headers, ...bearer(token) } })
}

async function expectRefused(name: string, call: Attack): Promise<void> {
  const { status, headers } = await send(call)
  expect([status, headers.get('proxy-status')], name).toEqual([401, 'PostgREST; error=PT401'])
}

/** All rows, without what asking for a code and refusing a request leave behind. */
async function allRows(): Promise<unknown> {
  const {
    'auth.mfa_challenges': _challenges,
    'auth.mfa_factors': _factors,
    'intercede.failed_sign_ins': _failures,
    ...all
  } = await readAllRows(world.server.database.pool)
  return all
}

async function expectUnchanged(work: () => Promise<void>): Promise<void> {
  const before = await allRows()
  await work()
  expect(await allRows()).toEqual(before)
}

describe('without the code', () => {
  it('no table is read or written over HTTP, also where no row would be found', async () => {
    const found = await tables()
    expect(found.length).toBeGreaterThan(4)
    await expectUnchanged(async () => {
      for (const { name, privileges } of found) {
        const path = `/rest/v1/${name}`
        const all = `${path}?user_id=eq.${world.ben.id}`
        const none = `${all}&user_id=neq.${world.ben.id}`
        const { rows: own } = await world.server.database.pool.query<{ row: unknown }>(
          `select to_jsonb(t) as row from public.${name} t where user_id = $1 limit 1`,
          [world.ben.id],
        )
        const body = own[0]?.row ?? { user_id: world.ben.id }
        const calls: Readonly<Record<string, readonly Attack[]>> = {
          select: [
            { method: 'GET', path },
            { method: 'HEAD', path, headers: { prefer: 'count=exact' } },
            { method: 'GET', path: none },
          ],
          insert: [
            { method: 'POST', path, body },
            { method: 'POST', path, body, headers: { prefer: 'resolution=ignore-duplicates' } },
            { method: 'POST', path, body, headers: { prefer: 'resolution=merge-duplicates' } },
          ],
          update: [
            { method: 'PATCH', path: all, body },
            { method: 'PATCH', path: none, body },
          ],
          delete: [
            { method: 'DELETE', path: all },
            { method: 'DELETE', path: none },
          ],
        }
        for (const call of privileges.flatMap((privilege) => calls[privilege] ?? [])) {
          await expectRefused(`${call.method} ${call.path}`, call)
        }
      }
    })
  })

  it.each([
    ['about a row that exists', () => world.ben.prayerId],
    ['about none', randomUUID],
  ])('no function is called over HTTP or in SQL, %s', async (_which, id) => {
    const found = await routines()
    expect(found.length).toBeGreaterThan(15)
    await expectUnchanged(async () => {
      for (const { schema, name, parameters, types } of found) {
        const values = types.map((type) => argumentOf(type, id()))
        const text = `select ${schema}.${name}(${types.map((type, at) => `$${String(at + 1)}::${type}`).join(', ')})`
        expect(await errorInSql(text, values), text).toBe('PT401')
        if (schema !== 'public') continue
        const body = Object.fromEntries(parameters.map((parameter, at) => [parameter, values[at]]))
        await expectRefused(name, { method: 'POST', path: `/rest/v1/rpc/${name}`, body })
      }
    })
  })

  it('no condition, range or preference gets around that', async () => {
    await expectUnchanged(async () => {
      for (const [name, call] of Object.entries(rowCalls(world.ben, world.ben))) {
        const { text, status, headers } = await send(call)
        expect(status, name).toBeGreaterThanOrEqual(400)
        expect(text, name).not.toContain(BENS_SECRET)
        expect(headers.get('content-range'), name).toBeNull()
      }
    })
  })

  // Signing out is what a session may always do.
  it('no endpoint of the auth API or of reminders that takes a token changes anything, or shows more than asking for the code needs', async () => {
    const found = apiRoutes(world.server.app).filter(({ path }) => path !== '/auth/v1/logout')
    expect(found.length).toBeGreaterThan(12)
    const given = await attack(world.server, {
      method: 'POST',
      path: `/auth/v1/factors/${app.factorId}/challenge`,
      headers: bearer(token),
    })
    const body = {
      email: 'taken@example.org',
      password: 'a new password',
      current_password: PASSWORD,
      data: { full_name: 'Taken' },
      factor_type: 'totp',
      friendly_name: 'Taken',
      challenge_id: Object(JSON.parse(given.text)).id,
      code: '000000',
    }
    const answered: string[] = []
    for (const { method, path } of found) {
      const call = { method, path: path.replace(':id', app.factorId), ...(method === 'GET' ? {} : { body }) }
      const anonymous = await attack(world.server, call)
      await world.server.services.background.settled()
      if (!anonymous.text.includes('no_authorization')) continue
      await expectUnchanged(async () => {
        const { status, text } = await send(call)
        expect(text).not.toContain(BENS_SECRET)
        if (status < 300) answered.push(`${method} ${path}`)
      })
    }
    expect(answered).toEqual(['GET /auth/v1/user', 'POST /auth/v1/factors/:id/challenge'])
  })
})

it('an emailed link signs in without the code, and changes nothing about the account', async () => {
  const { pool } = world.server.database
  const { rows } = await pool.query<{ id: string }>(
    `update auth.users set confirmation_sent_at = now(), email_change = 'new@example.org', email_change_sent_at = now()
     where email = 'ben@example.org' returning id`,
  )
  const id = rows[0]?.id
  for (const type of ['recovery_token', 'reauthentication_token', 'email_change_token_new']) {
    await pool.query(
      `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at)
       values (gen_random_uuid(), $1, $2, $3, '', $4::timestamptz at time zone 'UTC')`,
      [id, type, storedForm(type), world.server.clock.now()],
    )
  }
  const read = async () => {
    const account = await pool.query(
      'select encrypted_password, email_change, confirmation_sent_at from auth.users where id = $1',
      [id],
    )
    const tokens = await pool.query(
      `select token_type from auth.one_time_tokens where user_id = $1 and token_type <> 'recovery_token' order by 1`,
      [id],
    )
    return [account.rows, tokens.rows]
  }
  const before = await read()
  const path = '/auth/v1/verify?type=recovery&token=recovery_token'
  const { headers } = await attack(world.server, { method: 'GET', path })
  expect(headers.get('location')).toContain('access_token=')
  expect(await read()).toEqual(before)
})
