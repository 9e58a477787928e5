import type { Session } from '@supabase/auth-js'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { auth, currentAuthSession, removeLocalSession } from './auth-client.ts'
import { SESSION_STORAGE_KEY } from './config.ts'

const fetchStub = vi.fn<typeof fetch>()

beforeEach(() => {
  fetchStub.mockReset()
  vi.stubGlobal('fetch', fetchStub)
})
afterEach(() => vi.unstubAllGlobals())
afterAll(() => auth.dispose())

function sessionWith(refreshToken: string, expiresInSeconds: number): Session {
  return {
    access_token: `access-${refreshToken}`,
    refresh_token: refreshToken,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + expiresInSeconds,
    user: { id: 'ruth', aud: 'authenticated', created_at: '', app_metadata: {}, user_metadata: {} },
  }
}

function store(session: Session): void {
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(session))
}

it('returns the session that another tab has refreshed at the same time', async () => {
  store(sessionWith('old', 10))
  fetchStub.mockImplementation(async () => {
    store(sessionWith('other-tab', 3600))
    return Response.json(sessionWith('this-tab', 3600))
  })
  expect((await currentAuthSession())?.access_token).toBe('access-other-tab')
  expect(fetchStub).toHaveBeenCalledTimes(1)
})

it('rejects, after a single request, when the session cannot be refreshed', async () => {
  store(sessionWith('revoked', -10))
  fetchStub.mockResolvedValue(
    Response.json({ code: 400, error_code: 'refresh_token_not_found', msg: 'Not found' }, { status: 400 }),
  )
  await expect(currentAuthSession()).rejects.toMatchObject({ code: 'refresh_token_not_found' })
  expect(fetchStub).toHaveBeenCalledTimes(1)
})

it('removes the session without a request, and notifies subscribers', async () => {
  store(sessionWith('current', 3600))
  const listener = vi.fn<(event: string) => void>()
  const { data } = auth.onAuthStateChange(listener)
  await removeLocalSession()
  data.subscription.unsubscribe()
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull()
  expect(listener).toHaveBeenCalledWith('SIGNED_OUT', null)
  expect(fetchStub).not.toHaveBeenCalled()
})
