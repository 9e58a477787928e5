import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAs } from '#server/db/request-scope.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addUsers, ANNA, asAnna } from '#tests/support/users.ts'

let database: TestDatabase

/** 200 users with 20 categories, 200 prayers and as many updates each. */
const MANY_ROWS = `
  begin;
  -- The limit is for requests.
  set local statement_timeout = 0;
  insert into auth.users (id, email)
    select ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.org' from generate_series(1, 200) n;
  insert into public.categories (user_id, name, "order")
    select id, 'Category ' || n, n from auth.users, generate_series(1, 20) n;
  insert into public.prayers (user_id, category_id, person_name, created_at)
    select c.user_id, c.id, 'Person ' || n, now() - n * interval '1 minute'
    from public.categories c, generate_series(1, 10) n;
  insert into public.prayer_updates (user_id, prayer_id, body, created_at)
    select user_id, id, 'Update', created_at from public.prayers;
  delete from public.prayers where person_name = 'Person 10';
  analyze auth.users, public.categories, public.prayers, public.prayer_updates, public.deletions;
  commit`

beforeAll(async () => {
  database = await createTestDatabase()
  await addUsers(database.pool)
  await database.pool.query(MANY_ROWS)
})
afterAll(() => database.drop())

const lists = [
  {
    what: 'prayers, newest first',
    text: `select * from public.prayers where user_id = $1 order by created_at desc, id desc limit 1000`,
    index: /prayers_user_id_(?:created_at|rev)_idx/,
  },
  {
    what: 'categories in their order',
    text: `select * from public.categories where user_id = $1 order by "order", created_at, id limit 1000`,
    index: /categories_user_id_(?:order|rev)_idx/,
  },
  {
    what: 'updates, newest first',
    text: `select * from public.prayer_updates where user_id = $1 order by created_at desc, id desc limit 1000`,
    index: /prayer_updates_user_id_(?:created_at|rev)_idx/,
  },
  {
    what: 'prayers that have changed',
    text: `select * from public.prayers where user_id = $1 and rev > 1 and rev <= 2 order by rev, id limit 1000`,
    index: /prayers_user_id_rev_idx/,
  },
  {
    what: 'categories that have changed',
    text: `select * from public.categories where user_id = $1 and rev > 1 and rev <= 2 order by rev, id limit 1000`,
    index: /categories_user_id_rev_idx/,
  },
  {
    what: 'updates that have changed',
    text: `select * from public.prayer_updates where user_id = $1 and rev > 1 and rev <= 2 order by rev, id limit 1000`,
    index: /prayer_updates_user_id_rev_idx/,
  },
  {
    what: 'deletions',
    text: `select * from public.deletions where user_id = $1 and rev > 1 and rev <= 2 order by rev, row_id, table_name limit 1000`,
    index: /deletions_user_id_rev_idx/,
  },
]

it.each(lists)(
  'the list of $what uses an index to read only the rows of the user',
  async ({ text, index }) => {
    const { rows } = await runAs<{ 'QUERY PLAN': unknown }>(database.dataPool, asAnna, {
      text: `explain (format json) ${text}`,
      values: [ANNA],
    })
    const plan = JSON.stringify(rows[0]?.['QUERY PLAN'])
    expect(plan.split('"Index Name":')[1] ?? '').toMatch(index)
    expect(plan).not.toContain('"Seq Scan"')
  },
)

it('deleting a category uses an index to look for its prayers', async () => {
  const { rows } = await database.pool.query<{ 'QUERY PLAN': unknown }>(
    `explain (format json) select 1 from public.prayers
     where category_id = '${ANNA}' and user_id = '${ANNA}' for key share`,
  )
  expect(JSON.stringify(rows[0]?.['QUERY PLAN'])).toContain('"Index Name":"prayers_category_id_idx"')
})
