import { describe, expect, it } from 'vitest'
import { rowsAfter } from './paging.ts'

describe('the filter for the rows after a row', () => {
  it('selects smaller values where the order is descending', () => {
    const row = { id: 'b', created_at: '2026-01-01T10:00:00.5+00:00' }
    expect(
      rowsAfter(row, [
        { column: 'created_at', descending: true },
        { column: 'id', descending: true },
      ]),
    ).toBe(
      'created_at.lt."2026-01-01T10:00:00.5+00:00",and(created_at.eq."2026-01-01T10:00:00.5+00:00",id.lt."b")',
    )
  })

  it('selects greater values where the order is ascending, with numbers unquoted', () => {
    const row = { id: 'b', created_at: 't', order: 3 }
    expect(rowsAfter(row, [{ column: 'order' }, { column: 'created_at' }, { column: 'id' }])).toBe(
      'order.gt.3,and(order.eq.3,created_at.gt."t"),and(order.eq.3,created_at.eq."t",id.gt."b")',
    )
  })

  it('escapes quotes and backslashes', () => {
    expect(rowsAfter({ id: 'a"\\b' }, [{ column: 'id' }])).toBe('id.gt."a\\"\\\\b"')
  })
})
