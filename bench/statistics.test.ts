import { expect, it } from 'vitest'
import { percentile, spreadOf } from './statistics.ts'

it('a percentile is the smallest value that leaves no more than the rest above it', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(hundred, 0.5)).toBe(50)
  expect(percentile(hundred, 0.99)).toBe(99)
  expect(percentile(hundred, 1)).toBe(100)
  expect(percentile([7], 0.99)).toBe(7)
})

it('the middle of an even number of rounds lies between the two middle ones', () => {
  expect(spreadOf([9, 1, 3, 5])).toEqual({ median: 4, min: 1, max: 9 })
  expect(spreadOf([9, 1, 3])).toEqual({ median: 3, min: 1, max: 9 })
})

it('nothing measured has no middle', () => {
  expect(() => spreadOf([])).toThrow('Nothing was measured.')
})
