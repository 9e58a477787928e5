import { describe, expect, it } from 'vitest'
import { EVERY_DAY } from '#web/lib/days.ts'
import { isScheduled, NO_SCHEDULE, scheduleTexts, weekdaysText } from './schedule.ts'

const TODAY = '2025-11-24' // a Monday

it.each([
  [1, 'Mondays'],
  [64, 'Sundays'],
  [1 + 8, 'Mondays and Thursdays'],
  [1 + 2 + 16, 'Mondays, Tuesdays and Fridays'],
  [EVERY_DAY, 'Every day'],
])('the weekdays %i are called “%s”', (days, text) => {
  expect(weekdaysText(days)).toBe(text)
})

describe('the summary', () => {
  it('says what is set, in the order of the fields', () => {
    const schedule = { due_on: '2025-11-27', pray_days: 9, resting_until: '2025-12-03' }
    expect(scheduleTexts(schedule, TODAY)).toEqual([
      'Thursday, 27 November',
      'Mondays and Thursdays',
      'Paused until 3 December',
    ])
    expect(isScheduled(schedule, TODAY)).toBe(true)
  })

  it('is empty without a schedule', () => {
    expect(scheduleTexts(NO_SCHEDULE, TODAY)).toEqual([])
    expect(isScheduled(NO_SCHEDULE, TODAY)).toBe(false)
  })

  it('does not mention a pause that is over', () => {
    expect(isScheduled({ ...NO_SCHEDULE, resting_until: TODAY }, TODAY)).toBe(false)
    expect(isScheduled({ ...NO_SCHEDULE, resting_until: '2025-11-25' }, TODAY)).toBe(true)
  })
})
