import { describe, expect, it } from 'vitest'
import { dateText, dayText, monthText, ordinalText, weekdaysText } from './day-text.ts'
import { addDays, EVERY_DAY } from './days.ts'

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

it.each([
  [1, 'Mondays'],
  [64, 'Sundays'],
  [1 + 8, 'Mondays and Thursdays'],
  [32 + 64, 'Saturdays and Sundays'],
  [1 + 2 + 16, 'Mondays, Tuesdays and Fridays'],
  [1 + 2 + 4 + 8 + 16, 'Mondays to Fridays'],
  [1 + 2 + 4 + 16, 'Mondays to Wednesdays and Fridays'],
  [1 + 16 + 32 + 64, 'Mondays and Fridays to Sundays'],
  [EVERY_DAY, 'Every day'],
])('the weekdays %i are called “%s”', (days, text) => {
  expect(weekdaysText(days)).toBe(text)
})

it('the dates of a month are called “1st”, “2nd” and so on', () => {
  const dates = Array.from({ length: 31 }, (_, index) => ordinalText(index + 1))
  expect(dates.join(' ')).toBe(
    '1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th 13th 14th 15th 16th 17th 18th 19th 20th ' +
      '21st 22nd 23rd 24th 25th 26th 27th 28th 29th 30th 31st',
  )
})
