import { afterEach, expect, it, vi } from 'vitest'
import { fetchWithTimeout, PATIENCE_MS } from './fetch-with-timeout.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A network on which nothing is ever answered. */
async function silentFetch(_input: unknown, init?: RequestInit): Promise<Response> {
  await new Promise((resolve) => init?.signal?.addEventListener('abort', resolve))
  init?.signal?.throwIfAborted()
  return new Response()
}

it('fails when there is no answer in time, and not before', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', silentFetch)
  const ended = vi.fn<(failure: unknown) => void>()
  fetchWithTimeout('/rest/v1/prayers').catch(ended)
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1)
  expect(ended).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'TimeoutError' }))
})

it('hands the answer and what was asked through', async () => {
  const answer = new Response('[]')
  const fetchStub = vi.fn<typeof fetch>(() => Promise.resolve(answer))
  vi.stubGlobal('fetch', fetchStub)
  await expect(fetchWithTimeout('/rest/v1/prayers', { method: 'PATCH' })).resolves.toBe(answer)
  expect(fetchStub).toHaveBeenCalledExactlyOnceWith(
    '/rest/v1/prayers',
    expect.objectContaining({ method: 'PATCH' }),
  )
})
