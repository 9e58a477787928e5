import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { isLogicKey, parseLogic } from './parse-logic.ts'

const eq = (column: string, value: string) => ({
  kind: 'comparison',
  negated: false,
  column,
  operator: 'eq',
  value,
})

describe('and, or', () => {
  it('combine conditions', () => {
    expect(parseLogic('or', '(a.eq.1,b.not.in.(x,"y,z"))')).toEqual({
      kind: 'group',
      negated: false,
      operator: 'or',
      conditions: [eq('a', '1'), { kind: 'in', negated: true, column: 'b', values: ['x', 'y,z'] }],
    })
  })

  it('can be nested and negated', () => {
    expect(parseLogic('not.and', '(a.eq.1, not.or(b.eq.2,c.is.null))')).toEqual({
      kind: 'group',
      negated: true,
      operator: 'and',
      conditions: [
        eq('a', '1'),
        {
          kind: 'group',
          negated: true,
          operator: 'or',
          conditions: [eq('b', '2'), { kind: 'is', negated: false, column: 'c', state: 'null' }],
        },
      ],
    })
  })

  it.each([
    ['(a.eq."x,(y)")', 'x,(y)'],
    ['(a.eq.x.y)', 'x.y'],
    ['(a.eq.)', ''],
    ['(a.eq."x"y)', '"x"y'],
  ])('take the value of %s as %j', (text, value) => {
    expect(parseLogic('or', text)).toMatchObject({ conditions: [eq('a', value)] })
  })

  it.each(['order', 'and', 'or', 'not'])('leave a column called %s a column', (column) => {
    expect(parseLogic('and', `(${column}.eq.1)`)).toMatchObject({ conditions: [eq(column, '1')] })
  })

  it.each(['', '()', 'a.eq.1', '(a.eq.1', '(a.eq.1)x', '(a)', '(a.foo.1)', '(not.xor(a.eq.1))', '(,)'])(
    'refuse %j',
    (text) => {
      expect(() => parseLogic('or', text)).toThrow(expect.objectContaining({ status: 400, code: 'PGRST100' }))
    },
  )

  it('refuse what nobody writes by hand', () => {
    const nested = `${'(and'.repeat(3000)}(a.eq.1${')'.repeat(3001)}`
    expect(() => parseLogic('or', nested)).toThrow(expect.objectContaining({ code: 'PGRST100' }))
  })

  it('on another table are refused', () => {
    expect(() => parseLogic('categories.or', '(a.eq.1)')).toThrow(
      expect.objectContaining({ code: 'PGRST108' }),
    )
  })

  it('are read or refused, whatever they say', () => {
    const text = fc.string({
      unit: fc.constantFrom('(', ')', ',', '.', '"', 'not', 'and', 'or', 'a', 'eq', ' '),
    })
    fc.assert(
      fc.property(text, (value) => isReadOrRefused(() => parseLogic('or', value))),
      { seed: 5, numRuns: 5000 },
    )
  })
})

it.each([
  ['and', true],
  ['not.or', true],
  ['categories.not.or', true],
  ['order', false],
  ['for', false],
])('%j as a key is logic: %s', (key, expected) => {
  expect(isLogicKey(key)).toBe(expected)
})

function isReadOrRefused(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    return error instanceof ApiError
  }
}
