import { describe, expect, it } from 'vitest'
import { sampleCategory } from './sample-category.test-data.ts'
import { moveId, nextOrder, reorderCategories, sortCategories } from './category-order.ts'

const family = sampleCategory({ id: 'family', order: 1 })
const friends = sampleCategory({ id: 'friends', order: 2 })
const church = sampleCategory({ id: 'church', order: 3 })

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('sorting', () => {
  it('goes by order', () => {
    expect(ids(sortCategories([church, family, friends]))).toEqual(['family', 'friends', 'church'])
  })

  it('puts the older one first when two carry the same number, and the lower id when they are as old', () => {
    const older = sampleCategory({ id: 'z', order: 2, created_at: '2020-01-01T00:00:00+00:00' })
    const asOld = sampleCategory({ id: 'y', order: 2, created_at: '2020-01-01T00:00:00.000+00:00' })
    expect(ids(sortCategories([friends, older, asOld]))).toEqual(['y', 'z', 'friends'])
  })
})

describe('a new category', () => {
  it('gets the highest number plus one', () => {
    expect(nextOrder([sampleCategory({ order: 7 }), family])).toBe(8)
  })

  it('gets 1 when there is none', () => {
    expect(nextOrder([])).toBe(1)
  })
})

describe('reordering', () => {
  it('renumbers 1..n by the given ids', () => {
    const reordered = reorderCategories([family, friends, church], ['church', 'family', 'friends'])
    expect(reordered.map(({ id, order }) => [id, order])).toEqual([
      ['church', 1],
      ['family', 2],
      ['friends', 3],
    ])
  })

  it('ignores ids that are gone and keeps unlisted ones in their order after the listed', () => {
    expect(ids(reorderCategories([family, friends, church], ['gone', 'church']))).toEqual([
      'church',
      'family',
      'friends',
    ])
  })

  it('leaves a row that keeps its number as it is', () => {
    expect(reorderCategories([family, friends, church], ['family', 'church', 'friends'])[0]).toBe(family)
  })
})

describe('moving one', () => {
  it('puts it in its new place', () => {
    expect(moveId(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moveId(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b'])
  })

  it('does nothing beyond the ends', () => {
    expect(moveId(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
    expect(moveId(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
  })
})
