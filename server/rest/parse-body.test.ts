import { describe, expect, it } from 'vitest'
import { decodeBody, parseArguments, parseRows, requireImportableSize } from './parse-body.ts'

const invalidBody = (message: string): unknown =>
  expect.objectContaining({ status: 400, code: 'PGRST102', message })

describe('the rows in a body', () => {
  it.each([
    ['{"a":1,"b":2}', { shape: 'object', keys: ['a', 'b'], count: 1 }],
    [' [{"a":1},{"a":2}]', { shape: 'array', keys: ['a'], count: 2 }],
    ['[{"a":1,"b":2},{"b":1,"a":2}]', { shape: 'array', keys: ['a', 'b'], count: 2 }],
    ['[]', { shape: 'array', keys: [], count: 0 }],
    ['{"__proto__":1}', { shape: 'object', keys: ['__proto__'], count: 1 }],
  ])('%s', (text, expected) => {
    expect(parseRows(text, null)).toEqual({ text, ...expected })
  })

  it('are not parsed when columns are given', () => {
    expect(parseRows('[{"a":1},{"b":2}]', ['a'])).toMatchObject({ shape: 'array', keys: ['a'], count: null })
  })

  it.each(['', ' ', '{', '5', '"x"', 'null', 'undefined', '[1,', '{"a":1}}'])(
    '%j is not JSON rows',
    (text) => {
      expect(() => parseRows(text, null)).toThrow(invalidBody('Empty or invalid json'))
    },
  )

  it.each(['[{"a":1},{"b":2}]', '[{"a":1},{}]', '[{"a":1},{"a":1,"b":2}]', '[1]', '[{"a":1},null]', '[[]]'])(
    '%s has rows with different keys',
    (text) => {
      expect(() => parseRows(text, null)).toThrow(invalidBody('All object keys must match'))
    },
  )
})

describe('the arguments of a call', () => {
  it('are the entries of an object, or none', () => {
    expect(parseArguments('{"ids":[1]}')).toMatchObject({ keys: ['ids'] })
    expect(parseArguments('')).toMatchObject({ keys: [], text: '{}' })
  })

  it.each(['[]', '5', 'null', '{'])('cannot be %s', (text) => {
    expect(() => parseArguments(text)).toThrow(invalidBody('Empty or invalid json'))
  })
})

describe('the bytes of a body', () => {
  it('are accepted as any JSON type', () => {
    for (const type of [
      undefined,
      'application/json',
      'application/json;charset=UTF-8',
      'APPLICATION/JSON',
    ]) {
      expect(decodeBody(Buffer.from('{}'), type)).toBe('{}')
    }
  })

  it('of another type are rejected', () => {
    expect(() => decodeBody(Buffer.from('a,b'), 'text/csv')).toThrow(
      invalidBody('Content-Type not acceptable: text/csv'),
    )
  })

  it('must be UTF-8', () => {
    expect(() => decodeBody(Buffer.from([0x22, 0xff, 0x22]), undefined)).toThrow(
      invalidBody('Empty or invalid json'),
    )
  })
})

describe('the size of an import', () => {
  const requireSize = (text: string) => () => requireImportableSize(Buffer.from(text))
  const tooLarge: unknown = expect.objectContaining({ status: 413, code: 'PT413' })
  const many = (count: number, value: string) => `[${Array.from({ length: count }, () => value).join()}]`

  it('does not depend on what is in texts', () => {
    expect(requireSize(JSON.stringify(['{[,"\\'.repeat(300_000)]))).not.toThrow()
  })

  it.each([
    ['objects', many(81_000, '{}')],
    ['lists', '['.repeat(81_001)],
    ['values', many(600_002, '1')],
    ['objects after a text that ends with a backslash', `["\\\\",${many(81_000, '{}')}]`],
  ])('is limited in %s', (_what, text) => {
    expect(requireSize(text)).toThrow(tooLarge)
  })
})
