// When reminders are due, compared with the clocks of Node.js.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { momentOf, shownAt } from '#tests/support/local-clock.ts'

const SEED = 20261128
const RUNS = 400
const DAY = 24 * 60 * 60 * 1000

const EVERY_DAY = 127
/** The bit of a day's weekday: Monday is 1, Sunday 64. */
const weekdayBit = (day: string) => 1 << ((new Date(day).getUTCDay() + 6) % 7)

/** With the days on which their clocks change: by an hour at night, by half an hour, and at midnight. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  'Pacific/Auckland': ['2026-04-05', '2026-09-27'],
  'Europe/Lisbon': ['2026-03-29', '2026-10-25'],
  'America/St_Johns': ['2026-03-08', '2026-11-01'],
  'Australia/Lord_Howe': ['2026-04-05', '2026-10-04'],
  'America/Santiago': ['2026-04-05', '2026-09-06'],
  'Asia/Kolkata': ['2026-06-01'],
}

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function nextReminder(zone: string, time: string, weekdays: number, after: Date): Promise<Date | null> {
  const { rows } = await database.pool.query<{ next: Date | null }>(
    'select private.next_reminder($1, $2, $3, $4) as next',
    [time, weekdays, zone, after],
  )
  return rows[0]?.next ?? null
}

const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)

/** Most are close to a change of the clocks. */
const zoneAndDay = fc
  .constantFrom(...Object.entries(ZONES).flatMap(([zone, days]) => days.map((day) => ({ zone, day }))))
  .chain(({ zone, day }) => fc.integer({ min: -3, max: 3 }).map((n) => ({ zone, day: addDays(day, n) })))
const anyTime = fc
  .tuple(
    fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 23 })),
    fc.integer({ min: 0, max: 59 }),
  )
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))

describe('the next time of a reminder', () => {
  it('is the first after now at which clocks show it on one of its weekdays, a minute that exists', async () => {
    await fc.assert(
      fc.asyncProperty(
        zoneAndDay,
        anyTime,
        fc.integer({ min: 1, max: EVERY_DAY }),
        fc.integer({ min: 0, max: 2 * 24 * 60 }),
        async ({ zone, day }, time, weekdays, minutes) => {
          const after = new Date(Date.parse(day) + minutes * 60_000)
          const expected = Array.from({ length: 12 }, (_, index) => addDays(day, index - 2))
            .filter((each) => (weekdays & weekdayBit(each)) !== 0)
            .map((each) => momentOf(zone, `${each}T${time}`))
            .find((moment) => moment > after)
          expect(await nextReminder(zone, time, weekdays, after)).toEqual(expected)
        },
      ),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it.each([
    [
      'is moved to the end of the hour that is skipped',
      'Europe/Lisbon',
      '2026-03-29T01:30',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'is moved to the end of the half hour that is skipped',
      'Australia/Lord_Howe',
      '2026-10-04T02:10',
      '2026-10-03T15:30:00.000Z',
    ],
    [
      'is the second one in an hour that is repeated',
      'Pacific/Auckland',
      '2026-04-05T02:30',
      '2026-04-04T14:30:00.000Z',
    ],
    [
      'is moved to the next day if the whole day is skipped',
      'Pacific/Apia',
      '2011-12-30T07:00',
      '2011-12-30T10:00:00.000Z',
    ],
  ])('%s', async (_, zone, local, expected) => {
    const [day = '', time = ''] = local.split('T')
    const after = new Date(Date.parse(expected) - 2 * 60 * 60 * 1000)
    const weekday = weekdayBit(day)
    expect((await nextReminder(zone, time, weekday, after))?.toISOString()).toBe(expected)
  })

  it.each(Object.keys(ZONES))('comes once on each day of a year in %s', async (zone) => {
    for (const time of ['00:00', '00:30', '01:30', '02:10', '02:30', '23:30']) {
      const { rows } = await database.pool.query<{ moment: Date }>(
        `with recursive due as (
           select private.next_reminder($1, $2, $3, '2026-01-01T00:00:00Z') as moment
           union all
           select private.next_reminder($1, $2, $3, moment) from due where moment < '2026-12-30T00:00:00Z'
         )
         select moment from due`,
        [time, EVERY_DAY, zone],
      )
      const days = rows.map(({ moment }) => shownAt(zone, moment).slice(0, 10))
      const [first = ''] = days
      expect(days).toEqual(days.map((_day, index) => addDays(first, index)))
      expect(days.length).toBeGreaterThan(361)
    }
  })

  it('is unknown in a time zone that this database does not know, as after a restore, and stops nothing', async () => {
    expect(await nextReminder('Europe/Atlantis', '07:00', EVERY_DAY, new Date())).toBeNull()
  })
})
