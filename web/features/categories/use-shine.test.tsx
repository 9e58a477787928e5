import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useShine } from './use-shine.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

it('begins 300 ms after it was asked for', () => {
  const { result } = renderHook(() => useShine(1))
  expect(result.current.shining).toBe(false)
  act(() => result.current.shineSoon())
  pass(299)
  expect(result.current.shining).toBe(false)
  pass(1)
  expect(result.current.shining).toBe(true)
})

it('stops when no category is left', () => {
  const { result, rerender } = renderHook(useShine, { initialProps: 1 })
  act(() => result.current.shineSoon())
  pass(300)
  rerender(2)
  expect(result.current.shining).toBe(true)
  rerender(0)
  expect(result.current.shining).toBe(false)
  rerender(1)
  expect(result.current.shining).toBe(false)
})
