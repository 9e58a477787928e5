import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { notice } from '#web/lib/navigation/navigation-state.ts'
import { openEmailChangeLink } from './change-account.ts'
import type { LinkResult } from './initial-url.ts'
import { accessTokenFor, sessionWith } from './sample-session.test-data.ts'
import { readStoredSession, writeStoredSession } from './stored-session.ts'

const CHANGED = { ...sessionWith('stored', 3600).user, email: 'ruth@example.com' }
const LINK: LinkResult = {
  kind: 'email-changed',
  accessToken: accessTokenFor('ruth@example.com'),
  refreshToken: 'link',
}

let calls: string[]
let respond: () => Response

beforeEach(() => {
  calls = []
  respond = () => Response.json(CHANGED)
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    calls.push(`${method} ${url.replace(/.*\/auth\/v1/, '')}`)
    return url.includes('/logout') ? new Response(null, { status: 204 }) : respond()
  })
})
afterEach(() => notice.set(null))

const open = (result: LinkResult) =>
  openEmailChangeLink({ path: '/settings/profile', hasSession: false, result })
const signIn = (userId: string) => writeStoredSession(JSON.stringify(sessionWith('stored', 3600, userId)))

describe('a link that has changed the address', () => {
  it('brings the user who is signed in up to date, in the session that was there', async () => {
    signIn('ruth')
    await open(LINK)
    expect(readStoredSession()).toMatchObject({
      refresh_token: 'stored',
      user: { email: 'ruth@example.com' },
    })
    expect(notice.get()).toBe('The new address ruth@example.com is confirmed. From now on, sign in with it.')
  })

  it('signs in nobody where nobody is signed in', async () => {
    await open(LINK)
    expect(readStoredSession()).toBeNull()
    expect(notice.get()).toContain('ruth@example.com is confirmed. From now on')
  })

  it('leaves somebody else signed in, and says whose address it was not', async () => {
    signIn('naomi')
    await open(LINK)
    expect(readStoredSession()?.user).toMatchObject({ id: 'naomi' })
    expect(notice.get()).toContain('for another account than the one you are signed in with')
  })

  it('leaves no session of its own behind', async () => {
    await open(LINK)
    expect(calls).toEqual(['GET /user', 'POST /logout?scope=local'])
  })

  it('claims nothing that the server does not confirm', async () => {
    respond = () => Response.json({ error_code: 'bad_jwt', msg: '' }, { status: 403 })
    signIn('ruth')
    await expect(open(LINK)).rejects.toMatchObject({ code: 'bad_jwt' })
    expect(notice.get()).toBeNull()
    expect(readStoredSession()?.user.email).toBeUndefined()
  })
})

it.each<[LinkResult, string]>([
  [
    { kind: 'email-half-confirmed' },
    'One of the two links is confirmed. Please open the one in the email to the other',
  ],
  [
    { kind: 'failure', description: 'Email link is invalid or has expired', code: 'otp_expired' },
    'The link to change an email address was used before, is too old, or the change was cancelled.',
  ],
  [
    { kind: 'failure', description: 'A user with this email address …', code: 'email_exists' },
    'Another account has the new email address by now, so yours stays as it is.',
  ],
  [
    { kind: 'failure', description: 'User is banned', code: 'user_banned' },
    'The link to change an email address did not work: User is banned',
  ],
])('after %o, says: %s', async (result, text) => {
  await open(result)
  expect(notice.get()).toContain(text)
  expect(calls).toEqual([])
})
