import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sampleCategory } from '#web/data/sample-rows.test-data.ts'
import { useDroppedOrder } from './sortable-categories.tsx'

const family = sampleCategory({ id: 'family' })
const friends = sampleCategory({ id: 'friends' })
const list = [family, friends]
const reordered = [friends, family]

it('shows a dropped order immediately, and then the order of the list', () => {
  const { result, rerender } = renderHook(useDroppedOrder, { initialProps: list })
  act(() => result.current.setDroppedOrder(['friends', 'family']))
  expect(result.current.categories).toEqual([friends, family])
  rerender(reordered)
  expect(result.current.categories).toBe(reordered)
})

it('shows the old order again when the list returns to it', () => {
  const { result, rerender } = renderHook(useDroppedOrder, { initialProps: list })
  act(() => result.current.setDroppedOrder(['friends', 'family']))
  rerender(reordered)
  rerender(list)
  expect(result.current.categories).toBe(list)
})
