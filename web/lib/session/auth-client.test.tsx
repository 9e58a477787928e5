import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { auth, currentAuthSession, revokeSession, sessionAfterRejection } from './auth-client.ts'
import { rejectedRefresh, sessionWith, storeSession } from './sample-session.test-data.ts'
import { endStoredSession, readEndedSession, readStoredSession } from './stored-session.ts'
import { NetworkUnavailableError } from './token-refresh.ts'

const TEN_YEARS = 10 * 365 * 86_400
const NOW = new Date('2026-03-01T12:00:00Z').getTime()
const fetchStub = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  vi.stubGlobal('fetch', fetchStub)
})
afterEach(async () => {
  // Ends a refresh that still waits, and auth-js's cached failures.
  endStoredSession('signed-out')
  await vi.advanceTimersByTimeAsync(120_000)
})
afterAll(() => auth.dispose())

/** Responds to refreshes like the server, with its own clock. */
function respondWithNewSessions(serverAheadBy = 0) {
  let count = 0
  fetchStub.mockImplementation(async () => {
    count += 1
    return Response.json(sessionWith(`new${String(count)}`, 3600 + serverAheadBy))
  })
}

describe('the current session', () => {
  it('is the stored one, without a request, while its access token is valid', async () => {
    // auth-js may be waiting for something else.
    vi.spyOn(auth, 'getSession').mockReturnValue(new Promise(() => {}))
    storeSession(sessionWith('stored', 3600))
    expect((await currentAuthSession())?.refresh_token).toBe('stored')
    expect(fetchStub).not.toHaveBeenCalled()
  })

  it('is null for guests', async () => {
    expect(await currentAuthSession()).toBeNull()
  })

  it('is refreshed once for all callers when it is about to expire', async () => {
    storeSession(sessionWith('old', 80))
    respondWithNewSessions()
    const sessions = await Promise.all([currentAuthSession(), currentAuthSession()])
    expect(sessions.map((session) => session?.access_token)).toEqual(['access-new1', 'access-new1'])
    expect(fetchStub).toHaveBeenCalledOnce()
  })

  it('is the one that another tab has refreshed at the same time', async () => {
    storeSession(sessionWith('old', 10))
    fetchStub.mockImplementation(async () => {
      storeSession(sessionWith('other-tab', 3600))
      return Response.json(sessionWith('this-tab', 3600))
    })
    expect((await currentAuthSession())?.access_token).toBe('access-other-tab')
    expect(fetchStub).toHaveBeenCalledOnce()
  })

  it.each([
    ['session_not_found', 'expired'],
    ['refresh_token_already_used', 'expired'],
    ['refresh_token_not_found', 'lost'],
  ])('ends, after a single request, when the server rejects it: %s', async (code, reason) => {
    storeSession(sessionWith(code, -10))
    fetchStub.mockResolvedValue(rejectedRefresh(code))
    await expect(currentAuthSession()).rejects.toThrow(/^Invalid Refresh Token|^Auth session missing/)
    expect(fetchStub).toHaveBeenCalledOnce()
    expect(readStoredSession()).toBeNull()
    expect(readEndedSession()).toEqual({ userId: 'ruth', reason })
  })

  it('is unavailable after a week offline, without waiting, and is kept until the network is back', async () => {
    storeSession(sessionWith('old', -7 * 86_400))
    fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
    await expect(currentAuthSession()).rejects.toThrow(NetworkUnavailableError)
    await expect(currentAuthSession()).rejects.toThrow(NetworkUnavailableError)
    expect(readStoredSession()?.refresh_token).toBe('old')
    respondWithNewSessions()
    dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect((await currentAuthSession())?.access_token).toBe('access-new1')
  })
})

it.each([
  ['ahead', -TEN_YEARS],
  ['behind', TEN_YEARS],
])('a clock that is ten years %s needs one refresh an hour', async (_direction, serverAheadBy) => {
  storeSession(sessionWith('old', serverAheadBy))
  respondWithNewSessions(serverAheadBy)
  // A token that is valid by this device's clock is used until the server rejects it.
  const first = await currentAuthSession()
  if (serverAheadBy > 0) await sessionAfterRejection(first?.access_token ?? '')
  for (let minute = 0; minute < 50; minute += 1) {
    expect((await currentAuthSession())?.access_token).toBe('access-new1')
    await vi.advanceTimersByTimeAsync(60_000)
  }
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect((await currentAuthSession())?.access_token).toBe('access-new2')
  expect(fetchStub).toHaveBeenCalledTimes(2)
})

describe('after the server has rejected an access token', () => {
  it('refreshes once for all requests, and at most once a minute', async () => {
    storeSession(sessionWith('old', 3600))
    respondWithNewSessions()
    const sessions = await Promise.all([
      sessionAfterRejection('access-old'),
      sessionAfterRejection('access-old'),
    ])
    expect(sessions.map((session) => session?.access_token)).toEqual(['access-new1', 'access-new1'])
    expect((await sessionAfterRejection('access-old'))?.access_token).toBe('access-new1')
    expect(await sessionAfterRejection('access-new1')).toBeNull()
    expect(fetchStub).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(60_000)
    expect((await sessionAfterRejection('access-new1'))?.access_token).toBe('access-new2')
  })

  it('ends a session that seems valid by the clock of this device, but that the server has ended', async () => {
    storeSession(sessionWith('old', TEN_YEARS))
    fetchStub.mockResolvedValue(rejectedRefresh('session_expired'))
    expect(await sessionAfterRejection('access-old')).toBeNull()
    expect(readEndedSession()).toEqual({ userId: 'ruth', reason: 'expired' })
  })

  it('keeps the session when the server cannot be reached', async () => {
    storeSession(sessionWith('kept', 3600))
    fetchStub.mockResolvedValue(new Response('<html>', { status: 403 }))
    await expect(sessionAfterRejection('access-kept')).rejects.toThrow(NetworkUnavailableError)
    expect(readStoredSession()?.refresh_token).toBe('kept')
  })
})

describe('revoking a session at the server', () => {
  it('is one request that may outlive the tab', async () => {
    fetchStub.mockResolvedValue(new Response(null, { status: 204 }))
    expect(await revokeSession(sessionWith('old', 3600))).toBeNull()
    expect(fetchStub).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('/auth/v1/logout?scope=global'),
      expect.objectContaining({ keepalive: true }),
    )
  })

  it('refreshes an expired session first, without storing it', async () => {
    respondWithNewSessions()
    fetchStub.mockImplementationOnce(async () => Response.json(sessionWith('new', 3600)))
    expect(await revokeSession(sessionWith('old', -10))).toBeNull()
    const headers: unknown = fetchStub.mock.calls[1]?.[1]?.headers
    expect(fetchStub).toHaveBeenCalledTimes(2)
    expect(headers).toMatchObject({ Authorization: 'Bearer access-new' })
    expect(readStoredSession()).toBeNull()
  })
})

it('a sign-in fails without waiting when the network does', async () => {
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
  vi.spyOn(console, 'error').mockReturnValue()
  const { error } = await auth.signInWithPassword({ email: 'ruth@example.org', password: 'wrong' })
  expect(error).toMatchObject({ status: 0 })
})
