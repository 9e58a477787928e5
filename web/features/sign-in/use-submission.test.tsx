import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useSubmission } from './use-submission.ts'

it('sends once, however often it is asked, until the first answer is there', async () => {
  const { result } = renderHook(() => useSubmission())
  let answer: (value: 'ready') => void = () => undefined
  const answered = new Promise<'ready'>((resolve) => {
    answer = resolve
  })
  let sent = 0
  const send = () => {
    sent += 1
    return answered
  }
  act(() => {
    void result.current.submit(send)
    void result.current.submit(send)
  })
  expect(sent).toBe(1)
  expect(result.current.busy).toBe(true)
  await act(async () => answer('ready'))
  expect(result.current.busy).toBe(false)
})

it('stays busy where the next screen is about to take over', async () => {
  const { result } = renderHook(() => useSubmission())
  await act(() => result.current.submit(async () => 'stay busy'))
  expect(result.current.busy).toBe(true)
})
