import { describe, expect, it } from 'vitest'
import { dueText, pauseText, suggestedDays, suggestedReturns } from './schedule.ts'

const [MONDAY, SATURDAY, SUNDAY] = ['2025-11-24', '2025-11-29', '2025-11-30']

describe('a date to pray for, in words', () => {
  it.each([
    ['2025-11-24', null, 'Monday, 24 November'],
    ['2026-01-01', null, 'Thursday, 1 January 2026'],
    ['2025-11-05', 'monthly', 'Every month on the 5th'],
    ['2025-12-05', 'monthly', 'Every month on the 5th, from Friday, 5 December'],
    ['2025-01-29', 'monthly', 'Every month on the 29th, or the last day'],
    ['2025-12-31', 'monthly', 'Every month on the 31st, or the last day, from Wednesday, 31 December'],
    ['2025-11-24', 'yearly', 'Every year on 24 November'],
    ['2025-11-30', 'yearly', 'Every year on 30 November, from Sunday, 30 November'],
    ['2024-02-29', 'yearly', 'Every year on 29 February, or the 28th'],
    ['infinity', 'yearly', 'an unknown date'],
  ])('%s, %s: %s', (due_on, due_repeats, text) => {
    expect(dueText({ due_on, due_repeats }, MONDAY)).toBe(text)
  })
})

it.each([
  ['', 'Prayed for again from this day.'],
  ['2025-12-03', 'Prayed for again from Wednesday, 3 December.'],
  [MONDAY, 'The pause is over.'],
])('a pause until "%s", in words: %s', (resting_until, text) => {
  expect(pauseText(resting_until, MONDAY)).toBe(text)
})

describe('the days that are suggested', () => {
  const texts = (days: readonly { label: string; day: string }[]) =>
    days.map(({ label, day }) => `${label}: ${day.slice(5)}`)

  it.each([
    [MONDAY, ['Today: 11-24', 'Tomorrow: 11-25', 'Sunday: 11-30', 'In a week: 12-01']],
    [SATURDAY, ['Today: 11-29', 'Tomorrow: 11-30', 'In a week: 12-06']],
    [SUNDAY, ['Today: 11-30', 'Tomorrow: 12-01', 'In a week: 12-07']],
  ])('to pray for, on %s, are different ones', (today, days) => {
    expect(texts(suggestedDays(today))).toEqual(days)
  })

  it('for the end of a pause are later than today', () => {
    expect(texts(suggestedReturns(MONDAY))).toEqual([
      'Tomorrow: 11-25',
      'In a week: 12-01',
      'In a month: 12-24',
    ])
    expect(texts(suggestedReturns('2025-12-31')).at(-1)).toBe('In a month: 01-31')
    expect(texts(suggestedReturns('2026-01-31')).at(-1)).toBe('In a month: 02-28')
  })
})
