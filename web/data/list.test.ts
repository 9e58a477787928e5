import { describe, expect, it } from 'vitest'
import { keepUnchangedRows, requireUser } from './list.ts'

const ann = { id: 'a', name: 'Ann', note: null }
const bob = { id: 'b', name: 'Bob', note: 'hello' }

describe('rows after a fetch', () => {
  it('are the same array when nothing has changed', () => {
    const before = [ann, bob]
    expect(keepUnchangedRows(before, [{ ...ann }, { ...bob }])).toBe(before)
  })

  it('keep the object of each unchanged row, wherever it is in the list', () => {
    const rows = keepUnchangedRows([ann, bob], [{ id: 'c', name: 'Cid', note: null }, { ...ann }, { ...bob }])
    expect(rows[1]).toBe(ann)
    expect(rows[2]).toBe(bob)
  })

  it('include the new version of a changed row', () => {
    expect(keepUnchangedRows([ann, bob], [ann, { ...bob, note: null }])[1]).toEqual({ ...bob, note: null })
  })

  it('leave out deleted rows', () => {
    expect(keepUnchangedRows([ann, bob], [{ ...bob }])).toEqual([bob])
  })
})

it('lists cannot be read or changed without signing in', () => {
  expect(() => requireUser(null)).toThrow('User not authenticated')
  expect(requireUser('ruth')).toBe('ruth')
})
