import { focusManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { noticeReturns } from './returns.ts'

const returned = vi.fn<() => void>()
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  returned.mockReset()
  noticeReturns()
  stop = focusManager.subscribe(returned)
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

const happens = (target: EventTarget, event: string) => target.dispatchEvent(new Event(event))

it('notices when the page is shown again', () => {
  happens(document, 'visibilitychange')
  expect(returned).toHaveBeenCalledTimes(1)
})

it('notices when the window is used again after a while', () => {
  happens(window, 'blur')
  vi.advanceTimersByTime(5000)
  happens(window, 'focus')
  expect(returned).toHaveBeenCalledTimes(1)
  happens(window, 'focus')
  expect(returned).toHaveBeenCalledTimes(1)
})

it('does not take a short look beside the page for a return', () => {
  happens(window, 'blur')
  vi.advanceTimersByTime(4999)
  happens(window, 'focus')
  expect(returned).not.toHaveBeenCalled()
})
