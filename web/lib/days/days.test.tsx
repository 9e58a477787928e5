import { act, renderHook } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  addDays,
  bitOf,
  dayIn,
  daysBetween,
  localDay,
  today,
  userTimeZone,
  useToday,
  weekdayOf,
} from './days.ts'

const HOUR_MS = 60 * 60 * 1000
/** Far behind and ahead of UTC, with and without daylight saving, with half hours, and with days that start at 01:00. */
const TIME_ZONES = [
  'Pacific/Pago_Pago',
  'America/New_York',
  'America/Santiago',
  'UTC',
  'Europe/Warsaw',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
]
const SEED = 14

const day = fc
  .date({ min: new Date('1970-01-01T00:00Z'), max: new Date('2199-12-31T00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const count = fc.integer({ min: -100_000, max: 20_000 })

/** Without Intl, of which the substitute would be used instead of the time zone below. */
function stopClock(now: string): void {
  vi.useFakeTimers({ now: new Date(now), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
}

function setTimeZone(timeZone: string): void {
  const options = new Intl.DateTimeFormat().resolvedOptions()
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone })
}

// The module remembers the time zone, also for the test files that run after this one.
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  today()
})

describe('the day at an instant', () => {
  it.each([
    ['Pacific/Pago_Pago', '2025-11-27T10:59:59Z', '2025-11-26'],
    ['Pacific/Pago_Pago', '2025-11-27T11:00:00Z', '2025-11-27'],
    ['Pacific/Kiritimati', '2025-11-27T09:59:59Z', '2025-11-27'],
    ['Pacific/Kiritimati', '2025-11-27T10:00:00Z', '2025-11-28'],
    ['Asia/Kolkata', '2025-11-27T18:29:59Z', '2025-11-27'],
    ['Asia/Kolkata', '2025-11-27T18:30:00Z', '2025-11-28'],
    // The year changes.
    ['UTC', '2025-12-31T23:59:59Z', '2025-12-31'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31'],
    ['Europe/Warsaw', '2025-12-31T23:00:00Z', '2026-01-01'],
    // Leap day
    ['Europe/Warsaw', '2028-02-28T23:00:00Z', '2028-02-29'],
    // Summer time begins on 30 March 2025 in Warsaw: that day has 23 hours.
    ['Europe/Warsaw', '2025-03-29T22:59:59Z', '2025-03-29'],
    ['Europe/Warsaw', '2025-03-29T23:00:00Z', '2025-03-30'],
    ['Europe/Warsaw', '2025-03-30T21:59:59Z', '2025-03-30'],
    ['Europe/Warsaw', '2025-03-30T22:00:00Z', '2025-03-31'],
    // It ends on 26 October: that day has 25 hours.
    ['Europe/Warsaw', '2025-10-25T22:00:00Z', '2025-10-26'],
    ['Europe/Warsaw', '2025-10-26T22:59:59Z', '2025-10-26'],
    ['Europe/Warsaw', '2025-10-26T23:00:00Z', '2025-10-27'],
    // In New York, on 9 March and 2 November.
    ['America/New_York', '2025-03-10T03:59:59Z', '2025-03-09'],
    ['America/New_York', '2025-03-10T04:00:00Z', '2025-03-10'],
    ['America/New_York', '2025-11-03T04:59:59Z', '2025-11-02'],
    ['America/New_York', '2025-11-03T05:00:00Z', '2025-11-03'],
    // In Santiago, 7 September 2025 begins at 01:00.
    ['America/Santiago', '2025-09-07T03:59:59Z', '2025-09-06'],
    ['America/Santiago', '2025-09-07T04:00:00Z', '2025-09-07'],
  ])('in %s at %s is %s', (timeZone, instant, expected) => {
    expect(dayIn(timeZone, new Date(instant))).toBe(expected)
  })

  it.each(TIME_ZONES)('goes through every day of two years in %s, one after the other', (timeZone) => {
    const start = Date.parse('2027-06-01T00:00Z')
    const days = [dayIn(timeZone, new Date(start))]
    for (let hour = 1; hour < 2 * 366 * 24; hour += 1) {
      const next = dayIn(timeZone, new Date(start + hour * HOUR_MS))
      if (next !== days.at(-1)) days.push(next)
    }
    expect(days.length).toBeGreaterThanOrEqual(2 * 366)
    expect(days).toEqual(days.map((_, index) => addDays(days[0] ?? '', index)))
  })
})

describe('days', () => {
  it.each([
    ['2028-02-28', 1, '2028-02-29'],
    ['2027-02-28', 1, '2027-03-01'],
    ['2025-12-31', 1, '2026-01-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2025-03-29', 2, '2025-03-31'],
    ['2024-02-29', 366, '2025-03-01'],
  ])('%s and %i days is %s', (from, difference, to) => {
    expect(addDays(from, difference)).toBe(to)
    expect(daysBetween(from, to)).toBe(difference)
  })

  it('can be added and subtracted', () => {
    fc.assert(
      fc.property(day, count, count, (from, a, b) => {
        const to = addDays(addDays(from, a), b)
        expect(daysBetween(from, to)).toBe(a + b)
        expect(addDays(from, a + b)).toBe(to)
        expect(addDays(to, -a - b)).toBe(from)
      }),
      { seed: SEED },
    )
  })

  it('have the order of their texts', () => {
    fc.assert(
      fc.property(day, day, (a, b) => {
        expect(Math.sign(daysBetween(a, b))).toBe(a < b ? 1 : a > b ? -1 : 0)
      }),
      { seed: SEED },
    )
  })
})

describe('weekdays', () => {
  it('count from Monday, and have one bit each', () => {
    const week = [0, 1, 2, 3, 4, 5, 6].map((index) => weekdayOf(addDays('2025-11-24', index)))
    expect(week).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(week.map(bitOf)).toEqual([1, 2, 4, 8, 16, 32, 64])
  })

  it('return after seven days, and never earlier', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 6 }), (from, later) => {
        expect(weekdayOf(addDays(from, 7))).toBe(weekdayOf(from))
        expect(weekdayOf(addDays(from, later))).toBe(((weekdayOf(from) - 1 + later) % 7) + 1)
      }),
      { seed: SEED },
    )
  })
})

describe('today', () => {
  it.each([
    ['Pacific/Pago_Pago', '2025-11-26'],
    ['Europe/Warsaw', '2025-11-27'],
    ['Pacific/Kiritimati', '2025-11-28'],
  ])('is the day in the time zone of the device: in %s %s', (timeZone, expected) => {
    stopClock('2025-11-27T10:30:00Z')
    setTimeZone(timeZone)
    expect(userTimeZone()).toBe(timeZone)
    expect(today()).toBe(expected)
  })

  it('changes at midnight', () => {
    stopClock('2025-10-26T22:59:30Z')
    setTimeZone('Europe/Warsaw')
    const { result, unmount } = renderHook(useToday)
    act(() => void vi.advanceTimersByTime(29_999))
    expect(result.current).toBe('2025-10-26')
    act(() => void vi.advanceTimersByTime(1))
    expect(result.current).toBe('2025-10-27')
    act(() => void vi.advanceTimersByTime(24 * HOUR_MS))
    expect(result.current).toBe('2025-10-28')
    unmount()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is correct as soon as the page becomes visible, and within a minute after the device has slept', () => {
    stopClock('2025-11-27T20:00:10Z')
    const { result } = renderHook(useToday)
    vi.setSystemTime('2025-11-28T07:00:10Z')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(result.current).toBe('2025-11-28')

    vi.setSystemTime('2025-11-29T07:00:10Z')
    act(() => void vi.advanceTimersByTime(60_000))
    expect(result.current).toBe('2025-11-29')
  })

  it('finds out the time zone once in a minute', () => {
    stopClock('2025-11-27T20:00:10Z')
    const resolve = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    today()
    expect(localDay('2025-11-27T10:30:00Z')).toBe('2025-11-27')
    expect(localDay('2025-11-28T10:30:00Z')).toBe('2025-11-28')
    expect(resolve).toHaveBeenCalledTimes(1)
    vi.setSystemTime('2025-11-27T20:01:00Z')
    today()
    expect(resolve).toHaveBeenCalledTimes(2)
    resolve.mockRestore()
  })

  it('follows a change of the time zone', () => {
    stopClock('2025-11-27T10:30:00Z')
    setTimeZone('Europe/Warsaw')
    const { result } = renderHook(useToday)
    expect(result.current).toBe('2025-11-27')
    expect(localDay('2025-11-27T10:30:00Z')).toBe('2025-11-27')
    setTimeZone('Pacific/Kiritimati')
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(result.current).toBe('2025-11-28')
    expect(localDay('2025-11-27T10:30:00Z')).toBe('2025-11-28')
  })
})
