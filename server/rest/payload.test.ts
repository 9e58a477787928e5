import { describe, expect, it } from 'vitest'
import { bodyText, readArguments, readRows } from './payload.ts'

const refusal = (message: string): unknown =>
  expect.objectContaining({ status: 400, code: 'PGRST102', message })

describe('the rows of a body', () => {
  it.each([
    ['{"a":1,"b":2}', { shape: 'object', keys: ['a', 'b'], count: 1 }],
    [' [{"a":1},{"a":2}]', { shape: 'array', keys: ['a'], count: 2 }],
    ['[{"a":1,"b":2},{"b":1,"a":2}]', { shape: 'array', keys: ['a', 'b'], count: 2 }],
    ['[]', { shape: 'array', keys: [], count: 0 }],
    ['{"__proto__":1}', { shape: 'object', keys: ['__proto__'], count: 1 }],
  ])('%s', (text, expected) => {
    expect(readRows(text, null)).toEqual({ text, ...expected })
  })

  it('need not be looked at when the columns are named', () => {
    expect(readRows('[{"a":1},{"b":2}]', ['a'])).toMatchObject({ shape: 'array', keys: ['a'], count: null })
  })

  it.each(['', ' ', '{', '5', '"x"', 'null', 'undefined', '[1,', '{"a":1}}'])(
    '%j is no JSON of rows',
    (text) => {
      expect(() => readRows(text, null)).toThrow(refusal('Empty or invalid json'))
    },
  )

  it.each(['[{"a":1},{"b":2}]', '[{"a":1},{}]', '[{"a":1},{"a":1,"b":2}]', '[1]', '[{"a":1},null]', '[[]]'])(
    '%s has rows that differ',
    (text) => {
      expect(() => readRows(text, null)).toThrow(refusal('All object keys must match'))
    },
  )
})

describe('the arguments of a call', () => {
  it('are the entries of one object, or none', () => {
    expect(readArguments('{"ids":[1]}')).toMatchObject({ keys: ['ids'] })
    expect(readArguments('')).toMatchObject({ keys: [], text: '{}' })
  })

  it.each(['[]', '5', 'null', '{'])('are not %s', (text) => {
    expect(() => readArguments(text)).toThrow(refusal('Empty or invalid json'))
  })
})

describe('the bytes of a body', () => {
  it('are JSON by any of its names', () => {
    for (const type of [
      undefined,
      'application/json',
      'application/json;charset=UTF-8',
      'APPLICATION/JSON',
    ]) {
      expect(bodyText(Buffer.from('{}'), type)).toBe('{}')
    }
  })

  it('of another type are refused', () => {
    expect(() => bodyText(Buffer.from('a,b'), 'text/csv')).toThrow(
      refusal('Content-Type not acceptable: text/csv'),
    )
  })

  it('must be UTF-8', () => {
    expect(() => bodyText(Buffer.from([0x22, 0xff, 0x22]), undefined)).toThrow(
      refusal('Empty or invalid json'),
    )
  })
})
