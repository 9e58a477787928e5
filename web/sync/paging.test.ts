import { describe, expect, it, vi } from 'vitest'
import { fetchAllPages, rowsAfter } from './paging.ts'

const stored = Array.from({ length: 7 }, (_, index) => ({ id: `row-${index}` }))

function pagesOf(size: number) {
  return vi.fn(async (after: { id: string } | null) => {
    const start = after ? stored.findIndex((row) => row.id === after.id) + 1 : 0
    return stored.slice(start, start + size)
  })
}

describe('fetching all pages', () => {
  it('requests the page after the last row until a page is not full', async () => {
    const fetchPage = pagesOf(3)
    expect(await fetchAllPages(fetchPage, 3, () => {})).toEqual(stored)
    expect(fetchPage.mock.calls.map(([after]) => after?.id)).toEqual([undefined, 'row-2', 'row-5'])
  })

  it('reports the rows so far after every page, also the last: storing them takes a while', async () => {
    const progress: number[] = []
    await fetchAllPages(pagesOf(3), 3, (rows) => progress.push(rows.length))
    expect(progress).toEqual([3, 6, 7])
  })
})

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
