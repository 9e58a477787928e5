import { DatabaseError } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, runAs } from '#server/db/request-scope.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addPeople, ANNA, asAnna, asBen, asNobody, BEN } from '#tests/support/people.ts'
import { type Operation, OPERATIONS, type Outcome } from './operations.ts'
import { resetRows, rowsOf } from './stored-rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await addPeople(database.pool)
})

afterAll(() => database.drop())
beforeEach(() => resetRows(database.pool))

async function attempt(sql: Operation['sql'], caller: Caller): Promise<Outcome> {
  try {
    const { rowCount } = await runAs(database.pool, caller, sql)
    return `${rowCount ?? 0} rows`
  } catch (error) {
    if (error instanceof DatabaseError) return `refused ${error.code ?? ''}`
    throw error
  }
}

const ACTORS = {
  owner: { caller: asAnna, notTouched: [BEN] },
  stranger: { caller: asBen, notTouched: [ANNA] },
  anonymous: { caller: asNobody, notTouched: [ANNA, BEN] },
}

describe.each(['owner', 'stranger', 'anonymous'] as const)('in SQL the %s', (actor) => {
  const { caller, notTouched } = ACTORS[actor]

  it.each(OPERATIONS.map((operation) => [operation.does, operation[actor], operation.sql] as const))(
    'tries to %s: %s',
    async (_does, expected, sql) => {
      const before = await Promise.all(notTouched.map((id) => rowsOf(database.pool, id)))
      expect(await attempt(sql, caller)).toBe(expected)
      expect(await Promise.all(notTouched.map((id) => rowsOf(database.pool, id)))).toEqual(before)
    },
  )
})

describe('what is not theirs to see', () => {
  const tables = [
    'auth.users',
    'auth.identities',
    'auth.sessions',
    'auth.refresh_tokens',
    'auth.one_time_tokens',
    'intercede.settings',
  ]

  it.each(tables)('%s is closed to every caller', async (table) => {
    for (const caller of [asAnna, asNobody]) {
      expect(await attempt({ text: `select * from ${table}`, values: [] }, caller)).toBe('refused 42501')
      expect(await attempt({ text: `delete from ${table}`, values: [] }, caller)).toBe('refused 42501')
    }
  })

  it.each([
    'create table public.mine (id int)',
    'create schema mine',
    'create function public.mine() returns int language sql as $$ select 1 $$',
  ])('nobody can %s', async (text) => {
    for (const caller of [asAnna, asNobody])
      expect(await attempt({ text, values: [] }, caller)).toBe('refused 42501')
  })
})

describe('whatever is added to schema public', () => {
  it('has row security with a policy for each command, and nothing for the anonymous', async () => {
    const { rows } = await database.pool.query(
      `select c.relname as table, c.relrowsecurity as secured,
              (select string_agg(distinct p.cmd, ',' order by p.cmd) from pg_policies p
               where p.schemaname = 'public' and p.tablename = c.relname) as commands,
              has_table_privilege('anon', c.oid, 'select, insert, update, delete, truncate') as open
       from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
       order by c.relname`,
    )
    const guarded = { secured: true, commands: 'DELETE,INSERT,SELECT,UPDATE', open: false }
    expect(rows).toEqual([
      { table: 'categories', ...guarded },
      { table: 'prayers', ...guarded },
    ])
  })

  it('runs with the rights of the caller, and not for the anonymous', async () => {
    const { rows } = await database.pool.query(
      `select proname as function, prosecdef as elevated, has_function_privilege('anon', oid, 'execute') as open
       from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
    )
    const guarded = { elevated: false, open: false }
    expect(rows).toEqual([
      { function: 'delete_account', ...guarded },
      { function: 'export_account', ...guarded },
      { function: 'import_prayers', ...guarded },
      { function: 'preview_account_deletion', ...guarded },
      { function: 'reorder_categories', ...guarded },
    ])
  })
})

describe('functions that run with the rights of their owner', () => {
  it('are these two, take no argument, trust no search path, and are closed to the anonymous', async () => {
    const { rows } = await database.pool.query(
      `select n.nspname as schema, proname as function, pronargs as arguments, proconfig as settings,
              has_function_privilege('anon', p.oid, 'execute') as open
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where prosecdef and n.nspname not in ('pg_catalog', 'information_schema') order by proname`,
    )
    const guarded = { schema: 'private', arguments: 0, settings: ['search_path=""'], open: false }
    expect(rows).toEqual([
      { function: 'account_of_caller', ...guarded },
      { function: 'delete_account_of_caller', ...guarded },
    ])
  })
})
