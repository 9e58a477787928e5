import { focusManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { refetchOnFocus } from './refetch-triggers.ts'

const refetch = vi.fn<() => void>()
let unsubscribe: () => void

beforeEach(() => {
  vi.useFakeTimers()
  refetch.mockReset()
  refetchOnFocus()
  unsubscribe = focusManager.subscribe(refetch)
})

afterEach(() => {
  unsubscribe()
  vi.useRealTimers()
})

const dispatch = (target: EventTarget, event: string) => target.dispatchEvent(new Event(event))

it('fetches again when the page becomes visible', () => {
  dispatch(document, 'visibilitychange')
  expect(refetch).toHaveBeenCalledTimes(1)
})

it('fetches again when the window gets the focus after a while', () => {
  dispatch(window, 'blur')
  vi.advanceTimersByTime(5000)
  dispatch(window, 'focus')
  expect(refetch).toHaveBeenCalledTimes(1)
  dispatch(window, 'focus')
  expect(refetch).toHaveBeenCalledTimes(1)
})

it('does not fetch again when the window was left for a moment only', () => {
  dispatch(window, 'blur')
  vi.advanceTimersByTime(4999)
  dispatch(window, 'focus')
  expect(refetch).not.toHaveBeenCalled()
})
