import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, bitOf, type Day, dayIn, EVERY_DAY } from '#web/lib/days/days.ts'
import { type Due, dueToday, isForWeekday, type Plan, planTexts } from './plan.ts'

const SEED = 20260301
const SUNDAYS = bitOf(7)
/** A Thursday. */
const TODAY = '2026-11-26'
const YESTERDAY = addDays(TODAY, -1)
const TOMORROW = addDays(TODAY, 1)

function plan(given: Partial<Plan>): Plan {
  return {
    resolved: false,
    due_on: null,
    due_repeats: null,
    pray_days: null,
    resting_until: null,
    last_prayed_on: null,
    ...given,
  }
}

const dueSince = (given: Partial<Plan>, today: Day): Day | null => {
  const due = dueToday(plan(given), today)
  return due?.by === 'date' ? due.since : null
}

describe('a date that has come', () => {
  it.each([
    ['never prayed', null, YESTERDAY],
    ['prayed before it', '2026-11-24', YESTERDAY],
    ['prayed on its day', YESTERDAY, null],
    ['prayed after it', TODAY, null],
    ['prayed tomorrow, where it is tomorrow already', TOMORROW, null],
    ['prayed later than that, by a clock that was wrong', addDays(TOMORROW, 1), YESTERDAY],
    ['prayed on a day that cannot be read', 'soon', YESTERDAY],
  ])('is due until it has been prayed on its day or later: %s', (_, last_prayed_on, expected) => {
    expect(dueSince({ due_on: YESTERDAY, last_prayed_on }, TODAY)).toBe(expected)
  })

  it.each([
    ['answered', { resolved: true }],
    ['paused', { resting_until: TOMORROW }],
  ])('is not due if the prayer is %s', (_, given) => {
    expect(dueToday(plan({ due_on: TODAY, pray_days: EVERY_DAY, ...given }), TODAY)).toBeNull()
  })

  it('is due when the pause ends', () => {
    expect(dueSince({ due_on: YESTERDAY, resting_until: TODAY }, TODAY)).toBe(YESTERDAY)
  })
})

describe('a date that repeats every month', () => {
  it.each([
    ['2026-01-31', '2026-02-27', '2026-01-31'],
    ['2026-01-31', '2026-02-28', '2026-02-28'],
    ['2026-01-31', '2026-03-30', '2026-02-28'],
    ['2026-01-31', '2026-03-31', '2026-03-31'],
    ['2026-01-30', '2026-03-30', '2026-03-30'],
    ['2026-01-31', '2026-04-30', '2026-04-30'],
    ['2026-01-29', '2028-02-29', '2028-02-29'],
    ['2026-01-31', '2028-02-28', '2028-01-31'],
    ['2026-01-31', '2028-02-29', '2028-02-29'],
    ['2025-12-31', '2026-01-30', '2025-12-31'],
    ['2026-02-28', '2026-03-31', '2026-03-28'],
    ['2026-11-05', '2026-11-04', null],
  ])('from %s on is due on %s since %s', (due_on, today, since) => {
    expect(dueSince({ due_on, due_repeats: 'monthly' }, today)).toBe(since)
  })
})

describe('a date that repeats every year', () => {
  it.each([
    ['2024-02-29', '2025-02-27', '2024-02-29'],
    ['2024-02-29', '2025-02-28', '2025-02-28'],
    ['2024-02-29', '2028-02-28', '2027-02-28'],
    ['2024-02-29', '2028-02-29', '2028-02-29'],
    ['2025-12-31', '2026-12-30', '2025-12-31'],
    ['2025-12-31', '2026-12-31', '2026-12-31'],
    ['2026-11-05', '2026-11-04', null],
  ])('from %s on is due on %s since %s', (due_on, today, since) => {
    expect(dueSince({ due_on, due_repeats: 'yearly' }, today)).toBe(since)
  })
})

describe('a weekday', () => {
  it('is due until it has been prayed on that day', () => {
    const thursdays = { pray_days: bitOf(4), last_prayed_on: YESTERDAY }
    expect(dueToday(plan(thursdays), TODAY)).toEqual({ by: 'weekday' })
    expect(dueToday(plan({ ...thursdays, last_prayed_on: TODAY }), TODAY)).toBeNull()
    expect(dueToday(plan(thursdays), TOMORROW)).toBeNull()
  })

  it('comes after a date that has come as well', () => {
    const both = { pray_days: EVERY_DAY, due_on: YESTERDAY }
    expect(dueToday(plan(both), TODAY)).toEqual({ by: 'date', since: YESTERDAY })
    expect(dueToday(plan({ ...both, last_prayed_on: YESTERDAY }), TODAY)).toEqual({ by: 'weekday' })
  })
})

describe('in the time zone of the device, a date is due from midnight on', () => {
  it.each([
    ['a leap day', 'Europe/Warsaw', '2028-02-29', '2028-02-28T23:00:00Z'],
    ['the end of a month', 'Asia/Kolkata', '2026-04-30', '2026-04-29T18:30:00Z'],
    ['the day when summer time begins', 'America/New_York', '2026-03-08', '2026-03-08T05:00:00Z'],
    ['the day when summer time ends', 'Pacific/Auckland', '2026-04-05', '2026-04-04T11:00:00Z'],
    ['a day that begins at one o’clock', 'America/Santiago', '2025-09-07', '2025-09-07T04:00:00Z'],
    ['New Year’s Eve', 'Pacific/Kiritimati', '2026-12-31', '2026-12-30T10:00:00Z'],
  ])('%s in %s', (_, timeZone, due_on, midnight) => {
    const at = (seconds: number) => dayIn(timeZone, new Date(Date.parse(midnight) + seconds * 1000))
    for (const due_repeats of [null, 'monthly', 'yearly']) {
      expect(dueSince({ due_on, due_repeats }, at(-1))).toBeNull()
      expect(dueSince({ due_on, due_repeats }, at(0))).toBe(due_on)
    }
  })
})

function nameOf(due: Due | null): string {
  return due === null ? 'nothing' : due.by === 'date' ? due.since : due.by
}

/** Whether the date of a plan comes on a day: by the calendar, not by calculating. */
function isOccurrence({ due_on: first, due_repeats: repeats }: Plan, day: Day): boolean {
  if (first === null || day < first) return false
  if (day === first) return true
  const [month, date] = [first.slice(5, 7), first.slice(8)]
  const isLastOfMonth = addDays(day, 1).endsWith('-01')
  const isDate = day.endsWith(`-${date}`) || (isLastOfMonth && day.slice(8) < date)
  if (repeats === 'monthly') return isDate
  return repeats === 'yearly' && isDate && day.slice(5, 7) === month
}

const someDay = fc.integer({ min: 0, max: 1500 }).map((count) => addDays('2024-01-01', count))
const monthEnd = fc.constantFrom(
  '2024-01-29',
  '2024-01-30',
  '2024-01-31',
  '2024-02-29',
  '2025-02-28',
  '2024-12-31',
)
const somePlan = fc.record({
  resolved: fc.constant(false),
  due_on: fc.option(fc.oneof(someDay, monthEnd), { freq: 5 }),
  due_repeats: fc.constantFrom(null, 'monthly', 'yearly'),
  pray_days: fc.option(fc.integer({ min: 1, max: EVERY_DAY })),
  resting_until: fc.option(someDay, { freq: 1 }),
  last_prayed_on: fc.option(someDay, { freq: 1 }),
})

describe('with any plan', () => {
  it('each occurrence is due from its day until the prayer is prayed, and each weekday on that day', () => {
    const prayedOn = fc.uniqueArray(fc.nat({ max: 500 }), { maxLength: 20 })
    fc.assert(
      fc.property(somePlan, someDay, prayedOn, (given, start, prayed) => {
        let last: Day | null = null
        let open: Day | null = null
        for (let day = given.due_on ?? start; day < start; day = addDays(day, 1))
          if (isOccurrence(given, day)) open = day
        const dueOn = (day: Day) =>
          nameOf(dueToday({ ...given, last_prayed_on: last, resting_until: null }, day))
        const [found, expected]: [string[], string[]] = [[], []]
        for (let count = 0; count < 500; count += 1) {
          const day = addDays(start, count)
          if (isOccurrence(given, day)) open = day
          expected.push(`${day}: ${open ?? (isForWeekday(given, day) ? 'weekday' : 'nothing')}`)
          found.push(`${day}: ${dueOn(day)}`)
          if (!prayed.includes(count)) continue
          open = null
          last = day
          expected.push(`${day}, prayed: nothing`)
          found.push(`${day}, prayed: ${dueOn(day)}`)
        }
        expect(found).toEqual(expected)
      }),
      { seed: SEED, numRuns: 60 },
    )
  })

  it('on any day that a clock shows, what is due has come, and was not prayed since', () => {
    fc.assert(
      fc.property(somePlan, someDay, (given, today) => {
        const { resting_until: end, last_prayed_on: last } = given
        const due = dueToday(given, today)
        const isOver = end === null || end <= today
        const lastKnown = last === null || last > addDays(today, 1) ? '' : last
        const isNewer = (since: Day) => isOccurrence(given, since) && since <= today && lastKnown < since
        expect(due === null || isOver).toBe(true)
        expect(due?.by !== 'weekday' || (isForWeekday(given, today) && last !== today)).toBe(true)
        expect(due?.by !== 'date' || isNewer(due.since)).toBe(true)
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('that is damaged, nothing throws', () => {
    const anything = fc.option(fc.oneof(fc.string(), fc.constantFrom('infinity', '2026-02-30', '0000-00-00')))
    const damaged = fc.record({
      resolved: fc.boolean(),
      due_on: anything,
      due_repeats: anything,
      pray_days: fc.option(fc.integer()),
      resting_until: anything,
      last_prayed_on: anything,
    })
    fc.assert(
      fc.property(damaged, (given) => {
        expect(dueToday(given, TODAY)?.by).not.toBe('date')
        expect(planTexts(given, TODAY)).toEqual(expect.any(Array))
      }),
      { seed: SEED, numRuns: 500 },
    )
  })
})

describe('on 26 November 2026, a Thursday, the words for', () => {
  const monthly = { due_on: '2026-01-05', due_repeats: 'monthly' }
  const yearly = { due_on: '2025-11-26', due_repeats: 'yearly' }

  it.each<[string, Partial<Plan>, string[]]>([
    ['no plan', {}, []],
    ['no plan, prayed today', { last_prayed_on: TODAY }, []],
    ['today', { due_on: TODAY }, ['Due today']],
    ['yesterday', { due_on: YESTERDAY }, ['Due yesterday']],
    ['an earlier day', { due_on: '2026-11-05' }, ['Due Thursday, 5 November']],
    ['a later day', { due_on: '2026-12-03' }, ['Due Thursday, 3 December']],
    ['another year', { due_on: '2027-01-01' }, ['Due Friday, 1 January 2027']],
    ['today, prayed today', { due_on: TODAY, last_prayed_on: TODAY }, ['Prayed today']],
    ['yesterday, prayed then', { due_on: YESTERDAY, last_prayed_on: YESTERDAY }, []],
    ['every day', { pray_days: EVERY_DAY }, ['Every day']],
    ['weekdays', { pray_days: 31, last_prayed_on: YESTERDAY }, ['Mondays to Fridays']],
    [
      'weekdays, prayed today',
      { pray_days: 31, last_prayed_on: TODAY },
      ['Prayed today', 'Mondays to Fridays'],
    ],
    ['another weekday, prayed today', { pray_days: SUNDAYS, last_prayed_on: TODAY }, ['Sundays']],
    [
      'a weekday, besides a date to come',
      { pray_days: bitOf(4), due_on: '2026-12-03' },
      ['Thursdays', 'Due Thursday, 3 December'],
    ],
    [
      'another weekday, besides a date that has come',
      { pray_days: SUNDAYS, due_on: TODAY },
      ['Due today', 'Sundays'],
    ],
    ['every month', { ...monthly, last_prayed_on: '2026-11-05' }, ['Every month on the 5th']],
    ['every month, not prayed', monthly, ['Due Thursday, 5 November, every month']],
    [
      'every month, prayed today',
      { ...monthly, last_prayed_on: TODAY },
      ['Prayed today', 'Every month on the 5th'],
    ],
    ['every month from later on', { ...monthly, due_on: TOMORROW }, ['Due tomorrow, every month']],
    ['every year', { ...yearly, last_prayed_on: YESTERDAY }, ['Due today, every year']],
    [
      'a leap day',
      { due_on: '2024-02-29', due_repeats: 'yearly', last_prayed_on: YESTERDAY },
      ['Every year on 29 February'],
    ],
    ['a pause', { due_on: YESTERDAY, resting_until: '2026-12-03' }, ['Paused until 3 December']],
    ['an answered prayer', { due_on: TODAY, pray_days: SUNDAYS, resolved: true }, []],
  ])('%s', (_, given, expected) => {
    expect(planTexts(plan(given), TODAY)).toEqual(expected)
  })
})
