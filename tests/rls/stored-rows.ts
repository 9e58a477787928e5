import type { Pool } from 'pg'
import { ANNA, BEN } from '#tests/support/users.ts'

export const ANNAS_CATEGORY = '00000000-0000-4000-8000-0000000000a1'
export const ANNAS_EMPTY_CATEGORY = '00000000-0000-4000-8000-0000000000a2'
export const ANNAS_PRAYER = '00000000-0000-4000-8000-0000000000a3'
export const ANNAS_DELETED_PRAYER = '00000000-0000-4000-8000-0000000000a4'
export const ANNAS_UPDATE = '00000000-0000-4000-8000-0000000000a5'
export const ANNAS_SESSION = '00000000-0000-4000-8000-0000000000a6'
export const ANNAS_REMINDER = '00000000-0000-4000-8000-0000000000a7'
export const BENS_CATEGORY = '00000000-0000-4000-8000-0000000000b1'
export const BENS_PRAYER = '00000000-0000-4000-8000-0000000000b3'
export const BENS_UPDATE = '00000000-0000-4000-8000-0000000000b5'
export const BENS_REMINDER = '00000000-0000-4000-8000-0000000000b7'

/** Of a former key of each. */
export const KEY_ID = '0123456789ABCDEF'
export const PROOF = 'p'.repeat(43)

const SEED = [
  {
    text: `insert into public.categories (id, user_id, name, "order")
           values ($1, $2, 'Family', 1), ($3, $2, 'Empty', 2), ($4, $5, 'Ben''s', 1)`,
    values: [ANNAS_CATEGORY, ANNA, ANNAS_EMPTY_CATEGORY, BENS_CATEGORY, BEN],
  },
  {
    text: `insert into public.prayers (id, user_id, category_id, person_name, note)
           values ($1, $2, $3, 'Ruth', 'a note'), ($4, $5, $6, 'Boaz', null), ($7, $2, $3, 'Deleted', null)`,
    values: [ANNAS_PRAYER, ANNA, ANNAS_CATEGORY, BENS_PRAYER, BEN, BENS_CATEGORY, ANNAS_DELETED_PRAYER],
  },
  {
    text: `insert into public.prayer_updates (id, user_id, prayer_id, body)
           values ($1, $2, $3, 'Better.'), ($4, $5, $6, 'Worse.')`,
    values: [ANNAS_UPDATE, ANNA, ANNAS_PRAYER, BENS_UPDATE, BEN, BENS_PRAYER],
  },
  {
    text: `insert into public.prayed_days (prayer_id, user_id, day) values ($1, $2, '2026-01-02'), ($3, $4, '2026-01-02')`,
    values: [ANNAS_PRAYER, ANNA, BENS_PRAYER, BEN],
  },
  { text: `update public.prayers set times_prayed = 1, last_prayed_on = '2026-01-02'`, values: [] },
  { text: 'delete from public.prayers where id = $1', values: [ANNAS_DELETED_PRAYER] },
  { text: 'insert into auth.sessions (id, user_id) values ($1, $2)', values: [ANNAS_SESSION, ANNA] },
  {
    text: `insert into public.encryption_keys values ($1, $2, 'off', 1, $3), ($4, $2, 'off', 1, $3)`,
    values: [ANNA, KEY_ID, PROOF, BEN],
  },
  {
    text: `insert into public.reminders (id, user_id, remind_at, weekdays, time_zone)
           values ($1, $2, '07:00', 127, 'UTC'), ($3, $4, '08:00', 127, 'UTC')`,
    values: [ANNAS_REMINDER, ANNA, BENS_REMINDER, BEN],
  },
]

/** Restores the rows that the operations work on. */
export async function resetRows(pool: Pool): Promise<void> {
  await pool.query('delete from public.prayers')
  await pool.query('delete from public.categories')
  await pool.query('delete from auth.sessions')
  await pool.query('delete from public.reminders')
  await pool.query('delete from public.encryption_keys')
  for (const statement of SEED) await pool.query(statement)
}

const TABLES = [
  'categories',
  'prayers',
  'prayer_updates',
  'prayed_days',
  'sync_state',
  'deletions',
  'reminders',
  'encryption_keys',
] as const
const ROWS = [...TABLES.map((table) => `public.${table}`), 'auth.sessions'].map(
  (table) => `select to_jsonb(t) as row from ${table} t where user_id = any($1)`,
)

/** All rows of users, read as the owner of the schema. */
export async function rowsOf(pool: Pool, ...userIds: string[]): Promise<unknown[]> {
  const { rows } = await pool.query<{ row: unknown }>({
    text: `${ROWS.join(' union all ')} order by 1`,
    values: [userIds],
  })
  return rows.map(({ row }) => row)
}
