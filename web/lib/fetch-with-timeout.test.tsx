import { afterEach, expect, it, vi } from 'vitest'
import { fetchWithTimeout, TIMEOUT_MS } from './fetch-with-timeout.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function fetchWithoutResponse(_input: unknown, init?: RequestInit): Promise<Response> {
  await new Promise((resolve) => init?.signal?.addEventListener('abort', resolve))
  init?.signal?.throwIfAborted()
  return new Response()
}

it('fails when there is no response in time, and not before', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetchWithoutResponse)
  const failed = vi.fn<(failure: unknown) => void>()
  fetchWithTimeout('/rest/v1/prayers').catch(failed)
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'TimeoutError' }))
})

it('passes the request on and returns the response', async () => {
  const response = new Response('[]')
  const fetchStub = vi.fn<typeof fetch>(() => Promise.resolve(response))
  vi.stubGlobal('fetch', fetchStub)
  await expect(fetchWithTimeout('/rest/v1/prayers', { method: 'PATCH' })).resolves.toBe(response)
  expect(fetchStub).toHaveBeenCalledExactlyOnceWith(
    '/rest/v1/prayers',
    expect.objectContaining({ method: 'PATCH' }),
  )
})
