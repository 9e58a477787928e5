import { AuthApiError, AuthSessionMissingError } from '@supabase/auth-js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NetworkUnavailableError } from '#web/lib/error-message.ts'
import { rejectedRefresh, sessionWith, storeSession } from './sample-session.test-data.ts'
import { endStoredSession, readEndedSession, readStoredSession } from './stored-session.ts'
import { currentAuthSession, revokeSession, sessionAfterRejection } from './token-refresh.ts'

const TEN_YEARS = 10 * 365 * 86_400
const NOW = new Date('2026-03-01T12:00:00Z').getTime()
const fetchStub = vi.fn<typeof fetch>()
const html = (status: number) =>
  new Response('<h1>Accept our terms</h1>', { status, headers: { 'content-type': 'text/html' } })

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: NOW })
  vi.stubGlobal('fetch', fetchStub)
})

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
    storeSession(sessionWith('stored', 91))
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
    expect(readStoredSession()?.access_token).toBe('access-new1')
    expect(fetchStub).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/\/auth\/v1\/token\?grant_type=refresh_token$/),
      expect.objectContaining({ method: 'POST', body: '{"refresh_token":"old"}' }),
    )
  })

  it('stays the one of its user, whoever the server says that it is of', async () => {
    storeSession(sessionWith('old', 10))
    fetchStub.mockResolvedValue(Response.json(sessionWith('new', 3600, 'naomi')))
    await expect(currentAuthSession()).rejects.toThrow(NetworkUnavailableError)
    expect(readStoredSession()?.refresh_token).toBe('old')
  })

  it('keeps its refresh token if the server does not replace it', async () => {
    storeSession(sessionWith('same', 10))
    fetchStub.mockResolvedValue(Response.json({ ...sessionWith('same', 3600), access_token: 'access-new' }))
    expect((await currentAuthSession())?.access_token).toBe('access-new')
  })

  const happenings: [string, () => void, string | null][] = [
    ['another tab has refreshed it', () => storeSession(sessionWith('other-tab', 3600)), 'other-tab'],
    ['another user has signed in', () => storeSession(sessionWith('naomi', -TEN_YEARS, 'naomi')), 'naomi'],
    ['the user has signed out', () => endStoredSession('signed-out'), null],
  ]
  const answers: [string, () => Response][] = [
    ['a new session', () => Response.json(sessionWith('this-tab', 3600))],
    ['a rejection', () => rejectedRefresh()],
    ['an outage', () => new Response(null, { status: 503 })],
  ]
  it.each(
    happenings.flatMap(([what, happen, stored]) =>
      answers.map(([which, answer]) => ({ what, happen, stored, which, answer })),
    ),
  )('is not touched by $which that arrives after $what', async ({ happen, stored, answer }) => {
    storeSession(sessionWith('old', 10))
    fetchStub.mockImplementation(async () => {
      happen()
      return answer()
    })
    const current = await currentAuthSession().catch(() => null)
    expect(current?.refresh_token ?? null).toBe(stored)
    expect(readStoredSession()?.refresh_token ?? null).toBe(stored)
    expect(fetchStub).toHaveBeenCalledOnce()
  })

  it('is missing, not null, if the user signs out while it is refreshed', async () => {
    storeSession(sessionWith('old', 10))
    fetchStub.mockImplementation(async () => {
      endStoredSession('signed-out')
      return Response.json(sessionWith('new', 3600))
    })
    await expect(currentAuthSession()).rejects.toThrow(AuthSessionMissingError)
  })

  it.each([
    ['the server has ended it', rejectedRefresh('session_not_found'), 'expired'],
    ['its token was used before', rejectedRefresh('refresh_token_already_used'), 'expired'],
    ['the code of newer versions', Response.json({ code: 'session_expired' }, { status: 401 }), 'expired'],
    ['the user was deleted', Response.json({ error_code: 'user_not_found' }, { status: 403 }), 'expired'],
    ['invalid_grant of old versions', Response.json({ error: 'invalid_grant' }, { status: 400 }), 'expired'],
    ['the server does not know it', rejectedRefresh('refresh_token_not_found'), 'lost'],
    [
      'the same in newer versions',
      Response.json({ code: 'refresh_token_not_found' }, { status: 400 }),
      'lost',
    ],
  ])('ends, after a single request, when the server rejects it: %s', async (_what, response, reason) => {
    storeSession(sessionWith('old', -10))
    fetchStub.mockResolvedValue(response)
    await expect(currentAuthSession()).rejects.toThrow(AuthApiError)
    expect(fetchStub).toHaveBeenCalledOnce()
    expect(readStoredSession()).toBeNull()
    expect(readEndedSession()).toEqual({ userId: 'ruth', reason })
  })
})

const OUTAGES: [string, () => Promise<Response>][] = [
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the page of a captive portal with 200', async () => html(200)],
  ['the page of a captive portal with 403', async () => html(403)],
  ['JSON that is no session', async () => Response.json({ status: 'ok' })],
  ['a session without a user', async () => Response.json({ ...sessionWith('new', 3600), user: null })],
  ['a gateway that rejects the API key', async () => Response.json({ message: 'No' }, { status: 401 })],
  ...[408, 409, 422, 429, 500, 502, 503, 504, 520, 530].map((status): (typeof OUTAGES)[number] => [
    String(status),
    async () => Response.json({ error_code: 'over_request_rate_limit' }, { status }),
  ]),
]

it.each(OUTAGES)('a session that cannot be refreshed is kept, without waiting: %s', async (_what, outage) => {
  storeSession(sessionWith('old', -7 * 86_400))
  fetchStub.mockImplementation(outage)
  await expect(currentAuthSession()).rejects.toThrow(NetworkUnavailableError)
  await expect(currentAuthSession()).rejects.toThrow(NetworkUnavailableError)
  expect(readStoredSession()?.refresh_token).toBe('old')
  respondWithNewSessions()
  expect((await currentAuthSession())?.access_token).toBe('access-new1')
})

it.each([
  ['120', 120],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
])('passes on how long the server wants to be left alone: %s', async (header, retryAfter) => {
  storeSession(sessionWith('old', -10))
  fetchStub.mockResolvedValue(new Response('{}', { status: 503, headers: { 'retry-after': header } }))
  await expect(currentAuthSession()).rejects.toMatchObject({ retryAfter })
})

it("replaces the server's expiry time by one of this device's clock, from when the request was sent", async () => {
  storeSession(sessionWith('old', -10))
  const fromServer = { ...sessionWith('new', 3600), expires_at: 4_000_000_000 }
  fetchStub.mockImplementation(async () => {
    vi.setSystemTime(NOW + 60_000)
    return Response.json(fromServer)
  })
  expect(await currentAuthSession()).toEqual({ ...fromServer, expires_at: NOW / 1000 + 3600 })
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
    vi.advanceTimersByTime(60_000)
  }
  vi.advanceTimersByTime(10 * 60_000)
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
    vi.advanceTimersByTime(60_000)
    expect((await sessionAfterRejection('access-new1'))?.access_token).toBe('access-new2')
  })

  it('ends a session that seems valid by the clock of this device, but that the server has ended', async () => {
    storeSession(sessionWith('old', TEN_YEARS))
    fetchStub.mockImplementation(async () => rejectedRefresh('session_expired'))
    expect(await sessionAfterRejection('access-old')).toBeNull()
    expect(readEndedSession()).toEqual({ userId: 'ruth', reason: 'expired' })
  })

  it.each([
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a fault', async () => new Response(null, { status: 503 })],
  ])(
    'ends the session, and does not take the account for deleted if the server cannot say so: %s',
    async (_what, answer) => {
      storeSession(sessionWith('old', 3600))
      fetchStub.mockResolvedValueOnce(rejectedRefresh('session_not_found')).mockImplementationOnce(answer)
      expect(await sessionAfterRejection('access-old')).toBeNull()
      expect(fetchStub).toHaveBeenLastCalledWith(
        expect.stringMatching(/\/auth\/v1\/user$/),
        expect.anything(),
      )
      expect(readEndedSession()).toEqual({ userId: 'ruth', reason: 'expired' })
    },
  )

  it('keeps the session when the server cannot be reached', async () => {
    storeSession(sessionWith('kept', 3600))
    fetchStub.mockResolvedValue(html(403))
    await expect(sessionAfterRejection('access-kept')).rejects.toThrow(NetworkUnavailableError)
    expect(readStoredSession()?.refresh_token).toBe('kept')
  })
})

describe('revoking a session at the server', () => {
  it('is one request that may outlive the tab', async () => {
    fetchStub.mockResolvedValue(new Response(null, { status: 204 }))
    expect(await revokeSession(sessionWith('old', 3600), 'global')).toBeNull()
    expect(fetchStub).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('/auth/v1/logout?scope=global'),
      expect.objectContaining({ keepalive: true }),
    )
  })

  it('refreshes an expired session first, without storing it', async () => {
    fetchStub.mockImplementation(async () => new Response(null, { status: 204 }))
    fetchStub.mockImplementationOnce(async () => Response.json(sessionWith('new', 3600)))
    expect(await revokeSession(sessionWith('old', -10), 'global')).toBeNull()
    const headers: unknown = fetchStub.mock.calls[1]?.[1]?.headers
    expect(fetchStub).toHaveBeenCalledTimes(2)
    expect(headers).toMatchObject({ Authorization: 'Bearer access-new' })
    expect(readStoredSession()).toBeNull()
  })
})
