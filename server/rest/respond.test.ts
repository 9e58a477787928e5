import { describe, expect, it } from 'vitest'
import { contentRange, windowStatus } from './respond.ts'

describe('the window of a read', () => {
  it.each([
    [{ offset: 0, rows: 3, total: null }, 200, '0-2/*'],
    [{ offset: 0, rows: 0, total: null }, 200, '*/*'],
    [{ offset: 10, rows: 5, total: null }, 200, '10-14/*'],
    [{ offset: 0, rows: 3, total: 3 }, 200, '0-2/3'],
    [{ offset: 0, rows: 3, total: 4 }, 206, '0-2/4'],
    [{ offset: 0, rows: 0, total: 0 }, 200, '*/0'],
    [{ offset: 3, rows: 0, total: 3 }, 206, '*/3'],
  ])('%j is %i with %s', (window, status, range) => {
    expect([windowStatus(window), contentRange(window)]).toEqual([status, range])
  })

  it('cannot begin beyond the end', () => {
    expect(() => windowStatus({ offset: 5, rows: 0, total: 3 })).toThrow(
      expect.objectContaining({
        status: 416,
        code: 'PGRST103',
        details: 'An offset of 5 was requested, but there are only 3 rows.',
        headers: { 'content-range': '*/3' },
      }),
    )
  })
})
