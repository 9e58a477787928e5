import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { currentRecovery } from '#web/lib/session/recovery.ts'
import { accessTokenFor, sessionWith, sessionWithApp } from '#web/lib/session/sample-session.test-data.ts'
import { readStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, submitFormOf } from '#web/test-rendering.tsx'
import { ResetPasswordScreen } from './reset-password-screen.tsx'

const { user } = sessionWith('recovery', 3600)
const SAME_PASSWORD = 'New password should be different from the old password.'

/** The response to each call, by method and the end of the path; by default, the server accepts it. */
const responses = new Map<string, () => Response | Promise<Response>>()
const calls: string[] = []
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const shownError = () => screen.getByRole('alert').textContent
const rejection = (code: string, message: string, status = 422) =>
  Response.json({ error_code: code, msg: message }, { status })

beforeEach(() => {
  responses.clear()
  calls.length = 0
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
    const call = `${method} ${url.replace(/^https?:\/\/[^/]+(?:\/auth\/v1)?/, '')}`
    calls.push(call)
    return responses.get(call)?.() ?? Response.json(user)
  })
})

async function open(link: 'recovery' | 'confirmation' | 'invitation', label = 'New Password') {
  const accessToken = accessTokenFor('ruth@example.org')
  const recovery = { stage: 'open', link, accessToken, refreshToken: 'recovery' }
  sessionStorage.setItem('intercede-recovery', JSON.stringify(recovery))
  render(<ResetPasswordScreen />)
  await screen.findByLabelText(label)
  calls.length = 0
}

async function setPassword(password: string, confirmation = password) {
  enter('New Password', password)
  enter('Confirm Password', confirmation)
  await submitFormOf('New Password')
}

afterEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

const KEYS_IN_USE = 'GET /rest/v1/encryption_keys?select=state&state=in.(encrypting,on,decrypting)'

it.each([
  [
    'whose account is encrypted',
    () => Response.json([{ state: 'on' }]),
    /devices\. Do you have your prayer key/,
  ],
  [
    'whose prayers are being encrypted with a new key',
    () => Response.json([{ state: 'on' }, { state: 'encrypting' }]),
    /Do you have it, and the one before/,
  ],
  ['of which the server cannot tell', () => Response.json({}, { status: 503 }), /If your prayers are/],
  [
    'while the connection is lost',
    () => Promise.reject(new TypeError('lost')),
    /If your prayers are encrypted/,
  ],
  ['whose account is not encrypted', () => Response.json([]), /^$/],
])(
  'asks for the prayer key as far as it is needed: a recovery link %s',
  async (_name, response, question) => {
    responses.set(KEYS_IN_USE, response)
    await open('recovery')
    expect(screen.queryByText(/prayer key/)?.textContent ?? '').toMatch(question)
  },
)

describe('a recovery link', () => {
  beforeEach(() => open('recovery'))

  it.each([
    ['a new and quiet hour', 'a new and quite hour', 'Confirm Password', 'Passwords do not match'],
    ['quiet', 'quiet', 'New Password', 'Password must be at least 6 characters long'],
  ])('%j, entered again as %j, is not sent', async (password, confirmation, label, error) => {
    await setPassword(password, confirmation)
    expect(shownError()).toBe(error)
    expect(document.activeElement).toBe(field(label))
    expect(field('New Password').value).toBe(password)
    expect(calls).toEqual([])
  })

  it('says what is wrong until it is right', async () => {
    await setPassword('quiet')
    enter('New Password', 'still')
    expect(shownError()).toBe('Password must be at least 6 characters long')
    enter('New Password', 'a quiet hour')
    expect(screen.queryByRole('alert')).toBeNull()
    await submitFormOf('New Password')
    expect(shownError()).toBe('Passwords do not match')
    enter('New Password', 'quiet')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is busy until the server responds, and shows its message, without losing what was typed; no tab is signed in before', async () => {
    let respond: (response: Response) => void = () => {}
    responses.set('PUT /user', () => new Promise((resolve) => (respond = resolve)))
    await setPassword('a quiet hour')
    const busy = screen.getByRole('button', { name: 'Updating Password...' })
    expect(busy.getAttribute('aria-busy')).toBe('true')

    await expect.poll(() => calls).toContain('PUT /user')
    expectConsoleError('Failed to update password')
    await act(async () => respond(rejection('same_password', SAME_PASSWORD)))
    await expect.poll(shownError).toBe(SAME_PASSWORD)
    expect(readStoredSession()).toBeNull()

    responses.set('PUT /user', () => Response.json({}, { status: 503 }))
    expectConsoleError('Failed to update password')
    await press('Update Password')
    await expect.poll(shownError).toBe('Failed to update password. Please try again.')
    expect(field('New Password').value).toBe('a quiet hour')
    responses.delete('PUT /user')
    await press('Update Password')
    await expect.poll(() => currentRecovery().stage).toBe('done')
  })

  it('that was opened too long ago leads to a new one', async () => {
    responses.set('PUT /user', () => rejection('reauthentication_needed', 'Needed', 400))
    expectConsoleError('Failed to update password')
    await setPassword('a quiet hour')
    await expect.poll(shownError).toBe('The link was opened too long ago.')
    expect(screen.getByRole('link', { name: 'Request a new link' }).getAttribute('href')).toBe('/?mode=reset')
  })

  it('with an invalid token leads to a new one', async () => {
    responses.set('GET /user', () => rejection('bad_jwt', 'invalid JWT', 403))
    expectConsoleError('Failed to set session')
    await setPassword('a quiet hour')
    await expect.poll(shownError).toBe('Failed to authenticate with the provided token')
    expect(screen.getByRole('link', { name: 'Request a new link' }).isConnected).toBe(true)
    expect(screen.queryByLabelText('New Password')).toBeNull()
  })
})

describe('a recovery link of an account with an authenticator app', () => {
  const withApp = () => Response.json(sessionWithApp('aal1').user)

  it('asks for the code first, and sets the password in the session that has it', async () => {
    responses.set('GET /user', withApp)
    responses.set('POST /factors/My phone/challenge', () =>
      Response.json({ id: 'challenge', type: 'totp', expires_at: 0 }),
    )
    responses.set('POST /factors/My phone/verify', () => Response.json(sessionWithApp('aal2')))
    responses.set(KEYS_IN_USE, () => Response.json({ code: 'PT401' }, { status: 401 }))
    await open('recovery', 'Code')
    expect(screen.queryByLabelText('New Password')).toBeNull()
    responses.set(KEYS_IN_USE, () => Response.json([{ state: 'on' }]))
    enter('Code', '123456')
    await submitFormOf('Code')
    await screen.findByLabelText('New Password')
    expect(screen.getByText(/prayer key/).textContent).toMatch(/devices\. Do you have your prayer key/)
    expect(currentRecovery()).toMatchObject({ stage: 'open', link: 'recovery', refreshToken: 'aal2' })
    expect(readStoredSession()).toBeNull()
    await setPassword('a quiet hour')
    await expect.poll(() => currentRecovery().stage).toBe('done')
    expect(readStoredSession()?.refresh_token).toBe('aal2')
  })

  it('takes a recovery code too', async () => {
    responses.set('GET /user', withApp)
    responses.set('POST /factors/recovery-codes/verify', () => Response.json(sessionWithApp('aal2')))
    await open('recovery', 'Code')
    await press('Use a recovery code')
    enter('Recovery code', 'k7xq')
    await submitFormOf('Recovery code')
    expect(await screen.findByLabelText('New Password')).toBeDefined()
  })

  it('says that it needs the code if that could not be known before', async () => {
    responses.set('GET /user', () => Response.json({}, { status: 502 }))
    await open('recovery')
    responses.set('GET /user', withApp)
    responses.set('PUT /user', () => rejection('insufficient_aal', 'AAL2 session is required', 401))
    expectConsoleError('Failed to update password')
    await setPassword('a quiet hour')
    await expect.poll(shownError).toBe('Your account needs a code first. Please load this page again.')
    expect(currentRecovery().stage).toBe('open')
  })
})

describe('a link that confirms an address that was not signed up in this browser', () => {
  beforeEach(() => open('confirmation'))

  it('says why it asks for a password, and signs in once it is set', async () => {
    expect(screen.getByRole('heading').textContent).toBe('Set Your Password')
    expect(document.body.textContent).toContain('ruth@example.org is confirmed')
    await setPassword('a quiet hour')
    await expect.poll(() => currentRecovery().stage).toBe('none')
    expect(readStoredSession()?.user.id).toBe('ruth')
  })

  it('accepts the password of the sign-up, and ends the other sessions', async () => {
    responses.set('PUT /user', () => rejection('same_password', SAME_PASSWORD))
    await setPassword('a quiet hour')
    await expect.poll(() => currentRecovery().stage).toBe('none')
    expect(calls).toContain('POST /logout?scope=others')
    expect(readStoredSession()?.user.id).toBe('ruth')
  })

  it('signs no one in while the other sessions could not be ended', async () => {
    responses.set('PUT /user', () => rejection('same_password', SAME_PASSWORD))
    responses.set('POST /logout?scope=others', () => Response.json({}, { status: 502 }))
    expectConsoleError('Failed to update password')
    await setPassword('a quiet hour')
    await expect.poll(shownError).toBe('Failed to update password. Please try again.')
    expect(readStoredSession()).toBeNull()
    expect(currentRecovery().stage).toBe('open')
  })
})

it('an invitation says for which address, and signs in once the password is set', async () => {
  await open('invitation')
  expect(screen.getByRole('heading').textContent).toBe('Welcome to Intercede')
  expect(document.body.textContent).toContain('the account for ruth@example.org is ready')
  await setPassword('a quiet hour')
  await expect.poll(() => currentRecovery().stage).toBe('none')
  expect(readStoredSession()?.user.id).toBe('ruth')
})
