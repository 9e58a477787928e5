import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import { userId } from './fixed-data.ts'

/**
 * Connections as a server would use them: a pool of the driver's default size, with several statements sent at once.
 */
export function openPool(url: string, max = 10): Pool {
  return new Pool({ connectionString: url, pipeline: true, max, keepAlive: true })
}

export interface Statement {
  /** Prepared once per connection under this name. */
  name: string
  text: string
  values: readonly unknown[]
}

/** The data requests in SQL. Each returns the body of the response. */
export const DATA_STATEMENTS = {
  list: (user: number): Statement => ({
    name: 'list',
    text: `select coalesce(json_agg(r), '[]')::text as body from (
             select * from public.prayers where user_id = $1 order by created_at desc, id desc limit $2
           ) r`,
    values: [userId(user), 1000],
  }),
  insert: (_user: number, _path: string, body: string): Statement => ({
    name: 'insert',
    text: `with written as (
             insert into public.prayers (id, user_id, category_id, person_name, note, resolved, created_at)
             select id, user_id, category_id, person_name, note, resolved, created_at
             from json_populate_record(null::public.prayers, $1::json)
             returning *
           ) select to_json(written)::text as body from written`,
    values: [body],
  }),
  update: (_user: number, path: string, body: string): Statement => ({
    name: 'update',
    text: `with written as (
             update public.prayers as t set note = b.note, resolved = b.resolved
             from json_to_record($1::json) as b(note text, resolved boolean)
             where t.id = $2 returning t.*
           ) select coalesce(json_agg(written), '[]')::text as body from written`,
    values: [body, /[?&]id=eq\.([^&]+)/.exec(path)?.[1]],
  }),
}

/** The refresh of a session, as one statement: presented token, its replacement, and the client's details. */
export const REFRESH = {
  name: 'refresh',
  text: `select r.issued, to_jsonb(u) || jsonb_build_object('identities', (
           select jsonb_agg(to_jsonb(i)) from auth.identities i where i.user_id = u.id
         )) as account, (
           select jsonb_agg(jsonb_build_object('method', c.authentication_method, 'timestamp', c.updated_at))
           from auth.mfa_amr_claims c where c.session_id = r.session
         ) as methods
         from intercede.rotate_refresh_token($1, $2, now(), interval '10 s', null, '127.0.0.1', 10000000) r
         join auth.users u on u.id = r.account`,
}

const SET_CALLER = `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`

/**
 * Runs a statement with the rights of a user, as the server has to: in a transaction that sets role and claims. All
 * four statements are sent in one round trip.
 */
export async function runAs<Row extends object>(
  pool: Pool,
  claims: string,
  { name, text, values }: Statement,
): Promise<Row[]> {
  const client = await pool.connect()
  const results = await Promise.all([
    client.query('begin'),
    client.query({ name: 'caller', text: SET_CALLER, values: [claims] }),
    client.query<Row>({ name, text, values: [...values] }),
    client.query('commit'),
  ])
  client.release()
  return results[2].rows
}

const ONE_HOUR = 3600

/** The claims of an access token, as many as the server's own tokens have. */
export function claimsOf(id: string) {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: 'http://localhost:3000/auth/v1',
    sub: id,
    aud: 'authenticated',
    exp: now + ONE_HOUR,
    iat: now,
    email: 'user1000@example.org',
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { email_verified: true },
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: now }],
    session_id: randomUUID(),
    is_anonymous: false,
  }
}
