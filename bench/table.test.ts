import { expect, it } from 'vitest'
import { atLeast, compare, state } from './finding.ts'
import { renderTable } from './table.ts'

it('says of each number what it is compared with, and whether that is enough', () => {
  const named = { section: 'server', what: 'list', unit: '/s', comparedWith: 'the floor' } as const
  const table = renderTable([
    compare({ ...named, target: atLeast('ratio', 0.75) }, [700, 800], [1000, 1000]),
    state({ ...named, what: 'memory', unit: 'MB' }, [98.76]),
  ])
  const [head, , ...rows] = table.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect(head).toEqual(['measured', 'compared with', 'its value', 'ratio', 'range', 'target'])
  expect(rows).toEqual([
    ['list', '750 /s', 'the floor', '1000 /s', '0.75', '0.70 to 0.80', '≥ 0.75', 'met'],
    ['memory', '98.8 MB', 'nothing'],
  ])
})
