import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueToday } from '#web/data/plan.ts'
import { addDays, bitOf, type Day, EVERY_DAY, weekdayOf } from '#web/lib/days/days.ts'
import { type Candidate, type Categories, type Choice, isPrayable, selectPrayers } from './select-prayers.ts'

const TODAY = '2025-11-27' // a Thursday
const YESTERDAY = addDays(TODAY, -1)
const THURSDAYS = bitOf(4)
const FRIDAYS = bitOf(5)

const choice: Choice = {
  categories: new Map([
    ['family', { pray_days: null }],
    ['church', { pray_days: null }],
    ['work', { pray_days: THURSDAYS | FRIDAYS }],
    ['village', { pray_days: FRIDAYS }],
  ]),
  today: TODAY,
  prayedHere: [],
}

function prayer(id: string, columns: Partial<Candidate> = {}): Candidate {
  return {
    id,
    category_id: 'family',
    created_at: '2025-01-01T08:00:00+00:00',
    resolved: false,
    due_on: null,
    due_repeats: null,
    pray_days: null,
    resting_until: null,
    last_prayed_on: null,
    ...columns,
  }
}

const idsOf = (prayers: readonly Candidate[]) => prayers.map(({ id }) => id)
const select = (prayers: readonly Candidate[], changed: Partial<Choice> = {}) => {
  const { planned, others } = selectPrayers(prayers, { ...choice, ...changed })
  return { planned: idsOf(planned), others: idsOf(others) }
}

it.each([
  ['is for today', { pray_days: THURSDAYS }, true],
  ['is for another weekday', { pray_days: FRIDAYS }, false],
  ['has a date that has come, besides another weekday', { pray_days: FRIDAYS, due_on: YESTERDAY }, true],
  ['is for any day', {}, true],
  ['is answered', { resolved: true }, false],
  ['is in a category of today', { category_id: 'work' }, true],
  ['is in a category of other days', { category_id: 'village' }, false],
  ['is for today, in a category of other days', { category_id: 'village', pray_days: THURSDAYS }, true],
  ['has a date that has come, in a category of other days', { category_id: 'village', due_on: TODAY }, true],
])('what an unfinished session shows today: a prayer that %s', (_, columns, expected) => {
  expect(isPrayable(prayer('a', columns), choice.categories, TODAY)).toBe(expected)
})

describe('the order', () => {
  it('begins with never prayed ones, then those longest unprayed, then the oldest', () => {
    const prayers = [
      prayer('yesterday', { last_prayed_on: YESTERDAY }),
      prayer('last year', { last_prayed_on: '2024-11-27' }),
      prayer('new', { created_at: '2025-11-26T08:00:00+00:00' }),
      prayer('b'),
      prayer('a'),
    ]
    expect(select(prayers)).toEqual({ planned: [], others: ['a', 'b', 'new', 'last year', 'yesterday'] })
  })

  it('goes by the day that the prayer has, which may be tomorrow, or have been taken back elsewhere', () => {
    const prayers = [
      prayer('tomorrow', { last_prayed_on: addDays(TODAY, 1) }),
      prayer('yesterday', { last_prayed_on: YESTERDAY }),
      prayer('taken back'),
    ]
    const prayedHere = [{ id: 'taken back', day: TODAY }]
    expect(select(prayers, { prayedHere }).others).toEqual(['taken back', 'yesterday', 'tomorrow'])
  })

  it('has what is planned for today apart from the others: dates of today and yesterday, weekdays, then earlier dates', () => {
    const prayers = [
      prayer('a'),
      prayer('b'),
      prayer('thursday', { pray_days: THURSDAYS, last_prayed_on: '2025-11-20' }),
      prayer('today', { due_on: TODAY, last_prayed_on: YESTERDAY }),
      prayer('a year ago', { due_on: '2024-11-27', last_prayed_on: '2024-11-26' }),
      prayer('yesterday', { due_on: YESTERDAY }),
      prayer('two days ago', { due_on: addDays(TODAY, -2) }),
    ]
    expect(select(prayers)).toEqual({
      planned: ['today', 'yesterday', 'thursday', 'two days ago', 'a year ago'],
      others: ['a', 'b'],
    })
  })

  it('contains a prayer whose date has come until it is prayed; then it is like the others', () => {
    const dated = { due_on: YESTERDAY }
    const others = [prayer('never prayed')]
    const order = (lastDay: Day) =>
      select([...others, prayer('dated', { ...dated, last_prayed_on: lastDay })])
    expect(order('2025-11-25')).toEqual({ planned: ['dated'], others: ['never prayed'] })
    expect(order(YESTERDAY)).toEqual({ planned: [], others: ['never prayed', 'dated'] })
  })

  it('goes by the last time that a date has come, if it repeats', () => {
    const prayers = [
      prayer('every month', { due_on: '2024-01-26', due_repeats: 'monthly' }),
      prayer('a week ago', { due_on: '2025-11-20' }),
      prayer('prayed since', { due_on: '2024-01-05', due_repeats: 'monthly', last_prayed_on: '2025-11-05' }),
    ]
    expect(select(prayers)).toEqual({ planned: ['every month', 'a week ago'], others: ['prayed since'] })
  })

  it('treats a prayer with a later date like the others', () => {
    const prayers = [prayer('b', { due_on: '2025-11-28' }), prayer('a')]
    expect(select(prayers)).toEqual({ planned: [], others: ['a', 'b'] })
  })

  it('contains prayers of a weekday on that day only, and only once a day', () => {
    const thursday = prayer('a', { pray_days: THURSDAYS })
    const friday = prayer('b', { pray_days: FRIDAYS })
    expect(select([thursday, friday])).toEqual({ planned: ['a'], others: [] })
    expect(select([thursday, friday], { today: '2025-11-28' })).toEqual({ planned: ['b'], others: [] })
    expect(select([{ ...thursday, last_prayed_on: TODAY }])).toEqual({ planned: [], others: [] })
    expect(select([thursday], { prayedHere: [{ id: 'a', day: TODAY }] }).planned).toEqual([])
    expect(select([prayer('c', { pray_days: 127 })]).planned).toEqual(['c'])
  })

  it('contains prayers of a category with days on these days, and what is planned whenever it is', () => {
    const prayers = [
      prayer('colleague', { category_id: 'work' }),
      prayer('neighbour', { category_id: 'village' }),
      prayer('due', { category_id: 'village', due_on: YESTERDAY }),
      prayer('thursday', { category_id: 'village', pray_days: THURSDAYS }),
      prayer('later', { category_id: 'village', due_on: '2025-12-24' }),
    ]
    expect(select(prayers)).toEqual({ planned: ['due', 'thursday'], others: ['colleague'] })
    const friday = { today: '2025-11-28' }
    expect(select(prayers, friday)).toEqual({
      planned: ['due'],
      others: ['colleague', 'later', 'neighbour'],
    })
    // Its date has been prayed for: it waits for a Friday.
    const prayed = [prayer('due', { category_id: 'village', due_on: YESTERDAY, last_prayed_on: TODAY })]
    expect(select(prayed).others).toEqual([])
    expect(select(prayed, friday).others).toEqual(['due'])
  })

  it('can be a single prayer, again and again', () => {
    const prayedHere = [{ id: 'a', day: TODAY }]
    expect(select([prayer('a', { last_prayed_on: TODAY })], { prayedHere }).others).toEqual(['a'])
  })
})

interface Praying extends Pick<Choice, 'categories' | 'prayedHere'> {
  prayers: readonly Candidate[]
  day: Day
}

/** Praying a session, as it changes the prayers and what the device remembers. */
function pray({ prayers, categories, day, prayedHere: before }: Praying, number: number) {
  const { planned, others } = select(prayers, { categories, today: day, prayedHere: before })
  const ids = [...planned, ...others.slice(0, number)]
  return {
    ids,
    prayedHere: [...before.filter(({ id }) => !ids.includes(id)), ...ids.map((id) => ({ id, day }))],
    // As the database does, a prayer keeps the latest day.
    prayers: prayers.map((each) =>
      ids.includes(each.id) && (each.last_prayed_on ?? '') < day ? { ...each, last_prayed_on: day } : each,
    ),
  }
}

/** Days around today. */
const someDay = fc.option(
  fc.integer({ min: -400, max: 400 }).map((days) => addDays(TODAY, days)),
  { freq: 2 },
)
/** Days before today, or years later, from a wrong clock. */
const dayPrayed = fc.option(
  fc
    .oneof(fc.integer({ min: -400, max: 0 }), fc.integer({ min: 1_000, max: 9_000 }))
    .map((days) => addDays(TODAY, days)),
  { freq: 2 },
)

const candidates = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    category_id: fc.constantFrom('family', 'church', 'work', 'village', 'hidden'),
    created_at: fc.integer({ min: 0, max: 5 }).map((days) => `${addDays(TODAY, -days)}T08:00:00+00:00`),
    resolved: fc.nat({ max: 4 }).map((number) => number === 0),
    due_on: someDay,
    due_repeats: fc.constantFrom(null, null, 'monthly', 'yearly'),
    pray_days: fc.option(fc.integer({ min: 1, max: 127 }), { freq: 2 }),
    resting_until: someDay,
    last_prayed_on: dayPrayed,
  }),
  { selector: ({ id }) => id, maxLength: 40 },
)

/** The days of the categories of these prayers. */
const someCategories: fc.Arbitrary<Categories> = fc
  .array(fc.record({ pray_days: fc.option(fc.integer({ min: 1, max: 127 })) }), {
    minLength: 4,
    maxLength: 4,
  })
  .map(
    (days) =>
      new Map(['family', 'church', 'work', 'village'].map((id, i) => [id, days[i] ?? { pray_days: null }])),
  )

/** How many days pass before each session: often none. */
const pauses = fc.array(fc.constantFrom(0, 0, 0, 1, 3), { minLength: 40, maxLength: 40 })

describe('with any prayers', () => {
  it('is fair: sessions of k prayers contain each of n unplanned ones within ceil(n / k) sessions on days of its category', () => {
    fc.assert(
      fc.property(
        candidates,
        someCategories,
        fc.integer({ min: 1, max: 12 }),
        pauses,
        fc.nat({ max: 6 }),
        (all, categories, k, waits, earlier) => {
          const daysOf = ({ category_id: id }: Candidate) =>
            categories.has(id) ? (categories.get(id)?.pray_days ?? EVERY_DAY) : 0
          // They do not begin or end a pause meanwhile.
          const fixed = all.map((each) => ({ ...each, resting_until: null }))
          let state: Praying = { prayers: fixed, categories, prayedHere: [], day: TODAY }
          const next = (wait: number) => {
            const day = addDays(state.day, wait)
            const { ids, ...after } = pray({ ...state, day }, k)
            state = { ...state, ...after, day }
            return { ids, bit: bitOf(weekdayOf(day)) }
          }
          // Sessions before, so that some were prayed today already.
          for (const wait of waits.slice(0, earlier)) next(wait)
          // Prayers that no date or weekday makes part of the plan. Once its date is over, one with a date waits with them.
          const waiting = state.prayers.filter((each) => !each.resolved && each.pray_days === null)
          /** How many sessions there may be on days of each prayer that is still to come. */
          const left = new Map(
            waiting
              .filter((each) => each.due_on === null && daysOf(each) !== 0)
              .map((each) => {
                const rivals = waiting.filter((other) => (daysOf(other) & daysOf(each)) !== 0)
                return [each.id, { days: daysOf(each), sessions: Math.ceil(rivals.length / k) }]
              }),
          )
          const later = waits.slice(earlier)
          while (left.size > 0) {
            const { ids, bit } = next(later.shift() ?? 1)
            for (const id of ids) left.delete(id)
            for (const awaited of left.values()) {
              if ((awaited.days & bit) !== 0) awaited.sessions -= 1
              expect(awaited.sessions).toBeGreaterThan(0)
            }
          }
        },
      ),
      { seed: 1, numRuns: 500 },
    )
  })

  it('is complete: it contains everything that may appear, each once', () => {
    fc.assert(
      fc.property(candidates, (prayers) => {
        const { planned, others } = select(prayers)
        const isOpen = ({ resolved, category_id: category, resting_until: end }: Candidate) =>
          !resolved && category !== 'hidden' && (end === null || end <= TODAY)
        const isOnItsDay = (each: Candidate) =>
          dueToday(each, TODAY) !== null || (each.pray_days === null && each.category_id !== 'village')
        const expected = prayers.filter((each) => isOpen(each) && isOnItsDay(each))
        expect([...planned, ...others].toSorted()).toEqual(idsOf(expected).toSorted())
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  it('is stable: it does not depend on the order in which the prayers are listed', () => {
    fc.assert(
      fc.property(
        candidates.chain((prayers) =>
          fc.tuple(fc.constant(prayers), fc.shuffledSubarray(prayers, { minLength: prayers.length })),
        ),
        ([prayers, shuffled]) => {
          expect(select(shuffled)).toEqual(select(prayers))
        },
      ),
      { seed: 3, numRuns: 500 },
    )
  })
})
