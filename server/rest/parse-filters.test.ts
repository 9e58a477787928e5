import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { isLogicKey, parseFilter, parseLogic } from './parse-filters.ts'

const apiError = (expected: Partial<ApiError>): unknown => expect.objectContaining(expected)

describe('a filter', () => {
  it.each([
    ['eq.5', { kind: 'comparison', negated: false, operator: 'eq', value: '5' }],
    ['neq.', { kind: 'comparison', negated: false, operator: 'neq', value: '' }],
    [
      'gte.2026-01-01T00:00:00Z',
      { kind: 'comparison', negated: false, operator: 'gte', value: '2026-01-01T00:00:00Z' },
    ],
    ['not.ilike.*a.b*', { kind: 'comparison', negated: true, operator: 'ilike', value: '*a.b*' }],
    ['eq."quoted"', { kind: 'comparison', negated: false, operator: 'eq', value: '"quoted"' }],
    ['is.null', { kind: 'is', negated: false, value: 'null' }],
    ['not.is.TRUE', { kind: 'is', negated: true, value: 'true' }],
    ['is.not_null', { kind: 'is', negated: false, value: 'not_null' }],
    ['in.(1,2)', { kind: 'in', negated: false, values: ['1', '2'] }],
    ['in.("a,b","c\\"d",e f)', { kind: 'in', negated: false, values: ['a,b', 'c"d', 'e f'] }],
    ['in.()', { kind: 'in', negated: false, values: [] }],
    ['in.(,)', { kind: 'in', negated: false, values: ['', ''] }],
    ['in.("a"b)', { kind: 'in', negated: false, values: ['"a"b'] }],
  ])('%s', (value, expected) => {
    expect(parseFilter('name', value)).toEqual({ ...expected, column: 'name' })
  })

  it.each([
    ['name', 'name'],
    [' name ', 'name'],
    ['"a.b"', 'a.b'],
    ['created-at', 'created-at'],
    ['\u540d\u524d', '\u540d\u524d'],
  ])('of parameter %j is on the column %j', (key, column) => {
    expect(parseFilter(key, 'eq.1')).toMatchObject({ column })
  })

  it.each([
    [
      'foo.1',
      '"failed to parse filter (foo.1)" (line 1, column 1)',
      'unexpected "f" expecting "not" or operator (eq, gt, ...)',
    ],
    [
      'not.foo.1',
      '"failed to parse filter (not.foo.1)" (line 1, column 5)',
      'unexpected "f" expecting operator (eq, gt, ...)',
    ],
    [
      '',
      '"failed to parse filter ()" (line 1, column 1)',
      'unexpected end of input expecting "not" or operator (eq, gt, ...)',
    ],
    [
      'eq',
      '"failed to parse filter (eq)" (line 1, column 1)',
      'unexpected "e" expecting "not" or operator (eq, gt, ...)',
    ],
    ['in.1,2', '"failed to parse filter (in.1,2)" (line 1, column 4)', 'unexpected "1" expecting "("'],
    ['in.(1', '"failed to parse filter (in.(1)" (line 1, column 6)', 'unexpected end of input expecting ")"'],
    [
      'in.(1)x',
      '"failed to parse filter (in.(1)x)" (line 1, column 7)',
      'unexpected "x" expecting end of input',
    ],
    [
      'is.maybe',
      '"failed to parse filter (is.maybe)" (line 1, column 4)',
      'unexpected "m" expecting isVal: (null, not_null, true, false, unknown)',
    ],
  ])('%j is a syntax error', (value, message, details) => {
    expect(() => parseFilter('name', value)).toThrow(
      apiError({ status: 400, code: 'PGRST100', message, details }),
    )
  })

  it('on another table is rejected', () => {
    expect(() => parseFilter('categories.name', 'eq.1')).toThrow(
      apiError({
        status: 400,
        code: 'PGRST108',
        message: "'categories' is not an embedded resource in this request",
      }),
    )
  })

  it.each(['', ':', '[x]', 'a(b)', '"open'])('on a column named %j is a syntax error', (key) => {
    expect(() => parseFilter(key, 'eq.1')).toThrow(apiError({ status: 400, code: 'PGRST100' }))
  })

  it('is either parsed or rejected with an ApiError', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('not', 'in', 'is', 'eq', '.', ',', '(', ')', '"', '\\', ' ', '1') }),
    )
    fc.assert(
      fc.property(value, value, (key, operation) => parseOrReject(() => parseFilter(key, operation))),
      { seed: 3, numRuns: 1000 },
    )
  })
})

const eq = (column: string, value: string) => ({
  kind: 'comparison',
  negated: false,
  column,
  operator: 'eq',
  value,
})

describe('logical conditions', () => {
  it('combine filters', () => {
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
          conditions: [eq('b', '2'), { kind: 'is', negated: false, column: 'c', value: 'null' }],
        },
      ],
    })
  })

  it.each([
    ['(a.eq."x,(y)")', 'x,(y)'],
    ['(a.eq.x.y)', 'x.y'],
    ['(a.eq.)', ''],
    ['(a.eq."x"y)', '"x"y'],
  ])('%s have the value %j', (text, value) => {
    expect(parseLogic('or', text)).toMatchObject({ conditions: [eq('a', value)] })
  })

  it.each(['order', 'and', 'or', 'not'])('can be on a column named %s', (column) => {
    expect(parseLogic('and', `(${column}.eq.1)`)).toMatchObject({ conditions: [eq(column, '1')] })
  })

  it.each(['', '()', 'a.eq.1', '(a.eq.1', '(a.eq.1)x', '(a)', '(a.foo.1)', '(not.xor(a.eq.1))', '(,)'])(
    '%j are a syntax error',
    (text) => {
      expect(() => parseLogic('or', text)).toThrow(apiError({ status: 400, code: 'PGRST100' }))
    },
  )

  it('are rejected when nested too deeply', () => {
    const nested = `${'(and'.repeat(3000)}(a.eq.1${')'.repeat(3001)}`
    expect(() => parseLogic('or', nested)).toThrow(apiError({ code: 'PGRST100' }))
  })

  it('on another table are rejected', () => {
    expect(() => parseLogic('categories.or', '(a.eq.1)')).toThrow(apiError({ code: 'PGRST108' }))
  })

  it('are either parsed or rejected with an ApiError', () => {
    const text = fc.string({
      unit: fc.constantFrom('(', ')', ',', '.', '"', 'not', 'and', 'or', 'a', 'eq', ' '),
    })
    fc.assert(
      fc.property(text, (value) => parseOrReject(() => parseLogic('or', value))),
      { seed: 5, numRuns: 1000 },
    )
  })
})

it.each([
  ['and', true],
  ['not.or', true],
  ['categories.not.or', true],
  ['order', false],
  ['for', false],
])('key %j is a logical operator: %s', (key, expected) => {
  expect(isLogicKey(key)).toBe(expected)
})

/** Throws an error of the parser unless it is meant for the client. */
function parseOrReject(parse: () => unknown): void {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
