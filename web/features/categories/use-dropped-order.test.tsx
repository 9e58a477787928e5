import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sampleCategory } from './sample-category.test-data.ts'
import { useDroppedOrder } from './use-dropped-order.ts'

const family = sampleCategory({ id: 'family' })
const friends = sampleCategory({ id: 'friends' })
const known = [family, friends]
const reordered = [friends, family]

it('shows a drop at once, and then what the list says', () => {
  const { result, rerender } = renderHook(useDroppedOrder, { initialProps: known })
  act(() => result.current.dropped(['friends', 'family']))
  expect(result.current.categories).toEqual([friends, family])
  rerender(reordered)
  expect(result.current.categories).toBe(reordered)
})

it('shows the old order again when the list goes back to it', () => {
  const { result, rerender } = renderHook(useDroppedOrder, { initialProps: known })
  act(() => result.current.dropped(['friends', 'family']))
  rerender(reordered)
  rerender(known)
  expect(result.current.categories).toBe(known)
})
