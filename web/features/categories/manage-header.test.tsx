import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useShine } from './manage-header.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const advance = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

it('starts 300 ms after it was scheduled', () => {
  const { result } = renderHook(() => useShine(1))
  expect(result.current.shining).toBe(false)
  act(() => result.current.shineSoon())
  advance(299)
  expect(result.current.shining).toBe(false)
  advance(1)
  expect(result.current.shining).toBe(true)
})

it('stops when no categories are left', () => {
  const { result, rerender } = renderHook(useShine, { initialProps: 1 })
  act(() => result.current.shineSoon())
  advance(300)
  rerender(2)
  expect(result.current.shining).toBe(true)
  rerender(0)
  expect(result.current.shining).toBe(false)
  rerender(1)
  expect(result.current.shining).toBe(false)
})
