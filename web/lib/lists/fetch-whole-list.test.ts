import { describe, expect, it, vi } from 'vitest'
import { fetchWholeList } from './fetch-whole-list.ts'

const stored = Array.from({ length: 7 }, (_, index) => ({ id: `row-${index}` }))

function pageOf(size: number) {
  return vi.fn(async (after: { id: string } | null) => {
    const start = after ? stored.findIndex((row) => row.id === after.id) + 1 : 0
    return stored.slice(start, start + size)
  })
}

describe('fetching a whole list', () => {
  it('asks for the page after the last row until a page is short', async () => {
    const fetchPage = pageOf(3)
    expect(await fetchWholeList(fetchPage, 3, () => {})).toEqual(stored)
    expect(fetchPage.mock.calls.map(([after]) => after?.id)).toEqual([undefined, 'row-2', 'row-5'])
  })

  it('makes one request when everything fits on one page', async () => {
    const fetchPage = pageOf(100)
    expect(await fetchWholeList(fetchPage, 100, () => {})).toEqual(stored)
    expect(fetchPage).toHaveBeenCalledTimes(1)
  })

  it('tells the rows so far after each page that is not the last', async () => {
    const progress: number[] = []
    await fetchWholeList(pageOf(3), 3, (rows) => progress.push(rows.length))
    expect(progress).toEqual([3, 6])
  })

  it('fails when a later page fails, however much has come before', async () => {
    const fetchPage = vi.fn(async (after: { id: string } | null) => {
      if (after) throw new Error('server gone')
      return stored.slice(0, 3)
    })
    await expect(fetchWholeList(fetchPage, 3, () => {})).rejects.toThrow('server gone')
  })
})
