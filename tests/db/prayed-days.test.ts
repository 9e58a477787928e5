import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { waitForLocks } from '#tests/support/database.ts'
import { ANNA, asAnna, asBen } from '#tests/support/users.ts'
import { BOAZ, createAccounts, FAMILY, RUTH, UNKNOWN } from './accounts.ts'

const accounts = createAccounts({ prayers: true })
const { asOwner, inTransaction, run } = accounts

/** An id that is null stands for an element without a value. */
type Ids = readonly (string | null)[] | null

const callOf =
  (name: 'mark_prayed' | 'unmark_prayed') =>
  (ids: Ids, day: string | null, caller = asAnna) =>
    run(caller, `select public.${name}($1::uuid[], $2::date)`, [
      ids === null ? null : `{${ids.map(String).join()}}`,
      day,
    ])
const mark = callOf('mark_prayed')
const unmark = callOf('unmark_prayed')

const counted = async () =>
  Object.fromEntries(
    (
      await run<{ name: string; latest: string | null; times: number; rev: number }>(
        asAnna,
        `select person_name as name, last_prayed_on::text as latest, times_prayed as times, rev::integer
         from public.prayers order by person_name`,
      )
    ).map(({ name, ...rest }) => [name, rest]),
  )

const days = async (): Promise<string[]> =>
  (
    await asOwner<{ day: string }>(
      `select day::text from public.prayed_days where user_id = '${ANNA}' order by day, prayer_id`,
    )
  ).map(({ day }) => day)

describe('marking prayers as prayed', () => {
  it('counts days, and remembers the latest, in whatever order they are reported', async () => {
    await mark([RUTH, BOAZ], '2026-03-02')
    await mark([RUTH], '2026-03-03')
    await mark([RUTH], '2026-02-27')
    expect(await counted()).toEqual({
      Boaz: { latest: '2026-03-02', times: 1, rev: 3 },
      Ruth: { latest: '2026-03-03', times: 3, rev: 5 },
    })
  })

  it('counts once a day, and changes nothing when it is repeated', async () => {
    for (let turn = 0; turn < 3; turn += 1) await mark([RUTH, RUTH], '2026-03-02')
    expect(await counted()).toMatchObject({ Ruth: { latest: '2026-03-02', times: 1, rev: 3 } })
  })

  it('skips ids that are unknown, deleted or another user’s', async () => {
    await run(asAnna, 'delete from public.prayers where id = $1', [BOAZ])
    await mark([UNKNOWN, BOAZ, RUTH, null], '2026-03-02')
    await mark([RUTH], '2026-03-03', asBen)
    await run(asBen, `select private.record_prayed_days('{${RUTH}}', '{2026-03-03}')`)
    expect(await counted()).toMatchObject({ Ruth: { latest: '2026-03-02', times: 1 } })
    expect(await run(asBen, 'select user_id from public.sync_state where user_id = $1', [ANNA])).toEqual([])
  })

  it('accepts resolved prayers, which another device may have resolved meanwhile', async () => {
    await run(asAnna, 'update public.prayers set resolved = true')
    await mark([RUTH], '2026-03-02')
    expect(await counted()).toMatchObject({ Ruth: { times: 1 } })
  })

  it('finds prayers by their index even while there are few: a connection keeps its plans for an import of many', async () => {
    await asOwner('analyze public.prayers')
    await inTransaction(asAnna, async (client) => {
      const scans = async () =>
        (
          await client.query<{ scans: string }>(
            `select seq_scan as scans from pg_stat_xact_user_tables where relname = 'prayers'`,
          )
        ).rows
      const before = await scans()
      await client.query(`select public.mark_prayed('{${RUTH}}', '2026-03-02')`)
      expect(await scans()).toEqual(before)
    })
    expect(await days()).toEqual(['2026-03-02'])
  })

  it('accepts no ids', async () => {
    await mark([], '2026-03-02')
    await mark(null, '2026-03-02')
    expect(await days()).toEqual([])
  })

  it('requires a day that all clients can read', async () => {
    await expect(mark([RUTH], null)).rejects.toMatchObject({ code: '23502', column: 'day' })
    for (const day of ['-infinity', '0026-03-02', '1899-12-31'])
      await expect(mark([RUTH], day)).rejects.toMatchObject({ constraint: 'prayed_days_day_range' })
  })

  it.each(['2999-01-01', 'infinity'])('counts the future day %s as tomorrow (UTC)', async (day) => {
    const tomorrow = `select ((now() at time zone 'UTC')::date + 1)::text as day`
    const before = (await run<{ day: string }>(asAnna, tomorrow))[0]?.day
    await mark([RUTH], day)
    const after = (await run<{ day: string }>(asAnna, tomorrow))[0]?.day
    expect([before, after]).toContain((await days())[0])
    expect((await counted())['Ruth']).toMatchObject({ latest: (await days())[0], times: 1 })
  })

  it('keeps tomorrow as it is, where it is that day already', async () => {
    const [row] = await run<{ day: string }>(
      asAnna,
      `select ((now() at time zone 'UTC')::date + 1)::text as day`,
    )
    await mark([RUTH], row?.day ?? null)
    expect(await days()).toEqual([row?.day])
  })
})

describe('taking a day back', () => {
  it('leaves the other days, the latest of which is the last one then', async () => {
    for (const day of ['2026-02-27', '2026-03-03', '2026-03-02']) await mark([RUTH, BOAZ], day)
    await unmark([RUTH], '2026-03-03')
    expect(await counted()).toEqual({
      Boaz: { latest: '2026-03-03', times: 3, rev: 5 },
      Ruth: { latest: '2026-03-02', times: 2, rev: 6 },
    })
    await unmark([RUTH], '2026-02-27')
    expect(await counted()).toMatchObject({ Ruth: { latest: '2026-03-02', times: 1 } })
    await unmark([RUTH], '2026-03-02')
    expect(await counted()).toMatchObject({ Ruth: { latest: null, times: 0 } })
  })

  it('changes nothing when it is repeated, or when the day was not prayed', async () => {
    await mark([RUTH], '2026-03-02')
    await mark([RUTH], '2026-03-03')
    for (let turn = 0; turn < 3; turn += 1) await unmark([RUTH, RUTH, BOAZ], '2026-03-02')
    await unmark([RUTH], '2026-03-01')
    expect(await counted()).toMatchObject({
      Boaz: { latest: null, times: 0, rev: 2 },
      Ruth: { latest: '2026-03-03', times: 1, rev: 5 },
    })
  })

  it('skips ids that are unknown, deleted or another user’s', async () => {
    await mark([RUTH, BOAZ], '2026-03-02')
    await run(asAnna, 'delete from public.prayers where id = $1', [BOAZ])
    await unmark([RUTH], '2026-03-02', asBen)
    await run(asBen, `select private.remove_prayed_day('{${RUTH}}', '2026-03-02')`)
    expect(await counted()).toMatchObject({ Ruth: { times: 1 } })
    await unmark([UNKNOWN, BOAZ, RUTH, null], '2026-03-02')
    expect(await counted()).toMatchObject({ Ruth: { times: 0 } })
  })

  it('accepts no ids', async () => {
    await mark([RUTH], '2026-03-02')
    await unmark([], '2026-03-02')
    await unmark(null, '2026-03-02')
    expect(await days()).toEqual(['2026-03-02'])
  })

  it.each([null, '-infinity', '1899-12-31'])('rejects the day %s, which cannot be recorded', async (day) => {
    await mark([RUTH], '2026-03-02')
    await expect(unmark([RUTH], day)).rejects.toMatchObject({ code: '22023' })
    expect(await days()).toEqual(['2026-03-02'])
  })

  it.each(['2999-01-01', 'infinity'])('finds the future day %s as it was counted', async (day) => {
    // In one transaction, so that it stays the same day.
    await inTransaction(asAnna, async (client) => {
      await client.query('select public.mark_prayed($1, $2)', [[RUTH], day])
      await client.query('select public.unmark_prayed($1, $2)', [[RUTH], day])
    })
    expect(await days()).toEqual([])
  })

  it('of many prayers is one step, however many there are', async () => {
    await asOwner(
      `insert into public.prayers (user_id, category_id, person_name) select '${ANNA}', '${FAMILY}', n::text from generate_series(1, 3000) n`,
    )
    const all = '(select array_agg(id) from public.prayers)'
    for (const name of ['mark_prayed', 'mark_prayed', 'unmark_prayed'])
      await run(asAnna, `select public.${name}(${all}, '2026-03-02')`)
    expect(await asOwner('select max(times_prayed) as most from public.prayers')).toEqual([{ most: 0 }])
  })
})

describe('what devices ask for', () => {
  it('the months of a prayer have the number of their days', async () => {
    for (const day of ['2025-12-31', '2026-01-01', '2026-03-01', '2026-03-31']) await mark([RUTH], day)
    await mark([BOAZ], '2026-03-01')
    const months = (id: string, caller = asAnna) =>
      accounts.valueOf(caller, 'select public.prayed_months($1) as value', [id])
    expect(await months(RUTH)).toEqual({ '2025-12': 1, '2026-01': 1, '2026-03': 2 })
    expect(await months(RUTH, asBen)).toEqual({})
    expect(await months(UNKNOWN)).toEqual({})
  })

  it('a year has the number of people, however many prayers there are for each', async () => {
    const years = (caller = asAnna) => accounts.valueOf(caller, 'select public.prayed_years() as value')
    expect(await years()).toEqual({})
    for (const day of ['2025-12-31', '2026-01-01', '2026-03-01']) await mark([RUTH], day)
    await mark([BOAZ], '2026-03-01')
    expect(await years()).toEqual({ 2025: 1, 2026: 2 })
    expect(await years(asBen)).toEqual({})
    await run(asAnna, `update public.prayers set person_name = 'Ruth'`)
    expect(await years()).toEqual({ 2025: 1, 2026: 1 })
  })
})

it('after any sequence of reports, the last one about a prayer and a day counts', async () => {
  const reports = fc.array(
    fc.record({
      isPrayed: fc.boolean(),
      ids: fc.subarray([RUTH, BOAZ]),
      day: fc.integer({ min: 1, max: 6 }).map((day) => `2026-03-0${String(day)}`),
    }),
    { maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(reports, async (reported) => {
      await asOwner('delete from public.prayed_days')
      await asOwner('update public.prayers set times_prayed = 0, last_prayed_on = null')
      for (const { isPrayed, ids, day } of reported) await (isPrayed ? mark : unmark)(ids, day)
      const expected = (id: string) => {
        const own = new Map(reported.filter(({ ids }) => ids.includes(id)).map((each) => [each.day, each]))
        const prayed = [...own.values()].flatMap(({ isPrayed, day }) => (isPrayed ? [day] : []))
        return { times: prayed.length, latest: prayed.toSorted().at(-1) ?? null }
      }
      expect(await counted()).toMatchObject({ Ruth: expected(RUTH), Boaz: expected(BOAZ) })
    }),
    { seed: 20260301, numRuns: 25 },
  )
})

describe('at the same time', () => {
  it('two devices on one day count once', async () => {
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(asAnna, async (client) => {
      await client.query(`select public.mark_prayed(array['${RUTH}']::uuid[], '2026-03-02')`)
      second = mark([BOAZ, RUTH], '2026-03-02')
      await waitForLocks(accounts.database.pool, 1)
    })
    await second
    expect(await counted()).toEqual({
      Boaz: { latest: '2026-03-02', times: 1, rev: 4 },
      Ruth: { latest: '2026-03-02', times: 1, rev: 3 },
    })
  })

  it('a prayer that is being deleted is skipped', async () => {
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(asAnna, async (client) => {
      await client.query(`delete from public.prayers where id = '${RUTH}'`)
      second = mark([BOAZ, RUTH], '2026-03-02')
      await waitForLocks(accounts.database.pool, 1)
    })
    await second
    expect(await counted()).toMatchObject({ Boaz: { times: 1 } })
  })

  it('many sessions neither deadlock nor lose a day', async () => {
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const ids = index % 2 === 0 ? [RUTH, BOAZ] : [BOAZ, RUTH]
        await mark(ids, `2026-03-${String(10 + (index % 8))}`)
        await unmark(ids, '2026-03-09')
      }),
    )
    expect(await counted()).toMatchObject({
      Ruth: { times: 8, latest: '2026-03-17' },
      Boaz: { times: 8, latest: '2026-03-17' },
    })
  })
})

describe('prayed days', () => {
  it('go with their prayer, and with the account', async () => {
    await mark([RUTH, BOAZ], '2026-03-02')
    await run(asAnna, 'delete from public.prayers where id = $1', [RUTH])
    expect(await days()).toHaveLength(1)
    await asOwner('delete from auth.users')
    expect(await days()).toEqual([])
  })

  it('are out of reach for callers', async () => {
    for (const text of [
      'select * from public.prayed_days',
      `insert into public.prayed_days values ('${RUTH}', '${ANNA}', '2026-01-01')`,
      `update public.prayed_days set day = '2026-01-01'`,
      'delete from public.prayed_days',
    ])
      await expect(run(asAnna, text)).rejects.toMatchObject({ code: '42501' })
  })
})
