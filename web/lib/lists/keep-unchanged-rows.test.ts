import { describe, expect, it } from 'vitest'
import { keepUnchangedRows, sameItems } from './keep-unchanged-rows.ts'

const ann = { id: 'a', name: 'Ann', note: null }
const bob = { id: 'b', name: 'Bob', note: 'hello' }

describe('rows after a fetch', () => {
  it('are the very same list when nothing changed', () => {
    const before = [ann, bob]
    expect(keepUnchangedRows(before, [{ ...ann }, { ...bob }])).toBe(before)
  })

  it('keep each unchanged row, wherever it now stands', () => {
    const rows = keepUnchangedRows([ann, bob], [{ id: 'c', name: 'Cid', note: null }, { ...ann }, { ...bob }])
    expect(rows[1]).toBe(ann)
    expect(rows[2]).toBe(bob)
  })

  it('take over a row that changed', () => {
    expect(keepUnchangedRows([ann, bob], [ann, { ...bob, note: null }])[1]).toEqual({ ...bob, note: null })
  })

  it('leave out rows that are gone', () => {
    expect(keepUnchangedRows([ann, bob], [{ ...bob }])).toEqual([bob])
  })
})

it('lists of the same items are the same, of equal items they are not', () => {
  expect(sameItems([ann], [ann])).toBe(true)
  expect(sameItems([ann], [{ ...ann }])).toBe(false)
  expect(sameItems([ann], [ann, bob])).toBe(false)
})
