import { expect, it } from 'vitest'
import {
  atLeast,
  atMost,
  compare,
  isMet,
  mean,
  measured,
  percentile,
  renderTable,
  spreadOf,
} from './findings.ts'

const described = { what: 'list', unit: '/s', comparedWith: 'the floor' } as const

it('computes the ratio per round, so that a slow moment affects both sides alike', () => {
  const finding = compare(described, [80, 40, 90], [100, 50, 100])
  expect(finding.ratio).toEqual({ median: 0.8, min: 0.8, max: 0.9 })
})

it.each([
  [atLeast('ratio', 0.75), true],
  [atLeast('ratio', 0.85), false],
  [atMost('value', 80), true],
  [atMost('value', 79), false],
])('compares the median with the target %o', (target, met) => {
  expect(isMet(compare({ ...described, target }, [80], [100]))).toBe(met)
})

it('misses a target for a ratio that was not measured', () => {
  expect(isMet(measured({ ...described, target: atMost('ratio', 2) }, [1]))).toBe(false)
})

it('meets or misses nothing without a target', () => {
  expect(isMet(measured(described, [1]))).toBeNull()
})

it('computes percentiles by nearest rank', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(hundred, 0.5)).toBe(50)
  expect(percentile(hundred, 0.99)).toBe(99)
  expect(percentile(hundred, 1)).toBe(100)
  expect(percentile([7], 0.99)).toBe(7)
})

it('computes the median of an even number of values as the mean of the two middle ones', () => {
  expect(spreadOf([9, 1, 3, 5])).toEqual({ median: 4, min: 1, max: 9 })
  expect(spreadOf([9, 1, 3])).toEqual({ median: 3, min: 1, max: 9 })
})

it.each([spreadOf, mean])('has no median and no mean of nothing', (compute) => {
  expect(() => compute([])).toThrow('Nothing was measured.')
})

it('renders value, reference, range and target of each finding', () => {
  const table = renderTable([
    compare({ ...described, target: atLeast('ratio', 0.75) }, [700, 800], [1000, 1000]),
    measured({ what: 'memory', unit: 'MB' }, [98.76]),
  ])
  const [head, , ...rows] = table.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect(head).toEqual(['measured', 'compared with', 'reference', 'ratio', 'range', 'target'])
  expect(rows).toEqual([
    ['list', '750 /s', 'the floor', '1000 /s', '0.75', '0.70 to 0.80', '≥ 0.75', 'met'],
    ['memory', '98.8 MB'],
  ])
})
