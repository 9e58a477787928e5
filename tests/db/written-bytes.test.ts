import { DatabaseError } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { ANNA, asAnna, asBen } from '#tests/support/users.ts'
import { createAccounts, FAMILY, RUTH, UNKNOWN } from './accounts.ts'

const LIMIT = 200_000_000

const accounts = createAccounts({ prayers: true })
const { asOwner, inTransaction, run } = accounts

/** Sets what Anna has written within the hour. */
const pretend = (bytes: number, since = 'now()') =>
  asOwner(
    `update private.account_usage set written_bytes = $1, written_since = ${since} where user_id = $2`,
    [bytes, ANNA],
  )

async function writtenBytes(): Promise<number> {
  const [row] = await asOwner<{ bytes: string }>(
    'select written_bytes as bytes from private.account_usage where user_id = $1',
    [ANNA],
  )
  return Number(row?.bytes)
}

async function revOfAnna(): Promise<unknown> {
  return asOwner('select rev from public.sync_state where user_id = $1', [ANNA])
}

/** The response that PostgREST makes of the error with which a statement fails; null if there is no such error. */
async function responseTo(statement: Promise<unknown>): Promise<{ body: unknown; response: unknown } | null> {
  const error: unknown = await statement.catch((reason: unknown) => reason)
  if (!(error instanceof DatabaseError) || error.code !== 'PGRST') return null
  return { body: JSON.parse(error.message), response: JSON.parse(error.detail ?? '') }
}

/** With the time until an hour has passed, of which a little has. */
const REFUSED = {
  body: {
    code: 'PT429',
    message: expect.stringMatching(
      /^Your account has changed too much within an hour\. Try again in [1-6]?\d minutes\.$/,
    ),
  },
  response: { status: 429, headers: { 'Retry-After': expect.stringMatching(/^\d+$/) } },
}

const TIME = '2026-03-01T00:00:00Z'
const FILE = JSON.stringify({
  categories: [
    { id: UNKNOWN, name: 'Imported', order: 1, is_visible: true, created_at: TIME, updated_at: TIME, rev: 1 },
  ],
  prayers: [
    {
      id: UNKNOWN,
      category_id: UNKNOWN,
      person_name: 'Naomi',
      resolved: false,
      created_at: TIME,
      rev: 1,
      prayed_days: ['2026-03-01'],
    },
  ],
})

/** How a user calls each function that may write. A new one has to be added here. */
const CALLS: Readonly<Record<string, string>> = {
  abandon_encryption_key: `abandon_encryption_key('0123456789ABCDEF', 1, '{}')`,
  import_prayers: `import_prayers('${FILE}', false)`,
  import_sealed: `import_sealed('${FILE}')`,
  mark_prayed: `mark_prayed('{${RUTH}}', '2026-03-02')`,
  reopen_prayer: `reopen_prayer('${RUTH}', '${UNKNOWN}', '${TIME}')`,
  reorder_categories: `reorder_categories('{${FAMILY}}')`,
  replace_texts: `replace_texts('[]')`,
  set_encryption_key: `set_encryption_key('0123456789ABCDEF', 'encrypting', 1, 'x')`,
  undo_reopen_prayer: `undo_reopen_prayer('${RUTH}', '${UNKNOWN}')`,
  unmark_prayed: `unmark_prayed('{${RUTH}}', '2026-03-02')`,
}
/** These delete the account itself, or one of its sessions, which has to work at any time. */
const UNLIMITED = ['delete_account', 'end_session']

let tables: string[]
let functions: string[]

beforeAll(async () => {
  const names = async (text: string) => (await asOwner<{ name: string }>(text)).map(({ name }) => name)
  tables = await names(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and has_table_privilege('authenticated', oid, 'insert, update, delete') order by 1`,
  )
  functions = await names(
    `select proname as name from pg_proc
     where pronamespace = 'public'::regnamespace and provolatile = 'v'
       and has_function_privilege('authenticated', oid, 'execute') order by 1`,
  )
})

describe('everything a user can write', () => {
  it('is known to these tests', () => {
    expect(tables).toEqual(['categories', 'prayer_updates', 'prayers', 'reminders'])
    expect(functions).toEqual([...UNLIMITED, ...Object.keys(CALLS)].toSorted())
  })

  it('is rejected before anything is written once the hour is used up', async () => {
    await pretend(LIMIT)
    const rev = await revOfAnna()
    const statements = [
      ...tables.flatMap((name) => [
        `insert into public.${name} default values`,
        `update public.${name} set created_at = created_at where false`,
        `delete from public.${name} where false`,
      ]),
      ...Object.values(CALLS).map((call) => `select public.${call}`),
    ]
    for (const statement of statements)
      expect([statement, await responseTo(run(asAnna, statement))]).toEqual([statement, REFUSED])
    expect(await revOfAnna()).toEqual(rev)
    expect(await writtenBytes()).toBe(LIMIT)
  })

  it('is counted with at least the size of its rows, deletions and unchanged texts included', async () => {
    await run(
      asAnna,
      `insert into public.prayer_updates (prayer_id, body) values ('${RUTH}', '${'b'.repeat(5000)}')`,
    )
    await run(asAnna, `update public.prayers set note = '${'n'.repeat(5000)}'`)
    await run(
      asAnna,
      `insert into public.reminders (remind_at, weekdays, time_zone) values ('07:00', 127, 'UTC')`,
    )
    for (const name of tables) {
      const copy = `insert into public.${name}
        select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid()))).* from public.${name} t limit 1
        returning id, pg_column_size(${name}) as size`
      await pretend(0)
      const [row] = await run<{ id: string; size: number }>(asAnna, copy)
      const size = row?.size ?? Infinity
      expect(await writtenBytes(), `inserting into ${name}`).toBeGreaterThan(size)
      await pretend(0)
      await run(asAnna, `update public.${name} set created_at = created_at where id = '${row?.id ?? ''}'`)
      expect(await writtenBytes(), `updating ${name}`).toBeGreaterThan(size)
      await pretend(0)
      await run(asAnna, `delete from public.${name} where id = '${row?.id ?? ''}'`)
      // An entry in `deletions`.
      expect(await writtenBytes(), `deleting from ${name}`).toBeGreaterThanOrEqual(500)
    }
    await pretend(0)
    await run(asAnna, `select public.${CALLS['mark_prayed'] ?? ''}`)
    expect(await writtenBytes(), 'a prayed day').toBeGreaterThanOrEqual(5000 + 500 + 100)
    await pretend(0)
    await run(asAnna, `select public.${CALLS['unmark_prayed'] ?? ''}`)
    expect(await writtenBytes(), 'taking it back').toBeGreaterThanOrEqual(5000 + 500)
    await pretend(0)
    await run(asAnna, `select public.${CALLS['import_prayers'] ?? ''}`)
    expect(await writtenBytes(), 'an import').toBeGreaterThanOrEqual(3 * 500 + 100)
  })

  it('is in tables that are vacuumed once a twentieth of their rows was replaced', async () => {
    const slow = await asOwner(
      `select c.relname from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'sync_state'
         and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id')
         and not coalesce(c.reloptions::text like '%autovacuum_vacuum_scale_factor=0.05%', false)`,
    )
    expect(slow).toEqual([])
  })
})

describe('an account that has used up its hour', () => {
  it('can write again when the hour is over, and says when that will be', async () => {
    const rename = `update public.categories set name = 'Friends'`
    for (const [seconds, wait] of [
      [601, '11 minutes'],
      [60, '1 minute'],
    ] as const) {
      await inTransaction(
        asAnna,
        async (client) => {
          // The time stands still in a transaction.
          const { rows } = await client.query<{ now: string }>('select now()::text')
          const now = `'${rows[0]?.now ?? ''}'::timestamptz`
          await pretend(LIMIT, `${now} - interval '1 hour' + interval '${String(seconds)} seconds'`)
          expect(await responseTo(client.query(rename))).toMatchObject({
            body: {
              message: `Your account has changed too much within an hour. Try again in ${wait}.`,
            },
            response: { headers: { 'Retry-After': String(seconds) } },
          })
        },
        'rollback',
      )
    }
    await pretend(LIMIT, `now() - interval '1 hour'`)
    await run(asAnna, rename)
    expect(await writtenBytes()).toBeLessThan(1000)
  })

  it('can be read, exported and deleted', async () => {
    await pretend(LIMIT)
    expect(await run(asAnna, 'select id from public.prayers')).toHaveLength(2)
    await run(asAnna, 'select public.export_account()')
    await inTransaction(asAnna, async (client) => {
      const claims = {
        ...JSON.parse(asAnna.claims),
        amr: [{ method: 'password', timestamp: Date.now() / 1000 }],
      }
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(claims)])
      await client.query('select public.delete_account()')
    })
    expect(await asOwner('select id from auth.users where id = $1', [ANNA])).toEqual([])
  })

  it('leaves other accounts alone', async () => {
    await pretend(LIMIT)
    const insert = `insert into public.categories (name, "order") values ('Family', 1) returning id`
    expect(await run(asBen, insert)).toHaveLength(1)
  })

  it('has completed the import that used it up', async () => {
    await pretend(LIMIT - 1)
    await run(asAnna, `select public.${CALLS['import_prayers'] ?? ''}`)
    expect(await writtenBytes()).toBeGreaterThan(LIMIT)
    expect(await run(asAnna, `select from public.prayers where times_prayed = 1`)).toHaveLength(1)
  })
})

describe('a text', () => {
  const insertPrayers = (count: number) =>
    `insert into public.prayers (category_id, person_name)
     select '${FAMILY}', 'Ruth' from generate_series(1, ${String(count)})`

  it('cannot be written to all rows of an account at once', async () => {
    await run(asAnna, insertPrayers(100))
    const note = 'n'.repeat(10_000)
    const error = { code: 'PT413', message: expect.stringContaining('at most 250 kB') }
    await expect(run(asAnna, `update public.prayers set note = '${note}'`)).rejects.toMatchObject(error)
    await run(
      asAnna,
      `update public.prayers set note = '${note}' where id in (select id from public.prayers limit 20)`,
    )
    expect(await run(asAnna, `select from public.prayers where note is not null`)).toHaveLength(20)
  })

  it('of the largest size can be changed', async () => {
    const text = '\u{1F54A}'.repeat(10_000)
    const update = `update public.prayers
      set note = '${text}', resolved = true, answer = '${text}', person_name = '${text.slice(0, 400)}'
      where id = '${RUTH}' returning id`
    expect(await run(asAnna, update)).toHaveLength(1)
  })
})

describe('a statement that fails', () => {
  const countFailed = (sent: number, isInsert = false) =>
    run(asAnna, 'select private.count_failed_write($1, $2)', [sent, isInsert])

  it('is counted as all that it can have written', async () => {
    await pretend(0)
    await run(asAnna, `update public.prayers set note = '${'n'.repeat(1000)}'`)
    await pretend(0)
    await countFailed(5000)
    expect(await writtenBytes()).toBe(
      250_000 + 2 * 5000 + 3 * 500 + ('"Family"""Ruth""Boaz"'.length - 1) + 2 * 1002,
    )
    await pretend(LIMIT, `now() - interval '1 hour'`)
    await countFailed(0)
    expect(await writtenBytes()).toBeLessThan(300_000)
  })

  it('has written no prayed days if there are more of them than an account can hold', async () => {
    const record = `select private.record_prayed_days(array_fill('${RUTH}'::uuid, '{150001}'), array_fill(date '2026-03-01', '{150001}'))`
    await expect(run(asAnna, record)).rejects.toMatchObject({ code: 'PT413' })
  })

  it('is counted as the rows that were sent if it was an insert: a lost response costs the repeated request little', async () => {
    await pretend(0)
    await countFailed(500, true)
    expect(await writtenBytes()).toBe(10_000)
  })

  it('is counted for an account that has no rows yet', async () => {
    await asOwner('delete from private.account_usage')
    await countFailed(0)
    expect(await writtenBytes()).toBe(250_000)
  })
})
