import { expect, it } from 'vitest'
import { findGrowth, type UsageSample } from './resource-usage.ts'

const STEADY: UsageSample = {
  serverMemory: 100,
  serverDescriptors: 50,
  connections: 20,
  postgresMemory: 100,
  tables: 5,
}

function samples(of: (index: number) => Partial<UsageSample>): UsageSample[] {
  return Array.from({ length: 50 }, (_, index) => ({ ...STEADY, ...of(index) }))
}

function growing(taken: UsageSample[]): string[] {
  return findGrowth(taken).flatMap(({ name, isAcceptable }) => (isAcceptable ? [] : [name]))
}

it('accepts growth at the beginning and fluctuation later', () => {
  const taken = samples((index) => ({ serverMemory: index < 8 ? index * 12 : 100 + (index % 7), tables: 5 }))
  expect(growing(taken)).toEqual([])
})

it.each([
  ['serverMemory', 'memory of the server', 1],
  ['serverDescriptors', 'file descriptors of the server', 0.5],
  ['connections', 'connections to PostgreSQL', 0.5],
  ['postgresMemory', 'memory of PostgreSQL', 1],
  ['tables', 'size of all tables', 0.1],
] as const)('detects steady growth of %s', (metric, name, step) => {
  expect(growing(samples((index) => ({ [metric]: STEADY[metric] + index * step })))).toEqual([name])
})

it('throws if there are too few samples', () => {
  expect(() => findGrowth([STEADY])).toThrow('too few samples')
})
