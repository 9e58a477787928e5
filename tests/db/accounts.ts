import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Caller, runAs, type Statement } from '#server/db/request-scope.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addUsers, asAnna } from '#tests/support/users.ts'

export const FAMILY = '00000000-0000-4000-8000-0000000000a1'
export const RUTH = '00000000-0000-4000-8000-0000000000a3'
export const BOAZ = '00000000-0000-4000-8000-0000000000a4'
/** Of no row. */
export const UNKNOWN = '00000000-0000-4000-8000-0000000000ff'

type Row = Record<string, unknown>

/** The database of a test file, in which each test finds the new accounts of Anna and Ben. */
export interface Accounts {
  readonly database: TestDatabase
  /** Replaces the accounts by new ones, as before each test. */
  renew: () => Promise<void>
  /** Runs a statement as the server does for a data request; resolves to its rows. */
  run: <R extends Row>(caller: Caller, text: string, values?: Statement['values']) => Promise<R[]>
  /** The column `value` of the only row. */
  valueOf: <Value>(caller: Caller, text: string, values?: Statement['values']) => Promise<Value>
  /** Runs SQL as the owner of the schema; resolves to its rows. */
  asOwner: <R extends Row>(text: string, values?: unknown[]) => Promise<R[]>
  /** Runs `work` in a transaction of the caller, which ends after it. */
  inTransaction: (
    caller: Caller,
    work: (client: PoolClient) => Promise<void>,
    end?: 'commit' | 'rollback',
  ) => Promise<void>
}

/** With `prayers`, Anna has the category Family (rev 1) with the prayers Ruth and Boaz (rev 2). */
export function createAccounts({ prayers = false } = {}): Accounts {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
  })
  beforeEach(renew)
  afterAll(() => database.drop())

  async function renew(): Promise<void> {
    await database.pool.query('delete from auth.users')
    await addUsers(database.pool)
    if (!prayers) return
    await run(asAnna, `insert into public.categories (id, name, "order") values ('${FAMILY}', 'Family', 1)`)
    await run(
      asAnna,
      `insert into public.prayers (id, category_id, person_name)
       values ('${RUTH}', '${FAMILY}', 'Ruth'), ('${BOAZ}', '${FAMILY}', 'Boaz')`,
    )
  }

  async function run<R extends Row>(
    caller: Caller,
    text: string,
    values: Statement['values'] = [],
  ): Promise<R[]> {
    return (await runAs<R>(database.dataPool, caller, { text, values })).rows
  }

  return {
    get database() {
      return database
    },
    renew,
    run,
    valueOf: async <Value>(caller: Caller, text: string, values: Statement['values'] = []) => {
      const [row] = await run<{ value: Value }>(caller, text, values)
      if (row === undefined) throw new Error('There is no row.')
      return row.value
    },
    asOwner: async <R extends Row>(text: string, values: unknown[] = []) =>
      (await database.pool.query<R>(text, values)).rows,
    inTransaction: async (caller, work, end = 'commit') => {
      const client = await database.pool.connect()
      try {
        await client.query('begin')
        await client.query(
          `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`,
          [caller.role, caller.claims],
        )
        await work(client)
      } finally {
        await client.query(end)
        client.release()
      }
    },
  }
}
