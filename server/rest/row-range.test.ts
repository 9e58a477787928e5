import { describe, expect, it } from 'vitest'
import { contentRange, parseRange, rangeStatus } from './row-range.ts'

describe('the requested range', () => {
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
  ])('combines limit %s, offset %s and header %s', (limit, offset, header, expected) => {
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
  ])('is rejected for limit %s, offset %s and header %s', (limit, offset, header, details) => {
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
