import { DatabaseError, type PoolClient } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { FIRST_DAY, LAST_DAY } from '#shared/limits.ts'
import { asAnna } from '#tests/support/users.ts'
import { createAccounts, FAMILY, RUTH, UNKNOWN } from './accounts.ts'

type Row = Record<string, unknown>

interface Column {
  table: string
  name: string
}

const UPDATE = '00000000-0000-4000-8000-0000000000a5'
/** The only columns whose dates may be later than tomorrow. */
const PLANS = new Set(['due_on', 'resting_until'])
const TOO_EARLY = ['-infinity', '4000-01-01 BC', '0026-03-02', '1899-12-30']
const TOO_LATE = ['infinity', '2999-01-01']

const accounts = createAccounts({ prayers: true })
const { asOwner, inTransaction, run, valueOf } = accounts

/** All columns of users' tables that hold dates or times. */
const readColumns = () =>
  asOwner<Row & Column>(`
    select table_name as table, column_name as name from information_schema.columns
    where table_schema = 'public' and data_type in ('date', 'timestamp with time zone') order by 1, 2`)

/** The ids of rows that exist. */
const STORED = new Map([
  ['categories', FAMILY],
  ['prayers', RUTH],
  ['prayer_updates', UPDATE],
])

/** A row of each table, with a value for one column. */
function rowsWith({ table, name }: Column, value: string | null) {
  const row = (of: string, fields: Row) => ({
    id: UNKNOWN,
    created_at: '2026-03-02T00:00:00Z',
    ...fields,
    ...(of === table && { [name]: value }),
  })
  const updated = { updated_at: '2026-03-02T00:00:00Z' }
  return {
    categories: row('categories', { name: 'Friends', order: 2, is_visible: true, ...updated }),
    prayers: row('prayers', { category_id: FAMILY, person_name: 'Naomi', resolved: true, times_prayed: 0 }),
    prayer_updates: row('prayer_updates', { prayer_id: RUTH, body: 'New', ...updated }),
  }
}

/** An insert of the row with this value. */
function insertOf(column: Column, value: string | null, ending = '', fields: Row = {}) {
  const rows: Readonly<Record<string, Row>> = rowsWith(column, value)
  const row: Row = { ...rows[column.table], ...fields }
  const columns = Object.keys(row)
    .map((name) => `"${name}"`)
    .join()
  const text = `insert into public.${column.table} (${columns})
    select ${columns} from json_populate_record(null::public.${column.table}, $1) ${ending}`
  return { text, values: [JSON.stringify(row)] }
}

/** All ways in which users write a column. */
const WRITES: readonly [
  string,
  (column: Column, value: string | null) => { text: string; values: unknown[] },
][] = [
  ['inserted', (column, value) => insertOf(column, value)],
  [
    'updated',
    ({ table, name }, value) => ({
      text: `update public.${table} set ${name} = $1 where id = $2`,
      values: [value, STORED.get(table)],
    }),
  ],
  [
    'upserted',
    (column, value) =>
      insertOf(column, value, `on conflict (id) do update set ${column.name} = excluded.${column.name}`, {
        id: STORED.get(column.table),
      }),
  ],
  [
    'imported',
    (column, value) => {
      const { categories, prayers, prayer_updates: update } = rowsWith(column, value)
      const prayer = { ...prayers, category_id: UNKNOWN, updates: [update] }
      const data = { categories: [categories], prayers: [prayer] }
      return { text: 'select public.import_prayers($1, false)', values: [JSON.stringify(data)] }
    },
  ],
]

/** The dates of a column which are outside the limits, those that the database cannot hold included. */
async function outside(client: PoolClient, { table, name }: Column): Promise<string[]> {
  const latest = PLANS.has(name) ? `date '${LAST_DAY}'` : `((now() at time zone 'UTC')::date + 1)`
  const { rows } = await client.query<{ value: string }>(
    `select ${name}::text as value from public.${table} where ${name} < '${FIRST_DAY}' or ${name} > ${latest}`,
  )
  return rows.map(({ value }) => value)
}

beforeEach(async () => {
  await run(asAnna, 'update public.prayers set resolved = true')
  await run(asAnna, `insert into public.prayer_updates (id, prayer_id, body) values ($1, $2, 'x')`, [
    UPDATE,
    RUTH,
  ])
})

describe.each(WRITES)('a date or time that is %s', (_way, write) => {
  /** Writes a value to each column that users can write; resolves to the codes with which values were rejected. */
  async function writeEverywhere(values: readonly (string | null)[]): Promise<string[]> {
    const columns = (await readColumns()).filter(({ table }) => STORED.has(table))
    expect(columns.length).toBeGreaterThan(8)
    const rejected: string[] = []
    for (const column of columns) {
      for (const value of values) {
        const attempt = inTransaction(
          asAnna,
          async (client) => {
            await client.query(write(column, value))
            expect(
              await outside(client, column),
              `${column.table}.${column.name} = ${String(value)}`,
            ).toEqual([])
          },
          'rollback',
        )
        await attempt.catch((error: unknown) => {
          if (!(error instanceof DatabaseError)) throw error
          rejected.push(`${column.name}: ${error.code ?? ''}`)
        })
      }
    }
    return [...new Set(rejected)]
  }

  it('is accepted within the limits', async () => {
    expect(await writeEverywhere([FIRST_DAY, '2026-03-02'])).toEqual([])
  })

  it('is rejected before 1900, as is none where there has to be one', async () => {
    const rejected = await writeEverywhere([...TOO_EARLY, null])
    expect(rejected).toEqual(
      expect.arrayContaining(['created_at: 23514', 'created_at: 23502', 'due_on: 23514']),
    )
    expect(rejected.filter((each) => !/: 235(?:02|14)$/.test(each))).toEqual([])
  })

  it('becomes the current one in the future, so that a device with a wrong clock can save; plans end in 2199', async () => {
    expect(await writeEverywhere(TOO_LATE)).toEqual(['due_on: 23514', 'resting_until: 23514'])
    expect(await writeEverywhere(['2199-12-31'])).toEqual([])
  })
})

describe('when a note was changed', () => {
  const BEFORE = '2026-01-01T00:00:00+00:00'
  const timeOfNote = () =>
    valueOf<string | null>(
      asAnna,
      `select case when note_changed_at > now() - interval '1 hour' then to_json('now'::text) else to_json(note_changed_at) end as value
       from public.prayers where id = '${RUTH}'`,
    )
  const change = (fields: string) => run(asAnna, `update public.prayers set ${fields} where id = '${RUTH}'`)

  it('is not known for a new prayer, unless it is given, as by an import', async () => {
    expect(await timeOfNote()).toBeNull()
    await run(asAnna, 'delete from public.prayers')
    const prayer = { id: RUTH, category_id: FAMILY, person_name: 'Ruth', created_at: BEFORE, resolved: false }
    const data = { categories: [], prayers: [{ ...prayer, note: 'Exam', note_changed_at: BEFORE }] }
    await run(asAnna, 'select public.import_sealed($1)', [JSON.stringify(data)])
    expect(await timeOfNote()).toBe(BEFORE)
  })

  it.each([
    [`note = 'Exam'`, 'now'],
    [`note = null`, 'now'],
    [`note = 'Exam', note_changed_at = '2026-03-02Z'`, '2026-03-02T00:00:00+00:00'],
    [`note = 'Exam', note_changed_at = note_changed_at`, 'now'],
    [`note = 'Exam', note_changed_at = null`, 'now'],
  ])('is when it was written, or what the device says: %s', async (fields, expected) => {
    await change(`note = 'Surgery', note_changed_at = '${BEFORE}'`)
    expect(await timeOfNote()).toBe(BEFORE)
    await change(fields)
    expect(await timeOfNote()).toBe(expected)
  })

  it.each([
    `update public.prayers set note = note, person_name = 'Naomi', due_on = '2026-03-02', note_changed_at = '2026-03-02Z'`,
    `update public.prayers set resolved = false, note_changed_at = null`,
    `insert into public.prayer_updates (prayer_id, body) values ('${RUTH}', 'Passed')`,
    `select public.mark_prayed('{${RUTH}}', '2026-03-02')`,
  ])('stays the same: %s', async (statement) => {
    await change(`note = 'Surgery', note_changed_at = '${BEFORE}'`)
    await run(asAnna, statement)
    expect(await timeOfNote()).toBe(BEFORE)
  })
})

it('cannot be outside the limits that never change even without triggers, as in a restore', async () => {
  const tables = [...STORED.keys(), 'prayed_days', 'reminders']
  await run(asAnna, `select public.mark_prayed($1::uuid[], '2026-03-02')`, [`{${RUTH}}`])
  await run(
    asAnna,
    `insert into public.reminders (remind_at, weekdays, time_zone) values ('07:00', 127, 'UTC')`,
  )
  for (const table of tables) await asOwner(`alter table public.${table} disable trigger user`)
  try {
    for (const { table, name } of await readColumns())
      for (const value of [...TOO_EARLY, ...TOO_LATE])
        await expect(
          asOwner(`update public.${table} set ${name} = $1`, [value]),
          `${table}.${name} = ${value}`,
        ).rejects.toMatchObject({ constraint: `${table}_${name}_range` })
  } finally {
    for (const table of tables) await asOwner(`alter table public.${table} enable trigger user`)
  }
})
