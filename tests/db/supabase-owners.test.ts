import { rm } from 'node:fs/promises'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { createDataPool, createPool } from '#server/db/pool.ts'
import { type Caller, runAs, type Statement } from '#server/db/request-scope.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { addUsers, ANNA, BEN } from '#tests/support/users.ts'

/** Owns schema `auth`, as `supabase_auth_admin` does. */
const AUTH_ADMIN = 'auth_admin'
/** Applies the migrations, as `postgres` does: not a superuser, bypasses row level security, has rights in `auth`. */
const PROJECT_OWNER = 'project_owner'

/** Gives everything in a migrated database the owner that it has in a Supabase project, which has no trigger of ours in `auth`. */
const CHANGE_OWNERS = `
  create role ${AUTH_ADMIN};
  create role ${PROJECT_OWNER} nosuperuser bypassrls;
  grant ${AUTH_ADMIN}, ${PROJECT_OWNER} to current_user;
  drop trigger remember_ended_session on auth.sessions;
  alter schema auth owner to ${AUTH_ADMIN};
  grant usage on schema auth to ${PROJECT_OWNER}, authenticated;
  alter schema private owner to ${PROJECT_OWNER};
  grant create, usage on schema public to ${PROJECT_OWNER};
  do $$
  declare
    object record;
  begin
    for object in
      select c.oid::regclass as name, n.nspname as schema
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('auth', 'private', 'public') and c.relkind = 'r'
    loop
      execute format('alter table %s owner to %I', object.name,
        case object.schema when 'auth' then '${AUTH_ADMIN}' else '${PROJECT_OWNER}' end);
      if object.schema = 'auth' then
        execute format('alter table %s enable row level security', object.name);
        execute format('grant all on %s to ${PROJECT_OWNER}', object.name);
      end if;
    end loop;
    for object in
      select p.oid::regprocedure as name
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('private', 'public')
    loop
      execute format('alter function %s owner to %I', object.name, '${PROJECT_OWNER}');
    end loop;
  end
  $$;
  grant all on all tables in schema public to ${PROJECT_OWNER};
  grant execute on all functions in schema auth to ${PROJECT_OWNER};`

let folder: string
let server: EmbeddedPostgres
let pool: Pool
let dataPool: Pool

beforeAll(async () => {
  // A separate PostgreSQL, because only a superuser can create roles that bypass row level security.
  folder = await makeDataFolder()
  server = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } })
  pool = createPool({ url: server.superuserUrl })
  dataPool = createDataPool({ url: server.url })
  await addUsers(pool)
  await pool.query(CHANGE_OWNERS)
})

afterAll(async () => {
  await pool.end()
  await dataPool.end()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Anna with a token that was issued just now. */
async function anna(): Promise<Caller> {
  const { rows } = await pool.query<{ now: number }>('select extract(epoch from now())::float8 as now')
  const amr = [{ method: 'password', timestamp: rows[0]?.now ?? 0 }]
  return { role: 'authenticated', claims: JSON.stringify({ sub: ANNA, role: 'authenticated', amr }) }
}

it('with the owners and row level security of a Supabase project, a user can change, export and import data up to the quota, and delete the account', async () => {
  const caller = await anna()
  const call = async (text: string, values: Statement['values'] = []) => {
    const { rows } = await runAs<{ value: unknown }>(dataPool, caller, { text, values })
    return rows[0]?.value
  }
  await call(`insert into public.categories (name, "order") values ('Family', 1)`)
  const exported = await call('select public.export_account() as value')
  expect(exported).toMatchObject({
    account: { email: 'anna@example.org' },
    categories: [{ name: 'Family' }],
  })
  expect(
    await call('select public.import_prayers($1, false) as value', [JSON.stringify(exported)]),
  ).toMatchObject({
    categories_added: 0,
    categories_known: 1,
  })
  await call(`insert into public.prayers (category_id, person_name) select id, 'Ruth' from public.categories`)
  await call(`insert into public.prayer_updates (prayer_id, body) select id, 'Better.' from public.prayers`)
  await call(`select public.mark_prayed(array(select id from public.prayers), '2026-03-01')`)
  await call(`select public.mark_prayed(array(select id from public.prayers), '2026-03-02')`)
  await call(`select public.unmark_prayed(array(select id from public.prayers), '2026-03-02')`)
  expect(await call('select public.prayed_months(id) as value from public.prayers')).toEqual({ '2026-03': 1 })
  expect(await call('select public.prayed_years() as value')).toEqual({ '2026': 1 })
  expect(await call('select public.export_supplement() as value')).toMatchObject({
    account: { email: 'anna@example.org' },
    prayed_days: { [String(await call('select id as value from public.prayers'))]: ['2026-03-01'] },
  })
  await call(`update public.prayers set resolved = true, answer = 'Yes.'`)
  await call('update public.prayers set resolved = false')
  const file = await call('select public.export_account() as value')
  expect(file).toMatchObject({
    prayers: [{ prayed_days: ['2026-03-01'], updates: [{ body: 'Yes.' }, { body: 'Better.' }] }],
  })
  await call('delete from public.prayers')
  expect(
    await call('select public.import_prayers($1, false) as value', [JSON.stringify(file)]),
  ).toMatchObject({ prayers_added: 1, updates_added: 2, prayed_days_added: 1 })
  await call('delete from public.prayers')
  await call('select public.reorder_categories(array(select id from public.categories))')
  expect(await call('select rev::integer as value from public.sync_state')).toBe(13)
  expect(await call('select count(*)::integer as value from public.deletions')).toBe(2)
  await call(
    `insert into public.reminders (remind_at, weekdays, time_zone) values ('07:00', 127, 'Europe/Lisbon')`,
  )
  await call(`update public.reminders set enabled = false`)
  expect(await call('select public.export_supplement() as value')).toMatchObject({
    account: { reminders: [{ enabled: false }], push_subscriptions: [] },
  })
  const key = '0123456789ABCDEF'
  const proof = 'p'.repeat(43)
  await call('select public.set_encryption_key($1, $2, 1, $3)', [key, 'encrypting', proof])
  expect(await call('select public.replace_texts($1) as value', ['[]'])).toMatchObject({ skipped: [] })
  await expect(call(`update public.categories set name = 'Plain'`)).rejects.toMatchObject({ code: 'IC001' })
  await call('select public.abandon_encryption_key($1, 2, $2)', [key, '{}'])
  await pool.query('update private.account_usage set prayers = 20000')
  await expect(
    call(`insert into public.prayers (category_id, person_name) select id, 'Ruth' from public.categories`),
  ).rejects.toMatchObject({ code: 'PT413' })
  await pool.query('insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)', [ANNA])
  expect(await call('select jsonb_array_length(public.list_sessions()) as value')).toBe(1)
  await call(`select public.end_session((public.list_sessions() -> 0 ->> 'id')::uuid)`)
  expect(await call('select public.list_sessions() as value')).toEqual([])
  await call('select public.delete_account() as value')
  const left = await pool.query('select id from auth.users')
  expect(left.rows).toEqual([{ id: BEN }])
  for (const table of [
    'categories',
    'prayer_updates',
    'prayed_days',
    'sync_state',
    'deletions',
    'reminders',
    'encryption_keys',
  ]) {
    const { rows } = await pool.query(`select from public.${table}`)
    expect(rows).toEqual([])
  }
})
