import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateText, dayText, prayedText, spanText } from './day-text.ts'
import { addDays } from './days.ts'

const SEED = 14

describe('a day', () => {
  it.each([
    ['2025-11-24', 'today'],
    ['2025-11-23', 'yesterday'],
    ['2025-11-25', 'tomorrow'],
    ['2025-11-22', 'Saturday, 22 November'],
    ['2025-11-27', 'Thursday, 27 November'],
    ['2025-12-03', 'Wednesday, 3 December'],
    ['2025-01-01', 'Wednesday, 1 January'],
    ['2026-01-01', 'Thursday, 1 January 2026'],
    ['2024-11-24', 'Sunday, 24 November 2024'],
    ['2028-02-29', 'Tuesday, 29 February 2028'],
  ])('%s on 24 November 2025 is "%s"', (day, text) => {
    expect(dayText(day, '2025-11-24')).toBe(text)
  })

  it('may be yesterday or tomorrow in another month or year', () => {
    expect(dayText('2025-12-31', '2026-01-01')).toBe('yesterday')
    expect(dayText('2028-02-29', '2028-02-28')).toBe('tomorrow')
  })

  it('has a text without its weekday', () => {
    expect(dateText('2025-12-03', '2025-11-24')).toBe('3 December')
    expect(dateText('2025-11-24', '2025-11-24')).toBe('24 November')
    expect(dateText('2024-12-31', '2025-01-01')).toBe('31 December 2024')
  })

  it('has a text of its own: no two days have the same', () => {
    const texts = Array.from({ length: 3 * 366 }, (_, index) =>
      dayText(addDays('2024-11-24', index), '2025-11-24'),
    )
    expect(new Set(texts).size).toBe(texts.length)
  })
})

describe('a time', () => {
  it.each([
    ['2025-11-24', '2025-11-24', null],
    ['2025-11-24', '2025-11-25', null],
    ['2025-11-24', '2025-11-26', 'over 2 days'],
    ['2025-11-24', '2025-12-07', 'over 13 days'],
    ['2025-11-24', '2025-12-08', 'over 2 weeks'],
    ['2025-11-24', '2026-01-23', 'over 8 weeks'],
    ['2025-11-24', '2026-01-24', 'over 2 months'],
    ['2025-06-30', '2025-11-30', 'over 5 months'],
    ['2025-06-30', '2025-11-29', 'over 4 months'],
    ['2024-02-29', '2026-02-28', 'over 23 months'],
    ['2024-02-29', '2026-03-01', 'over 2 years'],
    ['2015-11-24', '2025-11-24', 'over 10 years'],
    // A wrong clock
    ['2025-11-24', '2024-11-24', null],
  ])('from %s to %s is %j', (from, to, text) => {
    expect(spanText(from, to)).toBe(text)
  })

  it('from two days on is a plural, and not longer than it was', () => {
    const shortest = new Map([
      ['years', 365],
      ['months', 28],
      ['weeks', 7],
      ['days', 1],
    ])
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 2, max: 4000 }), (start, length) => {
        const from = addDays('2020-01-01', start)
        const [over, count, unit = ''] = spanText(from, addDays(from, length))?.split(' ') ?? []
        expect(over).toBe('over')
        expect(Number(count)).toBeGreaterThanOrEqual(2)
        expect(Number(count) * (shortest.get(unit) ?? NaN)).toBeLessThanOrEqual(length)
      }),
      { seed: SEED },
    )
  })
})

describe('how often someone was prayed for', () => {
  it.each([
    [0, '2025-11-24', null],
    [1, '2025-12-24', 'Prayed once'],
    [3, '2025-12-08', 'Prayed 3 times over 2 weeks'],
    [37, '2026-04-24', 'Prayed 37 times over 5 months'],
    [1234, '2030-11-24', 'Prayed 1,234 times over 5 years'],
    [2, '2025-11-25', 'Prayed 2 times'],
    // The day of the answer can be changed to an earlier one.
    [2, '2025-01-01', 'Prayed 2 times'],
  ])('%i times until %s is %j', (times, to, text) => {
    expect(prayedText(times, '2025-11-24', to)).toBe(text)
  })
})
