import { expect, it } from 'vitest'
import { compareTimes } from './order.ts'

it.each([
  ['2026-01-01T00:00:00.123456+00:00', '2026-01-01T00:00:00.123457+00:00'],
  ['2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00.001Z'],
  ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:01+00:00'],
])('compares times, whatever their form: %s is before %s', (earlier, later) => {
  expect(compareTimes(earlier, later)).toBeLessThan(0)
  expect(compareTimes(later, earlier)).toBeGreaterThan(0)
  expect(compareTimes(earlier, earlier)).toBe(0)
})
