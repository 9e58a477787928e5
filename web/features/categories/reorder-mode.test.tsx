import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useReorderMode } from './reorder-mode.tsx'

it('hides the Reorder button while it is on, and for 320 ms afterwards', () => {
  vi.useFakeTimers()
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
