import { describe, expect, it } from 'vitest'
import type { Day } from '#web/lib/days/days.ts'
import { samplePrayer } from '#web/data/sample-rows.test-data.ts'
import { type AnsweredGroup, anniversaries, groupByMonth } from './answered-list.ts'

/** Answered prayers with the given days, whose names are these days. */
const answeredOn = (...days: (Day | null)[]) =>
  days.map((day, index) =>
    samplePrayer({
      resolved: true,
      id: `prayer-${index}`,
      person_name: day ?? `undated ${index}`,
      answered_on: day,
    }),
  )

const namesByTitle = (groups: readonly AnsweredGroup[]) =>
  groups.map(({ title, prayers }) => [title, ...prayers.map((prayer) => prayer.person_name)])

describe('the months', () => {
  it('are listed newest first, and so are the prayers in them', () => {
    const prayers = answeredOn('2025-11-30', '2026-11-01', '2026-10-31', '2026-11-22', '2024-02-29')
    expect(namesByTitle(groupByMonth(prayers))).toEqual([
      ['November 2026', '2026-11-22', '2026-11-01'],
      ['October 2026', '2026-10-31'],
      ['November 2025', '2025-11-30'],
      ['February 2024', '2024-02-29'],
    ])
  })

  it('are followed by the prayers without a date', () => {
    expect(namesByTitle(groupByMonth(answeredOn(null, '1999-01-01', null)))).toEqual([
      ['January 1999', '1999-01-01'],
      ['Earlier', 'undated 0', 'undated 2'],
    ])
  })

  it('keep the order of the list among prayers answered on the same day', () => {
    const prayers = ['Cora', 'Anna', 'Ben'].map((name) =>
      samplePrayer({ resolved: true, id: name, person_name: name, answered_on: '2026-11-01' }),
    )
    expect(namesByTitle(groupByMonth(prayers))).toEqual([['November 2026', 'Cora', 'Anna', 'Ben']])
  })

  it('have no open prayers', () => {
    expect(groupByMonth([samplePrayer({ resolved: false })])).toEqual([])
    expect(groupByMonth([])).toEqual([])
  })
})

describe('the anniversaries', () => {
  it('are the prayers answered on this day of earlier years, the latest year first', () => {
    const prayers = answeredOn(
      '2016-11-22',
      '2025-11-22',
      '2025-11-21',
      '2015-11-22',
      '2024-11-22',
      '2026-11-22',
      '2025-12-22',
      null,
      '2027-11-22',
    )
    expect(namesByTitle(anniversaries(prayers, '2026-11-22'))).toEqual([
      ['A year ago today', '2025-11-22'],
      ['Two years ago today', '2024-11-22'],
      ['Ten years ago today', '2016-11-22'],
      ['11 years ago today', '2015-11-22'],
    ])
  })

  it('have no open prayers', () => {
    const reopened = samplePrayer({ resolved: false, answered_on: '2025-11-22' })
    expect(anniversaries([reopened], '2026-11-22')).toEqual([])
  })

  it.each([
    ['2028-02-29', ['2024-02-29']],
    ['2028-02-28', ['2024-02-28']],
    ['2027-02-28', ['2024-02-29', '2024-02-28']],
    ['2027-03-01', []],
    ['2100-02-28', ['2024-02-29', '2024-02-28']],
  ])('of 29 February are on %s: %j', (today, days) => {
    const found = anniversaries(answeredOn('2024-02-29', '2024-02-28'), today)
    expect(found.flatMap(({ prayers }) => prayers.map(({ answered_on }) => answered_on))).toEqual(days)
  })
})
