import { expect, it } from 'vitest'
import { prayerCountText } from './prayer-count.ts'

it.each([
  [0, '0 prayers'],
  [1, '1 prayer'],
  [2, '2 prayers'],
])('%i is "%s"', (count, text) => {
  expect(prayerCountText(count)).toBe(text)
})
