import type { Session } from '@supabase/auth-js'
import { beforeEach, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { FakePush, PUSH_KEY } from '#web/data/fake-push.test-data.ts'
import { turnOnNotifications } from '#web/data/notifications.ts'
import { accessTokenFor, sampleApp, sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { endStoredSession, readStoredSession, writeStoredSession } from '#web/lib/session/stored-session.ts'
import { proveSignIn } from './recent-sign-in.tsx'

let push: FakePush
let requests: string[]
/** What happens in another tab while the password is checked. */
let meanwhile: () => void
/** The session that begins with the password. */
let next: Session

beforeEach(() => {
  meanwhile = () => {}
  next = sessionWith('new', 3600)
  refusal = 'mfa_verification_failed'
  writeStoredSession(JSON.stringify(sessionWith('former', 3600)))
  push = new FakePush()
  push.install()
  requests = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const { url, method, headers } = new Request(input, init)
    const { pathname, search } = new URL(url)
    requests.push(`${method} ${pathname}${search} ${headers.get('authorization') ?? ''}`)
    if (pathname === '/reminders/v1/subscription') return push.respond(method, init?.body)
    if (pathname === '/auth/v1/token') {
      meanwhile()
      return Response.json(next)
    }
    if (pathname.endsWith('/challenge'))
      return Response.json({ id: 'challenge', type: 'totp', expires_at: 0 })
    if (pathname.endsWith('/verify')) return answerCode(pathname)
    if (pathname === '/auth/v1/user') return Response.json(next.user)
    if (pathname === '/auth/v1/settings')
      return Response.json({ reminders: { push_key: PUSH_KEY, email: true } })
    // With a session, the server forgets where its notifications go.
    push.registered = null
    return new Response(null, { status: 204 })
  })
})

let refusal = 'mfa_verification_failed'

/** The code is of the second app, or a recovery code. */
function answerCode(path: string): Response {
  if (/second|recovery/.test(path)) return Response.json(sessionWith('raised', 3600))
  return Response.json({ error_code: refusal, msg: 'Invalid' }, { status: 422 })
}

function provePassword(apps: readonly string[] = [], code = '123 456') {
  const identities = [{ id: '1', user_id: '1', identity_id: '1', provider: 'email', identity_data: {} }]
  const { user } = sessionWith('former', 3600)
  const factors = apps.map((name) => sampleApp(name))
  // auth-js reads it before it gives a code.
  if (apps.length > 0) next = { ...next, access_token: accessTokenFor('ruth@example.org') }
  return proveSignIn({ ...user, identities, factors }, (field) => (field === 'code' ? code : 'a quiet hour'))
}

it('ends the session that it replaces, which would be listed as another device', async () => {
  expect(await provePassword()).toBeNull()
  await expect.poll(() => requests).toHaveLength(2)
  expect(requests[1]).toBe('POST /auth/v1/logout?scope=local Bearer access-former')
  expect(readStoredSession()?.refresh_token).toBe('new')
})

it('is given the code of any of the apps', async () => {
  expect(await provePassword(['first', 'second'])).toBeNull()
  expect(readStoredSession()?.refresh_token).toBe('raised')
})

it('is given a recovery code instead', async () => {
  await provePassword(['second'], 'abcd-2345-efgh')
  expect(requests.filter((each) => each.includes('/factors')).map((each) => each.split(' ')[1])).toEqual([
    '/auth/v1/factors/recovery-codes/verify',
  ])
})

it('tries no other app after too many codes', async () => {
  expectConsoleError('Too many codes')
  refusal = 'over_request_rate_limit'
  await provePassword(['first', 'second'])
  expect(requests.filter((each) => each.includes('/verify'))).toHaveLength(1)
})

it('leaves everything as it was if the code is wrong', async () => {
  expectConsoleError('This code is wrong')
  expect(await provePassword(['first'])).toMatchObject({ errors: { code: expect.stringContaining('wrong') } })
  expect(readStoredSession()?.refresh_token).toBe('former')
  await expect.poll(() => requests).toContain(`POST /auth/v1/logout?scope=local Bearer ${next.access_token}`)
})

it.each([
  ['has signed out', () => endStoredSession('signed-out'), undefined],
  [
    'was replaced by somebody else',
    () => writeStoredSession(JSON.stringify(sessionWith('other', 3600, 'peter'))),
    'other',
  ],
])('stores no session, and leaves none, of a user who %s meanwhile', async (_what, happen, kept) => {
  expectConsoleError('User not authenticated')
  meanwhile = happen
  expect(await provePassword()).toEqual({ error: 'User not authenticated' })
  expect(readStoredSession()?.refresh_token).toBe(kept)
  expect(requests[1]).toBe('POST /auth/v1/logout?scope=local Bearer access-new')
})

it('takes its place also if the session that it replaces was refreshed meanwhile', async () => {
  meanwhile = () => writeStoredSession(JSON.stringify(sessionWith('refreshed', 3600)))
  expect(await provePassword()).toBeNull()
  await expect.poll(() => requests).toHaveLength(2)
  expect(requests[1]).toBe('POST /auth/v1/logout?scope=local Bearer access-refreshed')
})

it('registers notifications for the new session, as they end with the former one', async () => {
  await turnOnNotifications(PUSH_KEY)
  push.requests.length = 0
  await provePassword()
  await expect.poll(() => push.requests).toEqual(['GET', 'PUT', 'GET'])
  expect(requests).toContain('PUT /reminders/v1/subscription Bearer access-new')
  expect(push.registered).toBe('https://push.example.org/2')
})
