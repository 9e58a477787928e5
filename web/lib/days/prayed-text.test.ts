import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays } from './days.ts'
import { prayedText, spanText } from './prayed-text.ts'

const SEED = 14

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
