import { describe, expect, it } from 'vitest'
import { parseOrder } from './parse-order.ts'

describe('an order', () => {
  it('has terms with a direction and a place for nulls', () => {
    expect(parseOrder('name,created_at.desc, note.asc.nullsfirst ,"a.b".nullslast')).toEqual([
      { column: 'name', direction: null, nulls: null },
      { column: 'created_at', direction: 'desc', nulls: null },
      { column: 'note', direction: 'asc', nulls: 'nullsfirst' },
      { column: 'a.b', direction: null, nulls: 'nullslast' },
    ])
  })

  it.each([
    ['name.down', 'unexpected "." expecting "asc", "desc", "nullsfirst" or "nullslast"'],
    ['name.desc.last', 'unexpected "." expecting "nullsfirst" or "nullslast"'],
    ['name.nullslastx', 'unexpected "x" expecting "," or end of input'],
    ['name,', 'unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['name desc;', 'unexpected ";" expecting "asc", "desc", "nullsfirst" or "nullslast"'],
  ])('%j cannot be read', (text, details) => {
    expect(() => parseOrder(text)).toThrow(
      expect.objectContaining({ status: 400, code: 'PGRST100', details }),
    )
  })

  it('by another table is refused', () => {
    expect(() => parseOrder('categories(name).desc')).toThrow(expect.objectContaining({ code: 'PGRST108' }))
  })
})
