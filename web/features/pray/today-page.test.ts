import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueToday } from '#web/data/plan.ts'
import { isLastPrayedOn, type Prayer } from '#web/data/prayers.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { addDays, bitOf, type Day, dayIn, EVERY_DAY, weekdayOf } from '#web/lib/days/days.ts'
import { type Categories, selectPrayers } from './select-prayers.ts'
import {
  afterChoice,
  leftOutText,
  namesOn,
  pageOf,
  reasonText,
  requestText,
  type TodayPage,
  whyText,
  withMore,
} from './today-page.ts'
import { verseOf } from './verses.ts'

/** A Thursday. */
const TODAY = '2026-11-26'
const YESTERDAY = addDays(TODAY, -1)
const TOMORROW = addDays(TODAY, 1)
const FAMILY: Categories = new Map([['family', { pray_days: null }]])

const prayer = (id: string, given: Partial<Prayer> = {}) => samplePrayer({ id, person_name: id, ...given })
const byId = (prayers: readonly Prayer[]) => new Map(prayers.map((each) => [each.id, each]))
const selectionOf = (prayers: readonly Prayer[], day: Day = TODAY, categories = FAMILY) =>
  selectPrayers(prayers, { categories, today: day, prayedHere: [] })

/** The page of a day, kept from before or new. */
function open(
  prayers: readonly Prayer[],
  kept: TodayPage | null = null,
  room: number | null = 10,
  day = TODAY,
) {
  return pageOf(kept, { day, room }, selectionOf(prayers, day))
}

function shown(page: TodayPage, prayers: readonly Prayer[]) {
  const { planned, others } = namesOn(page, byId(prayers), FAMILY)
  return { planned: planned.map(({ id }) => id), others: others.map(({ id }) => id) }
}

/** The first instant of a day somewhere. */
function startOf(day: Day, timeZone: string): number {
  let instant = Date.parse(`${day}T00:00:00Z`) - 15 * 60 * 60 * 1000
  while (dayIn(timeZone, new Date(instant)) !== day) instant += 15 * 60 * 1000
  return instant
}

const ZONES = [
  ['Europe/Warsaw', ['2028-02-29', '2026-04-30', '2026-03-29', '2026-10-25', '2026-12-31']],
  ['America/New_York', ['2028-02-29', '2026-04-30', '2026-03-08', '2026-11-01', '2026-12-31']],
  ['Pacific/Auckland', ['2028-02-29', '2026-04-30', '2026-09-27', '2026-04-05', '2026-12-31']],
] as const

describe.each(ZONES.flatMap(([zone, days]) => days.map((day) => [zone, day] as const)))(
  'in %s on %s',
  (timeZone, date) => {
    /** 40 prayers: six are planned for the day in all the ways there are, and six are not to be on the page. */
    const planned = [
      prayer('today', { due_on: date, created_at: '2025-01-01T00:00:00+00:00' }),
      // The 31st of a shorter month is its last day.
      prayer('every month', {
        due_on: date.endsWith('-30') ? '2024-01-31' : `2024-01-${date.slice(8)}`,
        due_repeats: 'monthly',
        last_prayed_on: addDays(date, -3),
        created_at: '2025-01-02T00:00:00+00:00',
      }),
      prayer('every year', {
        due_on: `2024-${date.slice(5)}`,
        due_repeats: 'yearly',
        created_at: '2025-01-03T00:00:00+00:00',
      }),
      prayer('yesterday', { due_on: addDays(date, -1), last_prayed_on: addDays(date, -2) }),
      prayer('on weekdays', { pray_days: bitOf(weekdayOf(date)), last_prayed_on: addDays(date, -7) }),
      prayer('every day', { pray_days: EVERY_DAY, last_prayed_on: addDays(date, -1) }),
    ]
    const absent = [
      prayer('another weekday', { pray_days: bitOf(weekdayOf(addDays(date, 1))) }),
      prayer('paused', { resting_until: addDays(date, 1), due_on: date }),
      prayer('answered', { resolved: true, pray_days: EVERY_DAY }),
      prayer('hidden', { category_id: 'hidden', due_on: date }),
      prayer('prayed', { pray_days: EVERY_DAY, last_prayed_on: date }),
      prayer('longest ago but one', { last_prayed_on: addDays(date, -1) }),
    ]
    const others = Array.from({ length: 28 }, (_, index) =>
      prayer(`other ${index}`, {
        last_prayed_on: addDays(date, index - 100),
        // A later date does not make it wait.
        due_on: index % 2 === 0 ? addDays(date, 1) : null,
      }),
    )

    it.each(['first', 'last'])('lists exactly those at its %s second', (second) => {
      const start = startOf(second === 'first' ? date : addDays(date, 1), timeZone)
      const day = dayIn(timeZone, new Date(second === 'first' ? start : start - 1000))
      const prayers = [...others, ...absent, ...planned]
      expect(prayers).toHaveLength(40)
      expect(shown(open(prayers, null, 10, day), prayers)).toEqual({
        planned: planned.map(({ id }) => id),
        others: others.slice(0, 10).map(({ id }) => id),
      })
    })
  },
)

describe('the page of a day', () => {
  const prayers = [prayer('a'), prayer('b'), prayer('c'), prayer('d')]
  const page = open(prayers, null, 2)

  it('stays as it is until the next day, whoever was prayed for', () => {
    const prayed = prayers.map((each) => ({ ...each, last_prayed_on: TODAY }))
    expect(page.others).toEqual(['a', 'b'])
    expect(open(prayed, page, 2)).toBe(page)
    const tomorrow = open([...prayers.slice(2), ...prayed.slice(0, 2)], page, 2, addDays(TODAY, 1))
    expect(tomorrow).toMatchObject({ day: addDays(TODAY, 1), others: ['c', 'd'] })
  })

  it('shows nobody in place of those who were deleted, answered or hidden, and them again if they are back', () => {
    const answered = [prayer('a', { resolved: true }), ...prayers.slice(2)]
    expect(shown(open(answered, page, 2), answered).others).toEqual([])
    expect(open(answered, page, 2)).toBe(page)
    expect(shown(page, prayers).others).toEqual(['a', 'b'])
  })

  it('adds prayers that have become due, before the others, and new ones while there is room', () => {
    const due = prayer('due', { due_on: TODAY })
    const later = open([...prayers, due], page, 2)
    expect(later).toMatchObject({ planned: ['due'], others: ['a', 'b'] })
    const moved = prayers.map((each) => (each.id === 'b' ? { ...each, due_on: TODAY } : each))
    expect(open(moved, later, 2)).toMatchObject({ planned: ['due', 'b'], others: ['a', 'c'] })
    const roomy = open(prayers, null, 5)
    expect(open([...prayers, prayer('new 1'), prayer('new 2')], roomy, 5).others).toEqual([
      'a',
      'b',
      'c',
      'd',
      'new 1',
    ])
  })

  it('leaves a prayer in its place whose last day is unknown, because it was taken back', () => {
    const dated = { due_on: YESTERDAY, last_prayed_on: YESTERDAY, times_prayed: 1 }
    const kept = open([prayer('a', dated)], null)
    expect(kept.others).toEqual(['a'])
    expect(open([prayer('a', { ...dated, last_prayed_on: null })], kept)).toBe(kept)
  })

  it('lets those wait with the others whose date was moved, unless they were prayed for', () => {
    const due = [prayer('a', { due_on: TODAY }), prayer('b', { due_on: TODAY })]
    const kept = open([...due, prayer('c')], null, 2)
    expect(kept).toMatchObject({ planned: ['a', 'b'], others: ['c'] })
    const moved = { due_on: addDays(TODAY, 7) }
    const now = [prayer('a', moved), prayer('b', { ...moved, last_prayed_on: TODAY }), prayer('c')]
    const later = open(now, kept, 2)
    expect(later).toMatchObject({ planned: ['b'], others: ['c', 'a'] })
    expect(open(now, later, 2)).toBe(later)
  })

  it('shows who was due because of a date also when that was prayed, on whichever weekday', () => {
    const dated = { due_on: YESTERDAY, pray_days: bitOf(5) }
    const kept = open([prayer('a', dated)])
    const prayed = prayer('a', { ...dated, last_prayed_on: TODAY, times_prayed: 1 })
    expect(shown(open([prayed], kept), [prayed]).planned).toEqual(['a'])
  })

  it('gets as many more as asked for, and only then', () => {
    const more = open(prayers, withMore(page, 1), 2)
    expect(more.others).toEqual(['a', 'b', 'c'])
    expect(open(prayers, more, 2)).toBe(more)
  })

  it('has everybody if all are chosen', () => {
    expect(open(prayers, null, null).others).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('after another choice, the page', () => {
  const [a, b, c] = [
    prayer('a'),
    prayer('b', { last_prayed_on: TODAY, times_prayed: 1 }),
    prayer('c', { last_prayed_on: TODAY, times_prayed: 1 }),
  ]
  const page: TodayPage = { day: TODAY, planned: [], others: ['a', 'b', 'c'], room: 3 }

  it.each([
    [10, ['a', 'b', 'c']],
    [3, ['a', 'b', 'c']],
    [2, ['b', 'c']],
    [1, ['b', 'c']],
    [null, ['a', 'b', 'c']],
  ])('for %j keeps who was prayed for, and fills up with the others: %j', (room, expected) => {
    expect(afterChoice(page, room, { planned: [], others: [a, b, c] })).toEqual({
      ...page,
      room,
      others: expected,
    })
  })

  it('has nobody of other categories', () => {
    const changed = afterChoice({ ...page, planned: ['d'] }, 10, { planned: [], others: [b] })
    expect(changed).toMatchObject({ planned: [], others: ['b'] })
  })
})

const someDay = fc.integer({ min: -40, max: 2 }).map((count) => addDays(TODAY, count))
const somePrayer = (id: string) =>
  fc
    .record({
      category_id: fc.constantFrom('family', 'family', 'family', 'hidden'),
      resolved: fc.nat({ max: 5 }).map((count) => count === 0),
      due_on: fc.option(someDay, { freq: 1 }),
      due_repeats: fc.constantFrom(null, 'monthly', 'yearly'),
      pray_days: fc.option(fc.integer({ min: 1, max: EVERY_DAY }), { freq: 1 }),
      resting_until: fc.option(someDay, { freq: 1 }),
      last_prayed_on: fc.option(someDay),
      times_prayed: fc.nat({ max: 2 }),
    })
    .map((given) => prayer(id, given))
const IDS = Array.from({ length: 12 }, (_, index) => `p${index}`)
/** Some prayers as they may be at some moment: the same ones, but deleted, answered, prayed, planned, … */
const someMoment = fc
  .tuple(...IDS.map((id) => fc.option(somePrayer(id), { nil: undefined })))
  .map((prayers) => prayers.filter((each) => each !== undefined))
const someRoom = fc.constantFrom(0, 2, 5, null)

describe('whatever changes in the course of a day', () => {
  it('everyone is on the page once, stays in place, and all who are due are on it', () => {
    fc.assert(
      fc.property(fc.array(someMoment, { minLength: 1, maxLength: 6 }), someRoom, (moments, room) => {
        let page: TodayPage | null = null
        for (const prayers of moments) {
          const before: TodayPage = page ?? { day: TODAY, planned: [], others: [], room }
          page = open(prayers, page, room)
          const { planned, others } = page
          expect(new Set([...planned, ...others]).size).toBe(planned.length + others.length)
          const stillPlanned = before.planned.filter((id) => planned.includes(id))
          expect(planned.slice(0, stillPlanned.length)).toEqual(stillPlanned)
          const stayed = before.others.filter((id) => !planned.includes(id))
          expect(others.slice(0, stayed.length)).toEqual(stayed)
          expect(others.length).toBeLessThanOrEqual(room ?? Infinity)
          const due = selectionOf(prayers).planned.filter((each) => each.last_prayed_on !== null)
          expect(due.filter(({ id }) => !planned.includes(id))).toEqual([])
          expect(open(prayers, page, room)).toBe(page)
        }
      }),
      { seed: 4, numRuns: 300 },
    )
  })

  it('what can be prayed is on the page as long as there is room, and nobody is shown who cannot be prayed', () => {
    fc.assert(
      fc.property(someMoment, someMoment, (earlier, now) => {
        const page = open(now, open(earlier, null, null), null)
        const { planned, others } = selectionOf(now)
        const names = shown(page, now)
        const listed = [...names.planned, ...names.others]
        expect(listed).toEqual(expect.arrayContaining([...planned, ...others].map(({ id }) => id)))
        const cannot = now.filter(
          (each) => each.resolved || each.category_id === 'hidden' || (each.resting_until ?? '') > TODAY,
        )
        expect(cannot.filter(({ id }) => listed.includes(id))).toEqual([])
      }),
      { seed: 5, numRuns: 300 },
    )
  })

  it('a new page has the first of those who wait, and another choice takes nobody off who was prayed for', () => {
    fc.assert(
      fc.property(someMoment, someRoom, someRoom, (prayers, room, next) => {
        const page = open(prayers, null, room)
        const { others } = selectionOf(prayers)
        expect(page.others).toEqual(others.slice(0, room ?? Infinity).map(({ id }) => id))
        const names = namesOn(page, byId(prayers), FAMILY)
        const changed = open(prayers, afterChoice(page, next, names), next)
        const prayed = names.others.filter((each) => isLastPrayedOn(each, TODAY)).map(({ id }) => id)
        expect(changed.others).toEqual(expect.arrayContaining(prayed))
        expect(changed.others.length).toBeLessThanOrEqual(Math.max(next ?? Infinity, prayed.length))
      }),
      { seed: 6, numRuns: 300 },
    )
  })
})

describe('the reason to pray for someone today', () => {
  const SUNDAYS = bitOf(7)
  const monthly = { due_on: '2026-01-05', due_repeats: 'monthly' }
  const yearly = { due_on: '2025-11-26', due_repeats: 'yearly' }

  it.each<[string, Partial<Prayer>, string | null]>([
    ['no plan', {}, null],
    ['a date', { due_on: YESTERDAY }, 'Due yesterday'],
    ['a date to come', { due_on: TOMORROW }, null],
    ['an earlier date', { due_on: '2026-11-24' }, 'Due 24 November'],
    ['a month', monthly, '5 November, every month'],
    ['a month, on its day', { ...monthly, due_on: '2026-01-26' }, 'Today, every month'],
    ['a year, a day later', { ...yearly, due_on: '2025-11-25' }, 'Yesterday, every year'],
    ['weekdays', { pray_days: 31 }, 'Mondays to Fridays'],
    ['another weekday', { pray_days: SUNDAYS }, null],
    ['a date besides weekdays', { due_on: TODAY, pray_days: 31 }, 'Due today'],
    ['a date that was prayed', { due_on: YESTERDAY, last_prayed_on: YESTERDAY }, null],
  ])('%s', (_, given, expected) => {
    expect(reasonText(prayer('a', given), TODAY)).toBe(expected)
  })

  it('stays when the prayer is prayed', () => {
    for (const given of [{ due_on: YESTERDAY }, monthly, yearly, { pray_days: 31 }]) {
      const prayed = prayer('a', { ...given, last_prayed_on: TODAY })
      expect(reasonText(prayed, TODAY)).toBe(reasonText(prayer('a', given), TODAY))
    }
  })

  it('is there exactly if the prayer is due, unless it was prayed today', () => {
    fc.assert(
      fc.property(somePrayer('a'), (given) => {
        fc.pre(given.last_prayed_on !== TODAY)
        expect(reasonText(given, TODAY) !== null).toBe(dueToday(given, TODAY) !== null)
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})

it.each<[string, boolean, Partial<Prayer>, string | null]>([
  ['is planned', true, { pray_days: bitOf(4) }, 'Thursdays'],
  ['was planned and prayed', true, { due_on: YESTERDAY, last_prayed_on: TODAY }, 'Prayed today'],
  [
    'was planned, but prayed elsewhere',
    true,
    { due_on: YESTERDAY, last_prayed_on: YESTERDAY },
    'Last prayed yesterday',
  ],
  ['is one of the others', false, { last_prayed_on: '2026-11-03' }, 'Last prayed 3 November'],
  ['was prayed last year', false, { last_prayed_on: '2025-11-03' }, 'Last prayed 3 November 2025'],
  ['was never prayed', false, {}, 'Not prayed yet'],
  ['was prayed today', false, { last_prayed_on: TODAY, due_on: YESTERDAY }, 'Prayed today'],
  ['was prayed, but not known when', false, { times_prayed: 2 }, null],
  ['has a day that is still to come', false, { last_prayed_on: '2027-01-01' }, null],
])('why someone is on the page who %s', (_, isPlanned, given, expected) => {
  expect(whyText(prayer('a', given), isPlanned, TODAY)).toBe(expected)
})

describe('the line of the request', () => {
  const created_at = '2026-11-03T12:00:00.000000+00:00'
  const LATER = '2026-11-04T12:00:00.000Z'
  const [BEFORE_LATER, AFTER_LATER] = ['2026-11-04T11:59:59.999999+00:00', '2026-11-04T12:00:00.001+00:00']
  const update = (body: string, at = LATER, answered_on: Day | null = null) => ({
    body,
    answered_on,
    created_at: at,
  })

  it.each([
    ['nothing was written', null, [], null],
    ['the note is empty', ' \n', [], null],
    ['there is only a note', ' Peace\nbefore Thursday', [], 'Peace\nbefore Thursday'],
    ['there are updates', 'Peace', [update('She is home'), update('It went well')], 'She is home'],
    ['an answer was reopened', 'Peace', [update('Healed', LATER, YESTERDAY)], 'Peace'],
    ['two devices wrote', null, [update('Your version of 3 November, 14:05\n\nPeace')], 'Peace'],
    ['it is long', 'Peace '.repeat(2000), [], 'Peace '.repeat(50)],
  ])('if %s', (_, note, updates, expected) => {
    expect(requestText({ note, created_at, note_changed_at: null }, updates)).toBe(expected)
  })

  it.each([
    ['before the update', 'Peace', BEFORE_LATER, 'It went well'],
    ['after the update', 'Peace', AFTER_LATER, 'Peace'],
    ['to nothing after the update', ' ', AFTER_LATER, 'It went well'],
  ])('if the note was changed %s', (_, note, note_changed_at, expected) => {
    expect(requestText({ note, created_at, note_changed_at }, [update('It went well')])).toBe(expected)
  })

  it('is the note of a prayer that is newer than an update that was imported', () => {
    const imported = update('It went well', '2025-11-04T12:00:00+00:00')
    expect(requestText({ note: 'Peace', created_at, note_changed_at: null }, [imported])).toBe('Peace')
  })
})

describe('the line about who is left out', () => {
  const text = (prayers: readonly Prayer[]) =>
    leftOutText(prayers, { visible: new Set(['family', 'church', 'work']), chosen }, TODAY)
  const chosen: Categories = new Map([...FAMILY, ['work', { pray_days: bitOf(5) }]])
  const paused = prayer('paused', { resting_until: '2026-12-01' })
  const hidden = prayer('hidden', { category_id: 'hidden', resting_until: '2026-12-01' })
  const church = prayer('church', { category_id: 'church' })
  const friday = prayer('friday', { pray_days: bitOf(5) })
  const colleague = prayer('colleague', { category_id: 'work' })
  const dueColleague = prayer('due', { category_id: 'work', due_on: TODAY, last_prayed_on: TODAY })
  const answered = prayer('answered', { resolved: true, category_id: 'hidden' })

  it.each([
    [[prayer('a'), prayer('thursday', { pray_days: bitOf(4), last_prayed_on: TODAY }), answered], null],
    [[paused, paused, paused, hidden, hidden], '3 are paused, 2 are in hidden categories.'],
    [[paused], '1 is paused.'],
    [
      [hidden, church, friday, paused],
      '1 is paused, 1 is for another day, 1 is in a hidden category, 1 is in another category.',
    ],
    [[colleague], '1 is in a category for other days.'],
    [[colleague, dueColleague, colleague, paused], '1 is paused, 2 are in categories for other days.'],
    [[church, church, friday, friday], '2 are for other days, 2 are in other categories.'],
  ])('%#', (prayers, expected) => {
    expect(text(prayers)).toBe(expected)
  })
})

it('there is another verse on each day of a month', () => {
  const verses = Array.from({ length: 31 }, (_, index) => verseOf(addDays('2026-01-01', index))?.text)
  expect(new Set(verses).size).toBe(31)
  expect(verses).not.toContain(undefined)
})
