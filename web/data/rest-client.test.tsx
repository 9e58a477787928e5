import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { auth } from '#web/lib/auth-client.ts'
import { SESSION_STORAGE_KEY } from '#web/lib/config.ts'
import { flashMessage } from '#web/lib/navigation-state.ts'
import { rest } from './rest-client.ts'

const fetchStub = vi.fn<typeof fetch>()
const onAuthEvent = vi.fn<(event: string) => void>()
let unsubscribe: () => void

beforeEach(() => {
  vi.stubGlobal('fetch', fetchStub.mockReset())
  // For each test its own, because auth-js remembers for a minute which refresh token was rejected.
  store(expect.getState().currentTestName ?? '')
  const { data } = auth.onAuthStateChange(onAuthEvent.mockReset())
  unsubscribe = () => data.subscription.unsubscribe()
})
afterEach(() => {
  unsubscribe()
  vi.unstubAllGlobals()
})
afterAll(() => auth.dispose())

function sessionWith(refreshToken: string) {
  return {
    access_token: `access of ${refreshToken}`,
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + 3600,
    user: { id: 'ruth', aud: 'authenticated', created_at: '', app_metadata: {}, user_metadata: {} },
  }
}

function store(refreshToken: string): void {
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(sessionWith(refreshToken)))
}

/** A server that accepts one access token, and responds to refreshes as given. */
function serve(accepted: string, refresh: () => Response, userError = 'session_not_found'): void {
  fetchStub.mockImplementation(async (input, init) => {
    const { url } = new Request(input)
    if (url.includes('/auth/v1/token')) return refresh()
    if (url.includes('/auth/v1/user')) return failure(403, userError)
    const isAccepted = new Headers(init?.headers).get('authorization') === `Bearer ${accepted}`
    return isAccepted
      ? Response.json([{ id: '1' }])
      : Response.json({ code: 'PGRST303', message: 'JWT expired' }, { status: 401 })
  })
}

function failure(status: number, code: string): Response {
  return Response.json({ code: status, error_code: code, msg: code }, { status })
}

const read = () => rest.from('categories').select('id')

it('refreshes a token that the server rejects, and sends the request again', async () => {
  serve('access of child', () => Response.json(sessionWith('child')))
  expect((await read()).data).toEqual([{ id: '1' }])
})

it('signs out when the session has ended, although the token is still valid on this device', async () => {
  serve('access of other', () => failure(400, 'refresh_token_not_found'))
  expect((await read()).status).toBe(401)
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull()
  expect(onAuthEvent).toHaveBeenCalledWith('SIGNED_OUT', null)
})

it('says so when the account was deleted', async () => {
  serve('access of other', () => failure(400, 'refresh_token_not_found'), 'user_not_found')
  await read()
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull()
  expect(flashMessage.get()).toContain('Your account has been deleted')
})

it('stays signed in when the session cannot be refreshed at the moment', async () => {
  serve('access of other', () => failure(429, 'over_request_rate_limit'))
  expect((await read()).status).toBe(401)
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).not.toBeNull()
})

it('keeps the session with which another tab has signed in meanwhile', async () => {
  serve('access of none', () => {
    store('other')
    return failure(400, 'refresh_token_not_found')
  })
  expect((await read()).status).toBe(401)
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).toContain('access of other')
})
