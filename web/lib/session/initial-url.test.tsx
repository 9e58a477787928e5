import { describe, expect, it, vi } from 'vitest'
import { readLinkResult } from './initial-url.ts'
import { sessionWith, storeSession } from './sample-session.test-data.ts'

const read = (url: string) => readLinkResult(new URL(url, 'https://prayers.example'))

const RESET = '/reset-password'
const WITHOUT_TOKENS = { kind: 'recovery', link: 'recovery', accessToken: null, refreshToken: null }
const CONFIRMATION = { kind: 'confirmation', accessToken: 'a', refreshToken: 'r' }
const NONE = { kind: 'none' }

describe('the result in a URL', () => {
  it.each([
    [
      `${RESET}#access_token=a.b.c&refresh_token=r&sb=&token_type=bearer&type=recovery`,
      { kind: 'recovery', link: 'recovery', accessToken: 'a.b.c', refreshToken: 'r' },
    ],
    [
      '/#access_token=a&refresh_token=r&type=invite',
      { kind: 'recovery', link: 'invitation', accessToken: 'a', refreshToken: 'r' },
    ],
    [`${RESET}#type=recovery`, WITHOUT_TOKENS],
    [`${RESET}#recovery`, WITHOUT_TOKENS],
    [`${RESET}#recovery&x=1`, WITHOUT_TOKENS],
    [
      `${RESET}#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid`,
      { kind: 'failure', description: 'Email link is invalid', code: 'otp_expired' },
    ],
    [
      '/auth/callback?error=server_error&error_description=No+email',
      { kind: 'failure', description: 'No email', code: null },
    ],
    ['/', NONE],
    ['/?mode=reset', NONE],
    ['/#access_token=a&refresh_token=r&type=signup', CONFIRMATION],
    [
      '/settings/profile#access_token=a&refresh_token=r&type=email_change',
      { ...CONFIRMATION, kind: 'email-changed' },
    ],
    ['/settings/profile#message=Confirmation+link+accepted&sb=', { kind: 'email-half-confirmed' }],
    // A stranger who requests an email for someone chooses where its link leads.
    ['/?error=x&access_token=b#c=&#access_token=a&refresh_token=r&type=signup', CONFIRMATION],
    [
      '/#type=signup#access_token=a&refresh_token=r&type=recovery',
      { ...CONFIRMATION, kind: 'recovery', link: 'recovery' },
    ],
    ['/#access_token=a&refresh_token=r', NONE],
    ['/#type=signup', NONE],
    ['/#top', NONE],
  ])('of %s is %o', (url, result) => {
    expect(read(url)).toEqual(result)
  })
})

it('the session in a link is used by guests only', async () => {
  const open = async () => {
    history.replaceState(null, '', '/#access_token=a&refresh_token=r&type=signup')
    vi.resetModules()
    const { initialUrl } = await import('./initial-url.ts')
    history.replaceState(null, '', '/')
    return initialUrl.result.kind
  }
  expect(await open()).toBe('confirmation')
  storeSession(sessionWith('a', 3600))
  expect(await open()).toBe('failure')
})
