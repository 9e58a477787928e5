import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { findEmbeddedDatabase, startIntercede } from './processes.ts'
import { readAnonKey, signUp } from './sessions.ts'

/** How many rows there are. */
export interface Amounts {
  users: number
  categoriesEach: number
  prayersEach: number
  /** None by default. With updates, prayers also have answers. */
  updatesEach?: number
}

/** 100,000 prayers of 1,000 users. */
export const FIXED_AMOUNTS: Amounts = { users: 1000, categoriesEach: 30, prayersEach: 100 }

/** The same ids in every run, distributed like random ones. Users, categories and prayers are numbered from 1. */
export const userId = (user: number) => fixedId(`user ${String(user)}`)
export const categoryId = (user: number, category: number) =>
  fixedId(`category ${String(user)} ${String(category)}`)
export const prayerId = (user: number, prayer: number) => fixedId(`prayer ${String(user)} ${String(prayer)}`)
export const emailOf = (user: number) => `user${String(user)}@example.org`

function fixedId(name: string): string {
  const hex = createHash('md5').update(name).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const USERS = `
  insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
    raw_user_meta_data, created_at, updated_at)
  select md5('user ' || n)::uuid, 'authenticated', 'authenticated', 'user' || n || '@example.org', $2, t.at,
    '{"provider": "email", "providers": ["email"]}', '{"email_verified": true}', t.at, t.at
  from generate_series(1, $1::int) n, (values (timestamptz '2026-01-01 06:00Z')) t(at)`
const IDENTITIES = `
  insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
  select id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), 'email', created_at,
    updated_at
  from auth.users`
const CATEGORIES = `
  insert into public.categories (id, user_id, name, "order", created_at)
  select md5('category ' || n || ' ' || c)::uuid, md5('user ' || n)::uuid, 'Category ' || c, c,
    timestamptz '2026-01-02 06:00Z' + c * interval '1 minute'
  from generate_series(1, $2::int) c, generate_series(1, $1::int) n`
/**
 * Half of the prayers of each category are resolved. Every user's first prayer is stored before any user's second,
 * which spreads each list over the table.
 */
const PRAYERS = `
  insert into public.prayers (id, user_id, category_id, person_name, note, resolved, created_at)
  select md5('prayer ' || n || ' ' || p)::uuid, md5('user ' || n)::uuid,
    md5('category ' || n || ' ' || 1 + p % $2::int)::uuid, 'Person ' || p,
    case when p % 3 > 0 then 'That the days ahead of prayer number ' || p || ' be lighter than the last' end,
    p / $2::int % 2 = 1, timestamptz '2026-01-03 06:00Z' + p * interval '1 hour' + n * interval '1 second'
  from generate_series(1, $3::int) p, generate_series(1, $1::int) n`

/** Each prayer has about as many as any other. */
const UPDATES = `
  insert into public.prayer_updates (id, user_id, prayer_id, body, created_at)
  select md5('update ' || n || ' ' || u)::uuid, md5('user ' || n)::uuid,
    md5('prayer ' || n || ' ' || 1 + u % $2::int)::uuid, 'News number ' || u || ': the days have been lighter since',
    timestamptz '2026-02-01 06:00Z' + u * interval '1 minute'
  from generate_series(1, $3::int) u, generate_series(1, $1::int) n`

/** Spreads the prayers over ten years. Those that are resolved were answered a month later, half of them with a text. */
const ANSWERS = `
  update public.prayers p
  set created_at = t.at, times_prayed = 9, last_prayed_on = t.at::date + 29,
    answered_on = case when resolved then t.at::date + 30 end,
    answer = case when resolved and n % 2 = 0 then 'Answer number ' || n || ': the days are lighter than before' end
  from (
    select id, n, timestamptz '2016-01-03 06:00Z' + n * interval '17 hours'
    from (select id, substr(person_name, 8)::int from public.prayers) numbered (id, n)
  ) t (id, n, at)
  where t.id = p.id`

/** What the triggers would have written: all rows have revision 1. */
const SYNC_STATES = `insert into public.sync_state (user_id, rev) select id, 1 from auth.users`

/** Creates the data folder of an installation that has been in use. */
export async function createDataFolder(dataDir: string, amounts: Amounts): Promise<void> {
  const server = await startIntercede({ DATA_DIR: dataDir })
  try {
    const { superuserUrl } = await findEmbeddedDatabase(dataDir)
    await signUp(server.url, await readAnonKey(server.url), SAMPLE_EMAIL)
    await fillDatabase(superuserUrl, amounts)
  } finally {
    await server.stop()
  }
}

/** Its account is only created to obtain a password hash. */
const SAMPLE_EMAIL = 'sample@example.org'
const TAKE_HASH = 'delete from auth.users where email = $1 returning encrypted_password as hash'

/**
 * Fills a migrated database. All users get the password of the sample account, or none if there is no such account.
 * `superuserUrl`: only the superuser may insert without triggers and foreign key checks.
 */
export async function fillDatabase(superuserUrl: string, amounts: Amounts): Promise<void> {
  const { users, categoriesEach, prayersEach, updatesEach = 0 } = amounts
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ hash: string }>(TAKE_HASH, [SAMPLE_EMAIL])
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(USERS, [users, rows[0]?.hash ?? null])
    await client.query(IDENTITIES)
    await client.query(CATEGORIES, [users, categoriesEach])
    await client.query(PRAYERS, [users, categoriesEach, prayersEach])
    if (updatesEach > 0) {
      await client.query(UPDATES, [users, prayersEach, updatesEach])
      await client.query(ANSWERS)
    }
    await client.query(SYNC_STATES)
    await client.query('commit')
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
