import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { hashPassword } from '#server/auth/passwords.ts'

/** How much there is of everything. */
export interface Amounts {
  people: number
  categoriesEach: number
  prayersEach: number
}

/** 100,000 prayers of 1,000 people. */
export const FIXED_AMOUNTS: Amounts = { people: 1000, categoriesEach: 30, prayersEach: 100 }
/** Everybody's. */
export const PASSWORD = 'a quiet hour'

/** The same ids in every run, scattered like random ones. `kind` and numbers as in the statements below. */
function fixedId(name: string): string {
  const hex = createHash('md5').update(name).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** People, categories and prayers are counted from 1. */
export const personId = (person: number) => fixedId(`person ${String(person)}`)
export const categoryId = (person: number, category: number) =>
  fixedId(`category ${String(person)} ${String(category)}`)
export const prayerId = (person: number, prayer: number) =>
  fixedId(`prayer ${String(person)} ${String(prayer)}`)
export const emailOf = (person: number) => `person${String(person)}@example.org`

const PEOPLE = `
  insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
    raw_user_meta_data, created_at, updated_at)
  select md5('person ' || n)::uuid, 'authenticated', 'authenticated', 'person' || n || '@example.org', $2, t.at,
    '{"provider": "email", "providers": ["email"]}', '{"email_verified": true}', t.at, t.at
  from generate_series(1, $1::int) n, (values (timestamptz '2026-01-01 06:00Z')) t(at)`
const IDENTITIES = `
  insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
  select id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true), 'email', created_at,
    updated_at
  from auth.users`
const CATEGORIES = `
  insert into public.categories (id, user_id, name, "order", created_at)
  select md5('category ' || n || ' ' || c)::uuid, md5('person ' || n)::uuid, 'Category ' || c, c,
    timestamptz '2026-01-02 06:00Z' + c * interval '1 minute'
  from generate_series(1, $2::int) c, generate_series(1, $1::int) n`
/** Everybody's first prayer comes before anybody's second, so each list is spread over the table as years would. */
const PRAYERS = `
  insert into public.prayers (id, user_id, category_id, person_name, note, resolved, created_at)
  select md5('prayer ' || n || ' ' || p)::uuid, md5('person ' || n)::uuid,
    md5('category ' || n || ' ' || 1 + p % $2::int)::uuid, 'Person ' || p,
    case when p % 3 > 0 then 'That the days ahead of prayer number ' || p || ' be lighter than the last' end,
    p % 4 = 0, timestamptz '2026-01-03 06:00Z' + p * interval '1 hour' + n * interval '1 second'
  from generate_series(1, $3::int) p, generate_series(1, $1::int) n`

/** Fills a migrated and empty database. `url` is the superuser's, who may go without triggers and references. */
export async function fillDatabase(url: string, amounts: Amounts): Promise<void> {
  const { people, categoriesEach, prayersEach } = amounts
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    await client.query(PEOPLE, [people, await hashPassword(PASSWORD)])
    await client.query(IDENTITIES)
    await client.query(CATEGORIES, [people, categoriesEach])
    await client.query(PRAYERS, [people, categoriesEach, prayersEach])
    await client.query('commit')
    await client.query('vacuum (analyze)')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
