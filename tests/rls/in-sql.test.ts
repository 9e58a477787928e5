import { DatabaseError } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, runAs } from '#server/db/request-scope.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addUsers, ANNA, asAnna, asBen, asAnonymous, BEN } from '#tests/support/users.ts'
import { DENIED, type Operation, OPERATIONS, type Outcome } from './operations.ts'
import { resetRows, rowsOf } from './stored-rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await addUsers(database.pool)
})

afterAll(() => database.drop())
beforeEach(() => resetRows(database.pool))

async function run(sql: Operation['sql'], caller: Caller): Promise<Outcome> {
  try {
    const { rowCount } = await runAs(database.dataPool, caller, sql)
    return `${rowCount ?? 0} rows`
  } catch (error) {
    if (error instanceof DatabaseError) return `error ${error.code ?? ''}`
    throw error
  }
}

const ACTORS = {
  owner: { caller: asAnna, other: BEN },
  stranger: { caller: asBen, other: ANNA },
}

describe.each(['owner', 'stranger'] as const)('in SQL, as the %s', (actor) => {
  const { caller, other } = ACTORS[actor]

  it.each(OPERATIONS.map((operation) => [operation.name, operation[actor], operation.sql] as const))(
    '%s: %s',
    async (_name, expected, sql) => {
      const before = await rowsOf(database.pool, other)
      expect(await run(sql, caller)).toBe(expected)
      expect(await rowsOf(database.pool, other)).toEqual(before)
    },
  )
})

it('in SQL, as the anonymous caller: every operation is denied, and changes nothing', async () => {
  const before = await rowsOf(database.pool, ANNA, BEN)
  for (const { name, sql } of OPERATIONS) expect(await run(sql, asAnonymous), name).toBe(DENIED)
  expect(await rowsOf(database.pool, ANNA, BEN)).toEqual(before)
})

describe('internal tables and schemas', () => {
  it('are closed to every caller', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('auth', 'intercede', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
    )
    expect(rows).toContainEqual({ name: 'auth.users' })
    const statements = rows.flatMap(({ name }) => [
      `select * from ${name}`,
      `insert into ${name} default values`,
      `delete from ${name}`,
    ])
    for (const caller of [asAnna, asAnonymous])
      for (const text of statements) expect(await run({ text, values: [] }, caller), text).toBe(DENIED)
  })

  it.each([
    'create table public.mine (id int)',
    'create schema mine',
    'create function public.mine() returns int language sql as $$ select 1 $$',
  ])('no caller can %s', async (text) => {
    for (const caller of [asAnna, asAnonymous]) expect(await run({ text, values: [] }, caller)).toBe(DENIED)
  })
})

describe('everything in schema public', () => {
  it('has row level security with a policy for each permitted command and one for two-factor sign-in, and no privileges for anonymous callers', async () => {
    const { rows } = await database.pool.query(
      `select c.relname as table, c.relrowsecurity as secured,
              (select string_agg(distinct p.cmd, ',' order by p.cmd) from pg_policies p
               where p.schemaname = 'public' and p.tablename = c.relname and p.permissive = 'PERMISSIVE') as commands,
              exists (select from pg_policies p
                      where p.schemaname = 'public' and p.tablename = c.relname and p.permissive = 'RESTRICTIVE'
                        and p.cmd = 'ALL' and p.qual like '(user_id = ( SELECT private.require_second_factor()%') as restricted,
              (select string_agg(privilege, ',' order by privilege)
               from unnest(array['DELETE', 'INSERT', 'SELECT', 'TRUNCATE', 'UPDATE']) as privilege
               where has_table_privilege('authenticated', c.oid, privilege)) as privileges,
              has_table_privilege('anon', c.oid, 'select, insert, update, delete, truncate') as open
       from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
       order by c.relname`,
    )
    const only = (commands: string | null) => ({
      secured: true,
      commands,
      restricted: commands !== null,
      privileges: commands,
      open: false,
    })
    expect(rows).toEqual([
      { table: 'categories', ...only('DELETE,INSERT,SELECT,UPDATE') },
      { table: 'deletions', ...only('SELECT') },
      { table: 'encryption_keys', ...only('SELECT') },
      // For the functions that mark prayers as prayed, and export or count the days.
      { table: 'prayed_days', ...only(null) },
      { table: 'prayer_updates', ...only('DELETE,INSERT,SELECT,UPDATE') },
      { table: 'prayers', ...only('DELETE,INSERT,SELECT,UPDATE') },
      { table: 'reminders', ...only('DELETE,INSERT,SELECT,UPDATE') },
      { table: 'sync_state', ...only('SELECT') },
    ])
  })

  it('runs with the privileges of the caller, and not for anonymous callers', async () => {
    const { rows } = await database.pool.query(
      `select proname as function, prosecdef as elevated, has_function_privilege('anon', oid, 'execute') as open
       from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
    )
    const guarded = { elevated: false, open: false }
    expect(rows).toEqual([
      { function: 'abandon_encryption_key', ...guarded },
      { function: 'delete_account', ...guarded },
      { function: 'end_session', ...guarded },
      { function: 'export_account', ...guarded },
      { function: 'export_supplement', ...guarded },
      { function: 'import_prayers', ...guarded },
      { function: 'import_sealed', ...guarded },
      { function: 'list_sessions', ...guarded },
      { function: 'mark_prayed', ...guarded },
      { function: 'prayed_months', ...guarded },
      { function: 'prayed_prayers', ...guarded },
      { function: 'prayed_years', ...guarded },
      { function: 'preview_account_deletion', ...guarded },
      { function: 'reopen_prayer', ...guarded },
      { function: 'reorder_categories', ...guarded },
      { function: 'replace_texts', ...guarded },
      { function: 'set_encryption_key', ...guarded },
      { function: 'undo_reopen_prayer', ...guarded },
      { function: 'unmark_prayed', ...guarded },
    ])
  })
})

describe('functions that run with the privileges of their owner', () => {
  it('are these, have an empty search path, are closed to anonymous callers, and take no other arguments from callers', async () => {
    const { rows } = await database.pool.query(
      `select n.nspname as schema, proname as function, pronargs as arguments, proconfig as settings,
              has_function_privilege('anon', p.oid, 'execute') as open
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where prosecdef and n.nspname not in ('pg_catalog', 'information_schema') order by proname`,
    )
    const guarded = { schema: 'private', arguments: 0, settings: ['search_path=""'], open: false }
    expect(rows).toEqual([
      // A key of the caller; one of another user is not found.
      { function: 'abandon_key_of_caller', ...guarded, arguments: 2 },
      { function: 'account_of_caller', ...guarded },
      { function: 'caller_signed_in_lately', ...guarded },
      // The caller's own account; how much was sent, which only adds to it.
      { function: 'count_failed_write', ...guarded, arguments: 2 },
      { function: 'delete_account_of_caller', ...guarded },
      // A session; that of another user does not end.
      { function: 'end_session_of_caller', ...guarded, arguments: 1 },
      { function: 'lock_changes', ...guarded },
      { function: 'lock_changes_of_caller', ...guarded },
      { function: 'log_deletions', ...guarded },
      { function: 'prayed_days_of_caller', ...guarded },
      // A prayer; that of another user has no days.
      { function: 'prayed_months_of_caller', ...guarded, arguments: 1 },
      { function: 'prayed_prayers_of_caller', ...guarded },
      { function: 'prayed_years_of_caller', ...guarded },
      { function: 'raise_rev_of_prayers', ...guarded },
      // Prayers and days; the prayers of other users are skipped.
      {
        function: 'record_prayed_days',
        ...guarded,
        arguments: 2,
        settings: [...guarded.settings, 'enable_nestloop=off', 'enable_seqscan=off'],
      },
      // For whatever deletes a session.
      { function: 'remember_ended_session', ...guarded, schema: 'intercede' },
      // As for `record_prayed_days`.
      { function: 'remove_prayed_day', ...guarded, arguments: 2 },
      // For data connections, before they take the role of a caller.
      { function: 'require_active_session', ...guarded, schema: 'intercede', arguments: 1 },
      { function: 'require_sealed', ...guarded },
      { function: 'require_second_factor', ...guarded },
      { function: 'sessions_of_caller', ...guarded },
      // As for `abandon_key_of_caller`.
      { function: 'set_key_of_caller', ...guarded, arguments: 4 },
      { function: 'stamp_row', ...guarded },
      { function: 'track_category_usage', ...guarded },
      { function: 'track_prayer_update_usage', ...guarded },
      { function: 'track_prayer_usage', ...guarded },
      { function: 'track_reminder_usage', ...guarded },
    ])
  })
})
