import { describe, expect, it } from 'vitest'
import { parseRange } from './parse-range.ts'

describe('a range', () => {
  it.each([
    [null, null, null, { offset: 0, limit: null }],
    ['10', null, null, { offset: 0, limit: 10 }],
    ['0', null, null, { offset: 0, limit: 0 }],
    ['10', '20', null, { offset: 20, limit: 10 }],
    [null, null, '0-9', { offset: 0, limit: 10 }],
    [null, null, '5-', { offset: 5, limit: null }],
    [null, null, '5-5', { offset: 5, limit: 1 }],
    ['10', null, '5-30', { offset: 5, limit: 5 }],
    ['5', '10', '0-4', { offset: 10, limit: 0 }],
    ['many', 'x', 'bytes=0-5', { offset: 0, limit: null }],
    ['99999999999999999999', '99999999999999999999', null, { offset: Number.MAX_SAFE_INTEGER }],
  ])('limit %s, offset %s, header %s', (limit, offset, header, expected) => {
    expect(parseRange(limit, offset, header)).toMatchObject(expected)
  })

  it.each([
    ['-1', null, null, 'Limit should be greater than or equal to zero.'],
    [null, '-1', null, 'Offset should be greater than or equal to zero.'],
    [
      null,
      null,
      '9-0',
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    ],
  ])('limit %s, offset %s, header %s cannot be satisfied', (limit, offset, header, details) => {
    expect(() => parseRange(limit, offset, header)).toThrow(
      expect.objectContaining({
        status: 416,
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details,
      }),
    )
  })
})
