import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { parseFilter } from './parse-filters.ts'

const refusing = (refusal: Partial<ApiError>): unknown => expect.objectContaining(refusal)

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
    ['is.null', { kind: 'is', negated: false, state: 'null' }],
    ['not.is.TRUE', { kind: 'is', negated: true, state: 'true' }],
    ['is.not_null', { kind: 'is', negated: false, state: 'not_null' }],
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
  ])('is about the column %j', (key, column) => {
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
  ])('%j cannot be read', (value, message, details) => {
    expect(() => parseFilter('name', value)).toThrow(
      refusing({ status: 400, code: 'PGRST100', message, details }),
    )
  })

  it('on another table is refused', () => {
    expect(() => parseFilter('categories.name', 'eq.1')).toThrow(
      refusing({
        status: 400,
        code: 'PGRST108',
        message: "'categories' is not an embedded resource in this request",
      }),
    )
  })

  it.each(['', ':', '[x]', 'a->b', 'a(b)', '"open'])('on a column called %j cannot be read', (key) => {
    expect(() => parseFilter(key, 'eq.1')).toThrow(refusing({ status: 400, code: 'PGRST100' }))
  })

  it('is read or refused, whatever it says', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('not', 'in', 'is', 'eq', '.', ',', '(', ')', '"', '\\', ' ', '1') }),
    )
    fc.assert(
      fc.property(value, value, (key, operation) => isReadOrRefused(() => parseFilter(key, operation))),
      { seed: 3, numRuns: 5000 },
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
