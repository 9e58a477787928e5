import { expect, it } from 'vitest'
import { atLeast, atMost, compare, isMet, state } from './finding.ts'

const named = { section: 'server', what: 'list', unit: '/s', comparedWith: 'the floor' } as const

it('compares round by round, so that a slow moment that hits both is no difference', () => {
  const finding = compare(named, [80, 40, 90], [100, 50, 100])
  expect(finding.ratio).toEqual({ median: 0.8, min: 0.8, max: 0.9 })
})

it.each([
  [atLeast('ratio', 0.75), true],
  [atLeast('ratio', 0.85), false],
  [atMost('value', 80), true],
  [atMost('value', 79), false],
])('holds the median against the target %o', (target, met) => {
  expect(isMet(compare({ ...named, target }, [80], [100]))).toBe(met)
})

it('a target for a ratio that was not measured is missed', () => {
  expect(isMet(state({ ...named, target: atMost('ratio', 2) }, [1]))).toBe(false)
})

it('without a target there is nothing to meet', () => {
  expect(isMet(state(named, [1]))).toBeNull()
})
