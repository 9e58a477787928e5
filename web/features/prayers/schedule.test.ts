import { expect, it } from 'vitest'
import { EVERY_DAY } from '#web/lib/days/days.ts'
import { weekdaysText } from './schedule.ts'

it.each([
  [1, 'Mondays'],
  [64, 'Sundays'],
  [1 + 8, 'Mondays and Thursdays'],
  [1 + 2 + 16, 'Mondays, Tuesdays and Fridays'],
  [EVERY_DAY, 'Every day'],
])('the weekdays %i are called “%s”', (days, text) => {
  expect(weekdaysText(days)).toBe(text)
})
