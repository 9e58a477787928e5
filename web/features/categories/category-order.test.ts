import { describe, expect, it } from 'vitest'
import { moveId } from './category-order.ts'

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
