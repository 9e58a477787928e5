import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useShine } from './manage-header.tsx'

it('shines 300 ms after it was scheduled, until no categories are left', () => {
  vi.useFakeTimers()
  const advance = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))
  const { result, rerender } = renderHook(useShine, { initialProps: 1 })
  expect(result.current.shining).toBe(false)
  act(() => result.current.shineSoon())
  advance(299)
  expect(result.current.shining).toBe(false)
  advance(1)
  rerender(2)
  expect(result.current.shining).toBe(true)
  rerender(0)
  expect(result.current.shining).toBe(false)
  rerender(1)
  expect(result.current.shining).toBe(false)
})
