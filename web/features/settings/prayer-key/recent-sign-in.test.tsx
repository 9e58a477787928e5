import { expect, it, vi } from 'vitest'
import { sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { readStoredSession, writeStoredSession } from '#web/lib/session/stored-session.ts'
import { proveSignIn } from './recent-sign-in.tsx'

it('ends the session that it replaces, which would be listed as another device', async () => {
  const { user } = sessionWith('former', 3600)
  writeStoredSession(JSON.stringify(sessionWith('former', 3600)))
  const requests: unknown[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const { url, headers } = new Request(input, init)
    requests.push([url.slice(url.indexOf('/auth')), headers.get('authorization')])
    return url.includes('/token')
      ? Response.json(sessionWith('new', 3600))
      : new Response(null, { status: 204 })
  })
  const identities = [{ id: '1', user_id: '1', identity_id: '1', provider: 'email', identity_data: {} }]
  expect(await proveSignIn({ ...user, identities }, () => 'a quiet hour')).toBeNull()
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  expect(requests[1]).toEqual(['/auth/v1/logout?scope=local', 'Bearer access-former'])
  expect(readStoredSession()?.refresh_token).toBe('new')
})
