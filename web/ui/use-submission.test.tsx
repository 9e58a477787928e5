import { act, fireEvent, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useSubmission } from './use-submission.ts'

it('ignores further submissions until the first one is finished', async () => {
  const { result } = renderHook(() => useSubmission())
  let finish: (value: undefined) => void = () => {}
  const response = new Promise<undefined>((resolve) => {
    finish = resolve
  })
  let sent = 0
  const send = () => {
    sent += 1
    return response
  }
  act(() => {
    void result.current.submit(send)
    void result.current.submit(send)
  })
  expect(sent).toBe(1)
  expect(result.current.busy).toBe(true)
  await act(async () => finish(undefined))
  expect(result.current.busy).toBe(false)
})

it('ignores a submission that comes before what the first one has changed shows', async () => {
  const { result } = renderHook(() => useSubmission())
  let sent = 0
  const send = async () => {
    sent += 1
  }
  await act(async () => {
    // Nothing is rendered before the end.
    await result.current.submit(send)
    await result.current.submit(send)
  })
  expect(sent).toBe(1)
  await act(() => result.current.submit(send))
  expect(sent).toBe(2)
})

it('is no longer busy after an unexpected error', async () => {
  const { result } = renderHook(() => useSubmission())
  await act(async () => {
    const submission = result.current.submit(() => Promise.reject(new Error('unexpected')))
    await expect(submission).rejects.toThrow('unexpected')
  })
  expect(result.current.busy).toBe(false)
})

it('stays busy while the next page loads, until the user comes back', async () => {
  const { result } = renderHook(() => useSubmission())
  await act(() => result.current.submit(async () => ({ busy: true })))
  expect(result.current.busy).toBe(true)
  act(() => {
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
  })
  expect(result.current.busy).toBe(false)
})
