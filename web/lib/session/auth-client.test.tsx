import { GoTrueClient } from '@supabase/auth-js'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { auth, memoryClient } from './auth-client.ts'
import { readErrorResponse } from './auth-connection.ts'
import { accessTokenFor, rejectedRefresh, sessionWith, storeSession } from './sample-session.test-data.ts'
import { readStoredSession } from './stored-session.ts'

const NOW = new Date('2026-03-01T12:00:00Z').getTime()
const fetchStub = vi.fn<typeof fetch>()

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: NOW })
  vi.stubGlobal('fetch', fetchStub)
})
afterAll(() => auth.dispose())

const CREDENTIALS = { email: 'ruth@example.org', password: 'a quiet hour' }

describe('auth-js, as the app uses it,', () => {
  it('stores the session of a sign-in', async () => {
    fetchStub.mockResolvedValue(Response.json(sessionWith('new', 3600)))
    await auth.signInWithPassword(CREDENTIALS)
    expect(readStoredSession()?.refresh_token).toBe('new')
  })

  it('neither refreshes nor ends a stored session that has expired', async () => {
    storeSession(sessionWith('stored', -10))
    fetchStub.mockImplementation(async () => rejectedRefresh())
    await auth.initialize()
    expect((await auth.getSession()).data.session).toBeNull()
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(fetchStub).not.toHaveBeenCalled()
    expect(readStoredSession()?.refresh_token).toBe('stored')
  })

  it('does not end the stored session when the server rejects that of a link', async () => {
    storeSession(sessionWith('stored', -10))
    fetchStub.mockResolvedValue(Response.json({ error_code: 'session_not_found' }, { status: 403 }))
    const link = { access_token: accessTokenFor('ruth@example.org'), refresh_token: 'link' }
    const { error } = await auth.setSession(link)
    expect(error?.name).toBe('AuthSessionMissingError')
    expect(readStoredSession()?.refresh_token).toBe('stored')
  })

  it('fails without waiting when the network does', async () => {
    expectConsoleError('TypeError: Failed to fetch')
    fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
    const { error } = await auth.signInWithPassword(CREDENTIALS)
    expect(error).toMatchObject({ status: 0 })
  })

  it('keeps the sessions of several clients in memory apart, without a warning', async () => {
    const [one, other] = [memoryClient(), memoryClient()]
    fetchStub.mockResolvedValue(Response.json(sessionWith('one', 3600)))
    await one.signInWithPassword(CREDENTIALS)
    expect((await one.getSession()).data.session?.refresh_token).toBe('one')
    expect((await other.getSession()).data.session).toBeNull()
    expect(readStoredSession()).toBeNull()
  })
})

// Why the app does not leave the stored session to auth-js. If one of these fails with a new version, what it excuses may go.
describe('auth-js, left to itself,', () => {
  let clients = 0

  /** A client that finds a session in its storage which expired a week ago. */
  function createClient(responses: () => Promise<Response>) {
    const stored = new Map([['session', JSON.stringify(sessionWith('old', -7 * 86_400))]])
    fetchStub.mockImplementation(responses)
    clients += 1
    const client = new GoTrueClient({
      url: 'http://localhost/auth/v1',
      storage: {
        getItem: () => stored.get('session') ?? null,
        setItem: (_key, value) => void stored.set('session', value),
        removeItem: (key) => void (key.endsWith('-verifier') || stored.clear()),
      },
      storageKey: `left-to-itself-${String(clients)}`,
      skipAutoInitialize: true,
      autoRefreshToken: false,
    })
    return { client, stored }
  }

  it.each([
    ['408', () => Response.json({}, { status: 408 })],
    ['429', () => Response.json({ error_code: 'over_request_rate_limit' }, { status: 429 })],
    ['the page of a captive portal', () => new Response('<html>', { status: 403 })],
  ])('ends a session after %s', async (_what, respond) => {
    const { client, stored } = createClient(async () => respond())
    await client.getSession()
    expect(stored.size).toBe(0)
    await client.dispose()
  })

  it('waits for most of half a minute when there is no network', async () => {
    expectConsoleError('TypeError: Failed to fetch')
    const { client } = createClient(() => Promise.reject(new TypeError('Failed to fetch')))
    const result = vi.fn<() => void>()
    void client.getSession().then(result)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(result).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(result).toHaveBeenCalled()
    await client.dispose()
  })

  it('refreshes for each request when the clock is ahead', async () => {
    const { client } = createClient(async () => Response.json(sessionWith('new', -7 * 86_400)))
    await client.getSession()
    await client.getSession()
    expect(fetchStub).toHaveBeenCalledTimes(2)
    await client.dispose()
  })

  it('ends the stored session when the server rejects that of a link', async () => {
    const { client, stored } = createClient(async () =>
      Response.json({ error_code: 'session_not_found' }, { status: 403 }),
    )
    await client.setSession({ access_token: accessTokenFor('ruth@example.org'), refresh_token: 'link' })
    expect(stored.size).toBe(0)
    await client.dispose()
  })
})

describe('an error response of the auth service', () => {
  it('is read in both shapes of the protocol', () => {
    const error = { status: 429, code: 'over_request_rate_limit', message: 'Request rate limit reached' }
    const { code, message } = error
    expect(readErrorResponse(429, { code: 429, error_code: code, msg: message })).toEqual(error)
    expect(readErrorResponse(429, { code, message })).toEqual(error)
  })

  it.each([null, 'text', [], {}, { msg: 5, code: 500 }])('has no message when it is %j', (body) => {
    expect(readErrorResponse(502, body)).toEqual({ status: 502, code: '', message: '' })
  })
})
