import { beforeEach, describe, expect, it } from 'vitest'
import { runAs } from '#server/db/request-scope.ts'
import { requireImportableSize } from '#server/rest/parse-body.ts'
import { IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { ANNA, asAnna, asBen, BEN } from '#tests/support/users.ts'
import { createAccounts, FAMILY } from './accounts.ts'

const MEBIBYTE = 1024 * 1024

const accounts = createAccounts()
const { asOwner, run, valueOf } = accounts

beforeEach(() => anna(`insert into public.categories (id, name, "order") values ('${FAMILY}', 'Family', 1)`))

/** Runs SQL as Anna and returns how many rows it changed. */
async function anna(text: string): Promise<number | null> {
  const { rowCount } = await runAs(accounts.database.dataPool, asAnna, { text, values: [] })
  return rowCount
}

async function usage(): Promise<Record<string, unknown> | undefined> {
  const [row] = await asOwner(
    `select categories, prayers, updates, prayed_days, text_bytes::integer
     from private.account_usage where user_id = '${ANNA}'`,
  )
  return row
}

/** Sets Anna's recorded usage, as if she had so many more rows. */
const pretend = (columns: string) =>
  asOwner(`update private.account_usage set ${columns} where user_id = '${ANNA}'`)

const insertPrayers = (count: number, note = 'null') =>
  `insert into public.prayers (category_id, person_name, note)
   select '${FAMILY}', 'Ruth', ${note} from generate_series(1, ${String(count)})`

/** One for each prayer. */
const ADD_UPDATES = `insert into public.prayer_updates (prayer_id, body) select id, 'Well' from public.prayers`
const PRAY = `select public.mark_prayed(array(select id from public.prayers), '2026-03-02')`
const TAKE_BACK = PRAY.replace('mark_prayed', 'unmark_prayed')

const FULL = (limit: string) => ({
  code: 'PT413',
  message: `Your account is full: it can hold at most ${limit}.`,
})

describe('usage', () => {
  const none = { categories: 0, prayers: 0, updates: 0, prayed_days: 0, text_bytes: 0 }

  it('follows inserts, edits and deletions, in bytes of JSON', async () => {
    const rows = { ...none, categories: 1, prayers: 2 }
    await anna(insertPrayers(2, `'äö'`))
    expect(await usage()).toEqual({ ...rows, text_bytes: 8 + 2 * (6 + 6) })
    await anna(`update public.prayers set note = 'x'`)
    expect(await usage()).toEqual({ ...rows, text_bytes: 8 + 2 * (6 + 3) })
    await anna(`update public.categories set name = 'Church and friends'`)
    expect(await usage()).toEqual({ ...rows, text_bytes: 20 + 2 * (6 + 3) })
    await anna('delete from public.prayers')
    await anna('delete from public.categories')
    expect(await usage()).toEqual(none)
  })

  it('follows answers, updates and prayed days', async () => {
    const base = 8 + 2 * 6
    await anna(insertPrayers(2))
    await anna(`update public.prayers set resolved = true, answer = 'Yes'`)
    await anna(ADD_UPDATES)
    await anna(PRAY)
    await anna(PRAY)
    expect(await usage()).toMatchObject({ prayed_days: 2 })
    await anna(TAKE_BACK)
    await anna(TAKE_BACK)
    expect(await usage()).toMatchObject({ prayed_days: 0 })
    await anna(PRAY)
    const rows = { categories: 1, prayers: 2, updates: 2, prayed_days: 2 }
    expect(await usage()).toEqual({ ...rows, text_bytes: base + 2 * 5 + 2 * 6 })
    await anna(`update public.prayer_updates set body = 'x'`)
    await anna(`update public.prayers set answer = null where id = (select id from public.prayers limit 1)`)
    expect(await usage()).toEqual({ ...rows, text_bytes: base + 5 + 2 * 3 })
    // The answer that is left becomes an update.
    await anna('update public.prayers set resolved = false')
    expect(await usage()).toEqual({ ...rows, updates: 3, text_bytes: base + 5 + 2 * 3 })
    await anna(`delete from public.prayer_updates where body = 'Yes'`)
    await anna('delete from public.prayers where id = (select id from public.prayers limit 1)')
    expect(await usage()).toEqual({
      categories: 1,
      prayers: 1,
      updates: 1,
      prayed_days: 1,
      text_bytes: 14 + 3,
    })
    await anna('delete from public.prayers')
    expect(await usage()).toEqual({ ...none, categories: 1, text_bytes: 8 })
  })

  it('counts all that the first statement of an account adds', async () => {
    await anna('delete from public.categories')
    await asOwner(`delete from private.account_usage where user_id = '${ANNA}'`)
    const time = '2026-03-01T00:00:00Z'
    const category = {
      id: FAMILY,
      name: 'Family',
      order: 1,
      is_visible: true,
      created_at: time,
      updated_at: time,
    }
    const prayer = { id: BEN, category_id: FAMILY, person_name: 'Ruth', resolved: false, created_at: time }
    const updates = [ANNA, BEN].map((id) => ({ id, body: 'Well', created_at: time, updated_at: time }))
    const file = { categories: [category], prayers: [{ ...prayer, updates, prayed_days: ['2026-03-01'] }] }
    await anna(`select public.import_prayers('${JSON.stringify(file)}', false)`)
    expect(await usage()).toMatchObject({ categories: 1, prayers: 1, updates: 2, prayed_days: 1 })
  })

  it('counts every text column that users can write', async () => {
    await anna(insertPrayers(1))
    await anna('update public.prayers set resolved = true')
    await anna(ADD_UPDATES)
    const columns = await asOwner(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')
         and has_column_privilege('authenticated', format('public.%I', table_name), column_name, 'update')
         -- One of two words, and the name of a known time zone, of which an account has at most three.
         and (table_name, column_name) not in (('prayers', 'due_repeats'), ('reminders', 'time_zone'))`,
    )
    const uncounted: unknown[] = []
    for (const { table_name: table, column_name: column } of columns) {
      const before = await usage()
      await anna(`update public.${String(table)} set "${String(column)}" = concat("${String(column)}", 'x')`)
      if ((await usage())?.['text_bytes'] === before?.['text_bytes']) uncounted.push(column)
    }
    expect(columns.length).toBeGreaterThanOrEqual(5)
    expect(uncounted).toEqual([])
  })

  it('is not changed by a statement that fails', async () => {
    const before = await usage()
    const insert = `insert into public.prayers (category_id, person_name) values ('${FAMILY}', 'Ruth'), ('${FAMILY}', '')`
    await expect(anna(insert)).rejects.toMatchObject({ code: '23514' })
    expect(await usage()).toEqual(before)
  })

  it('cannot be read or changed by a user', async () => {
    await expect(anna('select * from private.account_usage')).rejects.toMatchObject({ code: '42501' })
    await expect(anna('delete from private.account_usage')).rejects.toMatchObject({ code: '42501' })
    await expect(
      anna(`select private.add_account_usage('${BEN}', 1000, 0, 0, 0, 0, 0)`),
    ).rejects.toMatchObject({
      code: '42501',
    })
  })
})

describe('growth beyond the quota is rejected', () => {
  it.each([
    ['categories', '500 categories', `insert into public.categories (name, "order") values ('C', 2)`],
    ['prayers', '20,000 prayers', insertPrayers(1)],
  ])('for %s', async (column, limit, insert) => {
    const most = Number(limit.replace(/\D/g, ''))
    await pretend(`${column} = ${String(most - 1)}`)
    await anna(insert)
    await expect(anna(insert)).rejects.toMatchObject(FULL(limit))
    expect(await usage()).toMatchObject({ [column]: most })
  })

  it('for updates, reopened answers included', async () => {
    await anna(insertPrayers(1))
    await anna(`update public.prayers set resolved = true, answer = 'Yes'`)
    await pretend('updates = 20_000')
    for (const text of [ADD_UPDATES, 'update public.prayers set resolved = false'])
      await expect(anna(text)).rejects.toMatchObject(FULL('20,000 updates'))
    expect(await usage()).toMatchObject({ updates: 20_000 })
  })

  it('for prayed days, but not when one is reported again', async () => {
    await anna(insertPrayers(1))
    await anna(PRAY)
    await pretend('prayed_days = 150_000')
    await expect(anna(PRAY.replace('03-02', '03-03'))).rejects.toMatchObject(FULL('150,000 prayed days'))
    await anna(PRAY)
    expect(await usage()).toMatchObject({ prayed_days: 150_000 })
  })

  it.each([
    ['a note', insertPrayers(1, `'x'`)],
    ['an update', ADD_UPDATES],
    ['an answer', `update public.prayers set resolved = true, answer = 'x'`],
    ['a longer name', `update public.categories set name = 'Family and friends'`],
  ])('for the text of %s', async (_what, text) => {
    await anna(insertPrayers(1))
    await pretend(`text_bytes = ${String(10 * MEBIBYTE)}`)
    await expect(anna(text)).rejects.toMatchObject(FULL('10 MB of text'))
  })

  it('for text that takes more room in an export than in the database', async () => {
    await pretend(`text_bytes = ${String(10 * MEBIBYTE - 50_000)}`)
    await anna(insertPrayers(1, `repeat('x', 10000)`))
    await expect(anna(insertPrayers(1, `repeat(chr(1), 10000)`))).rejects.toMatchObject(FULL('10 MB of text'))
  })

  it('for an import, as a whole', async () => {
    await pretend('prayers = 19_999')
    const data = {
      categories: [
        {
          id: BEN,
          name: 'New',
          order: 1,
          is_visible: true,
          created_at: '2026-01-01Z',
          updated_at: '2026-01-01Z',
        },
      ],
      prayers: [ANNA, BEN].map((id) => ({
        id,
        category_id: BEN,
        person_name: id,
        resolved: false,
        created_at: '2026-01-01Z',
      })),
    }
    const importing = run(asAnna, 'select public.import_prayers($1, false)', [JSON.stringify(data)])
    await expect(importing).rejects.toMatchObject(FULL('20,000 prayers'))
    expect(await usage()).toMatchObject({ categories: 1, prayers: 19_999 })
  })

  it('for one account only', async () => {
    await pretend('categories = 500')
    const insert = `insert into public.categories (name, "order") values ('Mine', 1) returning name`
    expect(await run(asBen, insert)).toEqual([{ name: 'Mine' }])
  })
})

describe('an account above the quota', () => {
  beforeEach(async () => {
    await anna(insertPrayers(2, `'a long note'`))
    await anna(ADD_UPDATES)
    await pretend(
      `categories = 700, prayers = 40_000, updates = 40_000, prayed_days = 400_000, text_bytes = ${String(60 * MEBIBYTE)}`,
    )
  })

  it.each([
    ['resolves', 'update public.prayers set resolved = true', 2],
    ['shortens a note', `update public.prayers set note = 'short'`, 2],
    ['moves a prayer', `update public.prayers set category_id = '${FAMILY}'`, 2],
    ['hides a category', 'update public.categories set is_visible = false', 1],
    ['reorders', `select public.reorder_categories(array['${FAMILY}']::uuid[])`, 1],
    ['shortens an update', `update public.prayer_updates set body = 'x'`, 2],
    ['deletes an update', 'delete from public.prayer_updates', 2],
    ['takes back a prayed day', TAKE_BACK, 1],
    ['deletes', 'delete from public.prayers', 2],
  ])('still %s', async (_action, sql, rows) => {
    expect(await anna(sql)).toBe(rows)
  })

  it('does not grow', async () => {
    await expect(anna(insertPrayers(1))).rejects.toMatchObject({ code: 'PT413' })
    await expect(anna(`update public.prayers set note = 'a much longer note'`)).rejects.toMatchObject({
      code: 'PT413',
    })
  })

  it('can be exported and deleted', async () => {
    expect(await anna('select public.export_account()')).toBe(1)
    await asOwner(`delete from auth.users where id = '${ANNA}'`)
    expect(await usage()).toBeUndefined()
  })
})

it('the export of an account at the quota is not too large for an import', async () => {
  await anna(
    `insert into public.prayers (category_id, person_name, note, resolved, answer, answered_on, due_on, due_repeats, resting_until, pray_days, created_at)
     values ('${FAMILY}', 'Ruth', 'Note', true, 'Yes', '2026-03-01', '2026-03-01', 'monthly', '2026-03-01', 127, '2026-03-01 09:00:00.123456')`,
  )
  await anna(ADD_UPDATES)
  await anna(PRAY)
  const { text, category, prayer } = await valueOf<{ text: string; category: string; prayer: string }>(
    asAnna,
    `select json_build_object('text', data::text, 'category', (data -> 'categories' -> 0)::text,
                              'prayer', (data -> 'prayers' -> 0)::text) as value
     from public.export_account() as data`,
  )
  const day = '"2026-03-02"'
  expect(prayer).toContain(`[${day}]`)
  // 150,000 days of 20,000 prayers.
  const prayers = Array.from({ length: 20_000 }, (_, index) =>
    prayer.replace(day, Array.from({ length: 7 + (index % 2) }, () => day).join(', ')),
  )
  const full = text
    .replace(prayer, prayers.join(', '))
    .replace(category, Array.from({ length: 500 }, () => category).join(', '))
    .replace('"Note"', JSON.stringify('x'.repeat(10 * MEBIBYTE)))
  expect(JSON.parse(full)).toMatchObject({ categories: { length: 500 }, prayers: { length: 20_000 } })
  expect(full.length).toBeLessThan(IMPORT_MAX_BYTES)
  expect(() => requireImportableSize(Buffer.from(full))).not.toThrow()
})

it('concurrent inserts cannot pass the quota together', async () => {
  await pretend('prayers = 19_999')
  const results = await Promise.allSettled([
    anna(insertPrayers(1)),
    anna(insertPrayers(1)),
    anna(insertPrayers(1)),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await usage()).toMatchObject({ prayers: 20_000 })
})

it('cascading deletions and concurrent writes leave the usage exact', async () => {
  await anna(insertPrayers(5))
  await Promise.allSettled([
    anna(insertPrayers(3)),
    anna(`delete from public.prayers where id in (select id from public.prayers limit 2)`),
    anna(`update public.prayers set note = 'changed'`),
  ])
  const [counted] = await asOwner(
    `select (select count(*)::integer from public.categories) as categories, count(*)::integer as prayers,
            0 as updates, 0 as prayed_days,
            (8 + sum(octet_length(to_json(person_name)::text) + coalesce(octet_length(to_json(note)::text), 0)))::integer as text_bytes
     from public.prayers`,
  )
  expect(await usage()).toEqual(counted)
})
