import { expect, it } from 'vitest'
import type { Sample } from './measure.ts'
import { judge } from './verdict.ts'

const STEADY: Sample = {
  serverMemory: 100,
  serverDescriptors: 50,
  connections: 20,
  postgresMemory: 100,
  tables: 5,
}

function samples(of: (index: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 50 }, (_, index) => ({ ...STEADY, ...of(index) }))
}

function growing(taken: Sample[]): string[] {
  return judge(taken).flatMap(({ name, isFlat }) => (isFlat ? [] : [name]))
}

it('what fills at the beginning and goes up and down later is flat', () => {
  const taken = samples((index) => ({ serverMemory: index < 8 ? index * 12 : 100 + (index % 7), tables: 5 }))
  expect(growing(taken)).toEqual([])
})

it.each([
  ['serverMemory', 'memory of the server', 1],
  ['serverDescriptors', 'file descriptors of the server', 0.5],
  ['connections', 'connections to PostgreSQL', 0.5],
  ['postgresMemory', 'memory of PostgreSQL', 1],
  ['tables', 'size of all tables', 0.1],
] as const)('%s that grows by a little all the time is told as %s', (measure, name, step) => {
  expect(growing(samples((index) => ({ [measure]: STEADY[measure] + index * step })))).toEqual([name])
})

it('takes no verdict from too few samples', () => {
  expect(() => judge([STEADY])).toThrow('too few samples')
})
