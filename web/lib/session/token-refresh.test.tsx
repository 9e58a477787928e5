import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rejectedRefresh, sessionWith, storeSession } from './sample-session.test-data.ts'
import { endStoredSession } from './stored-session.ts'
import {
  fetchRefresh,
  isRefreshWaiting,
  NetworkUnavailableError,
  unlessRefreshWaits,
} from './token-refresh.ts'

const fetchStub = vi.fn<typeof fetch>()
const newSession = () => Response.json(sessionWith('new', 3600))
const html = (status: number) =>
  new Response('<h1>Accept our terms</h1>', { status, headers: { 'content-type': 'text/html' } })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetchStub)
  storeSession(sessionWith('old', -10))
})
afterEach(async () => {
  // Ends a refresh that still waits.
  endStoredSession('signed-out')
  await vi.advanceTimersByTimeAsync(0)
})

/** Starts a refresh; `response` is what auth-js would get. */
async function refresh() {
  const result: { response: Response | null } = { response: null }
  void fetchRefresh('old', 'https://prayers.example/token').then((response) => (result.response = response))
  await vi.advanceTimersByTimeAsync(0)
  return result
}

const FAILING_STATUS = [408, 409, 422, 429, 500, 502, 503, 504, 520, 530]
const OUTAGES: [string, () => Promise<Response>][] = [
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the page of a captive portal with 200', async () => html(200)],
  ['the page of a captive portal with 403', async () => html(403)],
  ['JSON that is no session', async () => Response.json({ status: 'ok' })],
  ['a gateway that rejects the API key', async () => Response.json({ message: 'No' }, { status: 401 })],
  ...FAILING_STATUS.map((status): (typeof OUTAGES)[number] => [
    String(status),
    async () => Response.json({ error_code: 'over_request_rate_limit' }, { status }),
  ]),
]

it.each(OUTAGES)('a refresh waits out %s', async (_what, outage) => {
  fetchStub.mockImplementation(outage)
  const result = await refresh()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(result.response).toBeNull()
  fetchStub.mockImplementation(async () => newSession())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(result.response?.status).toBe(200)
})

it.each([
  ['refresh_token_not_found', rejectedRefresh()],
  ['the code of newer versions', Response.json({ code: 'session_expired', message: '' }, { status: 401 })],
  ['a deleted user', Response.json({ error_code: 'user_not_found' }, { status: 403 })],
  ['invalid_grant of old versions', Response.json({ error: 'invalid_grant' }, { status: 400 })],
])('a refresh ends when the auth service rejects it: %s', async (_what, response) => {
  fetchStub.mockResolvedValue(response)
  const result = await refresh()
  expect(result.response).toBe(response)
  expect(fetchStub).toHaveBeenCalledOnce()
})

it('tries again after 1, 2, 5, 10, 30 and then every 60 seconds', async () => {
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
  await refresh()
  for (const [index, seconds] of [1, 2, 5, 10, 30, 60, 60].entries()) {
    await vi.advanceTimersByTimeAsync(seconds * 1000 - 1)
    expect(fetchStub).toHaveBeenCalledTimes(index + 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(fetchStub).toHaveBeenCalledTimes(index + 2)
  }
})

it.each([
  ['the network is back', () => dispatchEvent(new Event('online'))],
  ['the page becomes visible', () => document.dispatchEvent(new Event('visibilitychange'))],
])('tries again at once when %s', async (_when, happen) => {
  fetchStub.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(newSession())
  const result = await refresh()
  expect(result.response).toBeNull()
  happen()
  await vi.advanceTimersByTimeAsync(0)
  expect(result.response?.status).toBe(200)
})

it('waits as long as the server asks for, unless the network changes', async () => {
  const busy = () => new Response('{}', { status: 429, headers: { 'retry-after': '120' } })
  fetchStub.mockImplementation(async () => busy())
  await refresh()
  document.dispatchEvent(new Event('visibilitychange'))
  await expect(unlessRefreshWaits(new Promise(() => {}))).rejects.toThrow(NetworkUnavailableError)
  await vi.advanceTimersByTimeAsync(119_999)
  expect(fetchStub).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(fetchStub).toHaveBeenCalledTimes(2)
  dispatchEvent(new Event('online'))
  expect(fetchStub).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(fetchStub).toHaveBeenCalledTimes(3)
})

it("replaces the server's expiry time by one of this device's clock, from when the request was sent", async () => {
  const sentAt = Math.floor(Date.now() / 1000)
  const fromServer = { ...sessionWith('new', 3600), expires_at: 4_000_000_000 }
  fetchStub.mockImplementation(async () => {
    vi.setSystemTime(Date.now() + 60_000)
    return Response.json(fromServer)
  })
  const { response } = await refresh()
  expect(await response?.json()).toEqual({ ...fromServer, expires_at: sentAt + 3600 })
})

describe('a refresh that waits is abandoned, without another request,', () => {
  it.each([
    ['another tab has refreshed the session', () => storeSession(sessionWith('other-tab', 3600))],
    ['another user has signed in', () => storeSession(sessionWith('naomi', 3600, 'naomi'))],
    ['the user has signed out', () => endStoredSession('signed-out')],
  ])('when %s', async (_when, happen) => {
    fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
    const result = await refresh()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    happen()
    dispatchEvent(new StorageEvent('storage'))
    await vi.advanceTimersByTimeAsync(0)
    expect(result.response?.status).toBe(200)
    expect(fetchStub).toHaveBeenCalledOnce()
  })
})

describe('a call that needs the session', () => {
  it('fails as soon as an attempt to refresh fails', async () => {
    fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
    const call = unlessRefreshWaits(new Promise(() => {})).catch((failure: unknown) => failure)
    await refresh()
    expect(await call).toBeInstanceOf(NetworkUnavailableError)
    expect(isRefreshWaiting()).toBe(true)
  })

  it('causes another attempt, and gets its result', async () => {
    fetchStub.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(newSession())
    const refreshed = fetchRefresh('old', 'https://prayers.example/token')
    await vi.advanceTimersByTimeAsync(0)
    expect(isRefreshWaiting()).toBe(true)
    expect((await unlessRefreshWaits(refreshed)).status).toBe(200)
    expect(isRefreshWaiting()).toBe(false)
  })

  it('is not affected when no refresh fails', async () => {
    await expect(unlessRefreshWaits(Promise.resolve('done'))).resolves.toBe('done')
    await expect(unlessRefreshWaits(Promise.reject(new Error('rejected')))).rejects.toThrow('rejected')
  })
})
