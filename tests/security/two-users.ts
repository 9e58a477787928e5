import { afterAll } from 'vitest'
import { newUser, type WireSession } from '#tests/contract/auth/auth-client.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '#tests/support/server.ts'
import { useShared } from '#tests/support/shared-server.ts'

/** Part of everything that is Ben's and of nothing that is Anna's: a response to Anna must never contain it. */
export const BENS_SECRET = 'whispered-by-ben'

export interface Owner {
  session: WireSession
  id: string
  categoryId: string
  prayerId: string
  updateId: string
}

/** A real server with two users, each of whom has a session, a category and a prayer with an update and a prayed day. */
export interface TwoUsers {
  server: TestServer
  anna: Owner
  ben: Owner
  /** All rows about accounts, sessions, categories, prayers and updates, with their changes and deletions. */
  allRows(): Promise<unknown>
  close(): Promise<void>
}

export async function startWithTwoUsers(options: TestServerOptions = {}): Promise<TwoUsers> {
  const server = await startTestServer(options)
  const anna = await addOwner(server, 'anna@example.org', 'of anna')
  const ben = await addOwner(server, 'ben@example.org', BENS_SECRET)
  return {
    server,
    anna,
    ben,
    allRows: async () => allRowsIn(server),
    close: async () => server.close(),
  }
}

/** The same for all tests of a file; options that depend on something else that is shared are given as a function. */
export function useTwoUsers(options: TestServerOptions | (() => TestServerOptions) = {}): TwoUsers {
  const world = useShared(() => startWithTwoUsers(typeof options === 'function' ? options() : options))
  afterAll(() => world().close())
  return {
    get server() {
      return world().server
    },
    get anna() {
      return world().anna
    },
    get ben() {
      return world().ben
    },
    allRows: () => world().allRows(),
    close: () => world().close(),
  }
}

/** Adds a user with rows of each kind, all of which contain the text. */
export async function addOwner(server: TestServer, email: string, text: string): Promise<Owner> {
  const session = await newUser(server, email)
  const { id } = session.user
  const { rows } = await server.database.pool.query<{ category: string; prayer: string; update: string }>({
    text: `with category as (
             insert into public.categories (user_id, name, "order") values ($1, $2, 1) returning id
           ), prayer as (
             insert into public.prayers (user_id, category_id, person_name, note, resolved, answer, times_prayed)
             select $1, id, $2, $2, true, $2, 1 from category returning id, category_id
           ), reminder as (
             insert into public.reminders (user_id, remind_at, weekdays, time_zone) values ($1, '07:00', 127, 'UTC')
           ), key as (
             insert into public.encryption_keys values ($1, '0123456789ABCDEF', 'off', 1, repeat('p', 43))
           ), day as (
             insert into public.prayed_days (prayer_id, user_id, day) select id, $1, '2026-01-02' from prayer
           )
           insert into public.prayer_updates (user_id, prayer_id, body) select $1, id, $2 from prayer
           returning prayer_id as prayer, (select category_id from prayer) as category, id as update`,
    values: [id, text],
  })
  const [row] = rows
  if (row === undefined) throw new Error('the prayer was not added')
  return { session, id, categoryId: row.category, prayerId: row.prayer, updateId: row.update }
}

const TABLES = [
  'auth.users',
  'auth.identities',
  'auth.sessions',
  'auth.refresh_tokens',
  'auth.one_time_tokens',
  'public.categories',
  'public.prayers',
  'public.prayer_updates',
  'public.prayed_days',
  'public.reminders',
  'public.sync_state',
  'public.deletions',
  'public.encryption_keys',
]

async function allRowsIn({ database: { pool } }: TestServer): Promise<unknown> {
  const tables = TABLES.map(
    (name) => `select '${name}' as name, coalesce(json_agg(t order by t::text), '[]') as rows from ${name} t`,
  )
  return (await pool.query(tables.join(' union all '))).rows
}
