import { expect, it, vi } from 'vitest'
import { fetchWithTimeout, onUnauthorized, TIMEOUT_MS } from './fetch-with-timeout.ts'

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

it('waits as long as a signal of the caller says, for requests that take longer', async () => {
  vi.useFakeTimers()
  const fetchStub = vi.fn<typeof fetch>(async () => new Response())
  vi.stubGlobal('fetch', fetchStub)
  const caller = new AbortController()
  await fetchWithTimeout('/rest/v1/rpc/import_prayers', { signal: caller.signal })
  await fetchWithTimeout('/rest/v1/prayers')
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS)
  const isAborted = () => fetchStub.mock.calls.map(([, init]) => init?.signal?.aborted)
  expect(isAborted()).toEqual([false, true])
  caller.abort()
  expect(isAborted()).toEqual([true, true])
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

it('reports responses with status 401, and leaves their bodies to the caller', async () => {
  const reported: Response[] = []
  onUnauthorized((response) => reported.push(response))
  for (const status of [200, 401, 403]) {
    vi.stubGlobal('fetch', async () => new Response('body', { status }))
    expect(await (await fetchWithTimeout('/rest/v1/prayers')).text()).toBe('body')
  }
  expect(reported.map(({ status }) => status)).toEqual([401])
  expect(await reported[0]?.text()).toBe('body')
})
