import type { FastifyInstance } from 'fastify'
import { claimsOf, textMember } from '#tests/contract/auth/auth-client.ts'
import type { TestServer } from '#tests/support/server.ts'
import type { Attack } from './attack.ts'
import type { Owner } from './two-users.ts'

/** Whose data a call is about. */
export interface Subject {
  owner: Owner
  sessionId: string
  factorId: string
  /** An app that has not given a code yet. */
  begunId: string
  /** What the app of `factorId` shows. */
  code: string
}

/** Calls by the names that docs/access.md gives them. */
export type Calls = Readonly<Record<string, (subject: Subject) => Attack>>

const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/a',
  keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'a'.repeat(22) },
}
const IMPORTED = { categories: [], prayers: [] }

const auth = (method: string, path: string, body?: (subject: Subject) => object) => (subject: Subject) => ({
  method,
  path: `/auth/v1${path.replace(':id', subject.factorId)}`,
  ...(body === undefined ? {} : { body: body(subject) }),
})

/** A call of the admin API about the caller's own account. */
const ofUser =
  (method: string, path: string, body?: object) =>
  ({ owner }: Subject): Attack => ({
    method,
    path: `/auth/v1/admin/users/${owner.id}${path}`,
    ...(body === undefined ? {} : { body }),
  })

/** The calls of the auth API and of reminders for signed-in users. */
const USER_CALLS: Calls = {
  'GET /user': auth('GET', '/user'),
  'PUT /user (name)': auth('PUT', '/user', () => ({ data: { full_name: 'Ruth' } })),
  'PUT /user (email)': auth('PUT', '/user', ({ owner }) => ({ email: `x${owner.id}@example.org` })),
  'PUT /user (password)': auth('PUT', '/user', () => ({ password: 'a louder horse' })),
  'GET /reauthenticate': auth('GET', '/reauthenticate'),
  'POST /logout': auth('POST', '/logout'),
  'POST /factors': auth('POST', '/factors', () => ({ factor_type: 'totp', friendly_name: 'third' })),
  'POST /factors/:id/challenge': auth('POST', '/factors/:id/challenge'),
  'POST /factors/:id/verify': auth('POST', '/factors/:id/verify', ({ factorId, code }) => ({
    challenge_id: factorId,
    code,
  })),
  'DELETE /factors/:id (without a code yet)': (subject) => ({
    method: 'DELETE',
    path: `/auth/v1/factors/${subject.begunId}`,
  }),
  'DELETE /factors/:id': auth('DELETE', '/factors/:id'),
  'GET /factors/recovery-codes': auth('GET', '/factors/recovery-codes'),
  'POST /factors/recovery-codes': auth('POST', '/factors/recovery-codes', () => ({})),
  'POST /factors/recovery-codes/verify': auth('POST', '/factors/recovery-codes/verify', () => ({
    code: 'x',
  })),
  'GET /subscription': () => ({ method: 'GET', path: '/reminders/v1/subscription' }),
  'PUT /subscription': () => ({ method: 'PUT', path: '/reminders/v1/subscription', body: SUBSCRIPTION }),
  'DELETE /subscription': () => ({ method: 'DELETE', path: '/reminders/v1/subscription' }),
}

/** The calls of the auth API for the service key. */
const ADMIN_CALLS: Calls = {
  'GET /admin/users': auth('GET', '/admin/users'),
  'POST /admin/users': auth('POST', '/admin/users', ({ owner }) => ({ email: `y${owner.id}@example.org` })),
  'GET /admin/users/:id': ofUser('GET', ''),
  'PUT /admin/users/:id': ofUser('PUT', '', { ban_duration: 'none' }),
  'DELETE /admin/users/:id': ofUser('DELETE', ''),
  'GET /admin/users/:id/factors': ofUser('GET', '/factors'),
  'DELETE /admin/users/:id/factors/:factor (without a code yet)': (subject) =>
    ofUser('DELETE', `/factors/${subject.begunId}`)(subject),
  'DELETE /admin/users/:id/factors/:factor': (subject) =>
    ofUser('DELETE', `/factors/${subject.factorId}`)(subject),
  'POST /invite': auth('POST', '/invite', ({ owner }) => ({ email: `z${owner.id}@example.org` })),
  'POST /admin/generate_link': auth('POST', '/admin/generate_link', ({ owner }) => ({
    type: 'recovery',
    email: owner.session.user.email,
  })),
}

export const SERVER_CALLS: Calls = { ...USER_CALLS, ...ADMIN_CALLS }

/** Arguments of functions, by name. */
const argumentsFor = ({ owner, sessionId }: Subject): Readonly<Record<string, unknown>> => ({
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
export async function dataCalls({ database: { pool } }: TestServer): Promise<Calls> {
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
  const bodies = ({ owner }: Subject): Readonly<Record<string, object>> => ({
    categories: { name: 'Friends', order: 2 },
    prayers: { person_name: 'Anna', category_id: owner.categoryId },
    prayer_updates: { body: 'Better', prayer_id: owner.prayerId },
    reminders: { remind_at: '09:00', weekdays: 127, time_zone: 'UTC' },
  })
  const ofTables = tables.flatMap(({ name, privileges }) =>
    privileges.map((privilege) => {
      const method = methods[privilege] ?? ''
      const send = (subject: Subject): Attack => ({
        method,
        path: `/rest/v1/${name}${method === 'POST' ? '' : `?user_id=eq.${subject.owner.id}`}`,
        ...(method === 'POST' || method === 'PATCH' ? { body: bodies(subject)[name] } : {}),
      })
      return [`${method} ${name}`, send] as const
    }),
  )
  const ofFunctions = functions.map(({ name, parameters }) => {
    const send = (subject: Subject): Attack => ({
      method: 'POST',
      path: `/rest/v1/rpc/${name}`,
      body: Object.fromEntries(parameters.map((parameter) => [parameter, argumentsFor(subject)[parameter]])),
    })
    return [`rpc ${name}`, send] as const
  })
  return Object.fromEntries([...ofTables, ...ofFunctions])
}

/** Every call that requires a signed-in user, on the data of `owner`, who has no two-factor sign-in. */
export async function protectedCalls(server: TestServer, owner: Owner): Promise<Attack[]> {
  const sessionId = textMember(claimsOf(owner.session.access_token), 'session_id')
  const subject = { owner, sessionId, factorId: owner.id, begunId: owner.id, code: '000000' }
  const calls = { ...USER_CALLS, ...(await dataCalls(server)) }
  return Object.values(calls).map((callOf) => callOf(subject))
}

/** The routes of the auth API and of reminders, without HEAD, from Fastify's drawing of them. */
export function apiRoutes(app: FastifyInstance): { method: string; path: string }[] {
  const parents: string[] = []
  const found: { method: string; path: string }[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
    const depth = indent.length / 4
    parents.splice(depth)
    parents.push(part)
    const path = parents.join('')
    for (const method of methods.split(', ')) {
      if (method === '' || method === 'HEAD' || !/^\/(?:auth|reminders)\/v1\//.test(path)) continue
      found.push({ method, path })
    }
  }
  return found.toSorted((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? 1 : -1))
}
