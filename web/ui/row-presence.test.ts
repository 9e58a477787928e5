import { describe, expect, it } from 'vitest'
import { mergeRows, type PresentRow } from './row-presence.tsx'

const shown = (...items: string[]): PresentRow<string>[] =>
  items.map((item) => ({ key: item, item, entering: false, leaving: false }))
const after = (previous: PresentRow<string>[], ...items: string[]) =>
  mergeRows(previous, items, (item) => item)
/** For example `+a -b c`: a is entering, b is leaving, c is at rest. */
const sketch = (rows: PresentRow<string>[]) =>
  rows.map(({ key, entering, leaving }) => `${entering ? '+' : ''}${leaving ? '-' : ''}${key}`).join(' ')

describe('rows of a changing list', () => {
  it('stay the same objects if nothing changed', () => {
    const before = shown('a', 'b')
    expect(after(before, 'a', 'b')).toEqual(before)
    expect(after(before, 'a', 'b')[0]).toBe(before[0])
  })

  it('enter at their position in the list', () => {
    expect(sketch(after(shown('a', 'b'), 'new', 'a', 'b'))).toBe('+new a b')
  })

  it('appear without animation while the list is still loading', () => {
    const loaded = mergeRows(shown('a'), ['a', 'b'], (item) => item, false)
    expect(sketch(loaded)).toBe('a b')
  })

  it('leave behind the row they followed', () => {
    expect(sketch(after(shown('a', 'b', 'c'), 'c'))).toBe('-a -b c')
    expect(sketch(after(shown('a', 'b', 'c'), 'a', 'c'))).toBe('a -b c')
    expect(sketch(after(shown('a', 'b', 'c'), 'a', 'b'))).toBe('a b -c')
  })

  it('leave behind that row wherever it has moved', () => {
    expect(sketch(after(shown('a', 'b', 'c'), 'c', 'a'))).toBe('c a -b')
  })

  it('keep leaving while the list changes further', () => {
    const leaving = after(shown('a', 'b'), 'a')
    expect(sketch(after(leaving, 'a', 'c'))).toBe('a -b +c')
  })

  it('return while they are leaving', () => {
    const leaving = after(shown('a', 'b'), 'a')
    expect(sketch(after(leaving, 'a', 'b'))).toBe('a b')
  })

  it('disappear without animation if many are removed together', () => {
    const many = Array.from({ length: 13 }, (_, index) => `row ${index}`)
    expect(after(shown('a', ...many), 'a')).toHaveLength(1)
  })
})
