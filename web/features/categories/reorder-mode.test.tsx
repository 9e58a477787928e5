import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useReorderMode } from './reorder-mode.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('hides the Reorder button while it is on, and for 320 ms afterwards', () => {
  const { result } = renderHook(useReorderMode)
  expect(result.current).toMatchObject({ on: false, state: 'off' })
  act(() => result.current.enter())
  expect(result.current).toMatchObject({ on: true, state: 'on' })
  act(() => result.current.leave())
  act(() => void vi.advanceTimersByTime(319))
  expect(result.current).toMatchObject({ on: false, state: 'leaving' })
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current).toMatchObject({ on: false, state: 'off' })
})
