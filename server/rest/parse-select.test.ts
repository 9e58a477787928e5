import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { parseSelect } from './parse-select.ts'

const column = (name: string, alias: string | null = null, cast: string | null = null) => ({
  kind: 'column',
  column: name,
  alias,
  cast,
})

describe('a selection', () => {
  it.each([
    ['*', [{ kind: 'all' }]],
    ['', [{ kind: 'all' }]],
    ['id,name', [column('id'), column('name')]],
    [' id , name ', [column('id'), column('name')]],
    ['*,title:name', [{ kind: 'all' }, column('name', 'title')]],
    ['order::text', [column('order', null, 'text')]],
    ['n:order::double precision', [column('order', 'n', 'double precision')]],
    ['"a:b":name', [column('name', 'a:b')]],
  ])('%j', (text, expected) => {
    expect(parseSelect(text, 'prayers')).toEqual(expected)
  })

  it.each([
    ['id,', '"failed to parse select parameter (id,)" (line 1, column 4)'],
    ['"odd,name":"an ""odd', '"failed to parse select parameter ("odd,name":"an ""odd)" (line 1, column 17)'],
    ['id::', '"failed to parse select parameter (id::)" (line 1, column 5)'],
    ['id)', '"failed to parse select parameter (id))" (line 1, column 3)'],
    ['id->x', '"failed to parse select parameter (id->x)" (line 1, column 3)'],
  ])('%j cannot be read', (text, message) => {
    expect(() => parseSelect(text, 'prayers')).toThrow(
      expect.objectContaining({ status: 400, code: 'PGRST100', message }),
    )
  })

  it.each([
    'categories(*)',
    'c:categories(name)',
    'categories!inner(*)',
    '...categories(name)',
    'id,a(b(c))',
  ])('%j asks for another table and is refused', (text) => {
    expect(() => parseSelect(text, 'prayers')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'PGRST200',
        message: expect.stringContaining("between 'prayers' and '"),
      }),
    )
  })

  it.each(['count()', 'order.max()', 'n:order.sum()'])('%j computes and is refused', (text) => {
    expect(() => parseSelect(text, 'prayers')).toThrow(
      expect.objectContaining({ status: 400, code: 'PGRST123' }),
    )
  })

  it('is read or refused, whatever it says', () => {
    const text = fc.string({
      unit: fc.constantFrom('*', 'a', ':', '::', '(', ')', ',', '"', '.', '!', ' ', '\\'),
    })
    fc.assert(
      fc.property(text, (value) => isReadOrRefused(() => parseSelect(value, 'prayers'))),
      { seed: 6, numRuns: 5000 },
    )
  })
})

function isReadOrRefused(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    return error instanceof ApiError
  }
}
