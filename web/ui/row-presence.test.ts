import { describe, expect, it } from 'vitest'
import { mergeRows, type PresentRow } from './row-presence.ts'

const shown = (...items: string[]): PresentRow<string>[] =>
  items.map((item) => ({ key: item, item, entering: false, leaving: false }))
const after = (previous: PresentRow<string>[], ...items: string[]) =>
  mergeRows(previous, items, (item) => item)
const sketch = (rows: PresentRow<string>[]) =>
  rows.map(({ key, entering, leaving }) => `${entering ? '+' : ''}${leaving ? '-' : ''}${key}`).join(' ')

describe('rows that come and go', () => {
  it('keep their objects where nothing changed', () => {
    const before = shown('a', 'b')
    expect(after(before, 'a', 'b')).toEqual(before)
    expect(after(before, 'a', 'b')[0]).toBe(before[0])
  })

  it('enter where they stand in the list', () => {
    expect(sketch(after(shown('a', 'b'), 'new', 'a', 'b'))).toBe('+new a b')
  })

  it('are in place at once while the list is still arriving', () => {
    const arrived = mergeRows(shown('a'), ['a', 'b'], (item) => item, false)
    expect(sketch(arrived)).toBe('a b')
  })

  it('leave from behind the neighbour they stood behind', () => {
    expect(sketch(after(shown('a', 'b', 'c'), 'c'))).toBe('-a -b c')
    expect(sketch(after(shown('a', 'b', 'c'), 'a', 'c'))).toBe('a -b c')
    expect(sketch(after(shown('a', 'b', 'c'), 'a', 'b'))).toBe('a b -c')
  })

  it('follow their neighbour to its new place', () => {
    expect(sketch(after(shown('a', 'b', 'c'), 'c', 'a'))).toBe('c a -b')
  })

  it('stay on their way out while the list goes on changing', () => {
    const leaving = after(shown('a', 'b'), 'a')
    expect(sketch(after(leaving, 'a', 'c'))).toBe('a -b +c')
  })

  it('come back in the middle of leaving', () => {
    const leaving = after(shown('a', 'b'), 'a')
    expect(sketch(after(leaving, 'a', 'b'))).toBe('a b')
  })

  it('go at once when many go together', () => {
    const many = Array.from({ length: 13 }, (_, index) => `row ${index}`)
    expect(after(shown('a', ...many), 'a')).toHaveLength(1)
  })
})
