import { describe, expect, it } from 'vitest'
import { contentRange, parseRange, rangeStatus } from './row-range.ts'

describe('the requested range', () => {
  it.each([
    [null, null, { offset: 0, limit: 1000 }],
    ['10', null, { offset: 0, limit: 10 }],
    ['0', null, { offset: 0, limit: 0 }],
    ['10', '20', { offset: 20, limit: 10 }],
    ['many', 'x', { offset: 0, limit: 1000 }],
    ['99999999999999999999', '99999999999999999999', { offset: Number.MAX_SAFE_INTEGER, limit: 1000 }],
  ])('of limit %s and offset %s', (limit, offset, expected) => {
    expect(parseRange(limit, offset)).toEqual(expected)
  })

  it.each([
    ['-1', null, 'Limit should be greater than or equal to zero.'],
    [null, '-1', 'Offset should be greater than or equal to zero.'],
  ])('is rejected for limit %s and offset %s', (limit, offset, details) => {
    expect(() => parseRange(limit, offset)).toThrow(
      expect.objectContaining({
        status: 416,
        code: 'PGRST103',
        message: 'Requested range not satisfiable',
        details,
      }),
    )
  })
})

describe('the returned range', () => {
  it.each([
    [{ offset: 0, rows: 3, total: null }, 200, '0-2/*'],
    [{ offset: 0, rows: 0, total: null }, 200, '*/*'],
    [{ offset: 10, rows: 5, total: null }, 200, '10-14/*'],
    [{ offset: 0, rows: 3, total: 3 }, 200, '0-2/3'],
    [{ offset: 0, rows: 3, total: 4 }, 206, '0-2/4'],
    [{ offset: 0, rows: 0, total: 0 }, 200, '*/0'],
    [{ offset: 3, rows: 0, total: 3 }, 206, '*/3'],
  ])('%j is %i with %s', (returned, status, range) => {
    expect([rangeStatus(returned), contentRange(returned)]).toEqual([status, range])
  })

  it('cannot begin beyond the end', () => {
    expect(() => rangeStatus({ offset: 5, rows: 0, total: 3 })).toThrow(
      expect.objectContaining({
        status: 416,
        code: 'PGRST103',
        details: 'An offset of 5 was requested, but there are only 3 rows.',
        headers: { 'content-range': '*/3' },
      }),
    )
  })
})
