import { describe, expect, it } from 'vitest'
import { dateText, dayText, monthText } from './day-text.ts'
import { addDays } from './days.ts'

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

  it.each(['', 'infinity', '2026-02-30', '0000-01-01', '10000-01-01'])('may be unreadable: %j', (day) => {
    for (const text of [dayText(day, '2025-11-24'), dateText(day, '2025-11-24'), monthText(day)])
      expect(text).toBe('an unknown date')
    expect(addDays(day, 1)).toBe('')
  })

  it('has a month, with its year', () => {
    expect(monthText('2026-11-22')).toBe('November 2026')
    expect(monthText('0999-01-31')).toBe('January 999')
  })

  it('has a text of its own: no two days have the same', () => {
    const texts = Array.from({ length: 3 * 366 }, (_, index) =>
      dayText(addDays('2024-11-24', index), '2025-11-24'),
    )
    expect(new Set(texts).size).toBe(texts.length)
  })
})
