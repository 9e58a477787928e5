import type { User } from '@supabase/auth-js'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { isRecord } from '#shared/is-record.ts'
import { FakeServer, openData } from '#web/data/user-data.test-data.ts'
import { accessTokenFor, sessionWith } from '#web/lib/session/sample-session.test-data.ts'
import { session, startSession } from '#web/lib/session/session.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, renderWithData, submitFormOf } from '#web/test-rendering.tsx'
import { ProfileSections } from './profile-sections.tsx'

const RUTH: User = {
  ...sessionWith('token', 3600).user,
  email: 'ruth@example.org',
  identities: [identity('email')],
}
const X_USER: User = { ...RUTH, identities: [identity('twitter')] }

function identity(provider: string) {
  return { id: '1', user_id: 'ruth', identity_id: '1', provider, identity_data: {} }
}

/** The account as the server has it. */
let account: User
/** What was sent to change it. */
let changes: unknown[]
/** Responds to a change instead of the server; null leaves it to the server. */
let intercept: (change: Record<string, unknown>) => Response | null
/** Responds to a request for a code. */
let respondToCode: () => Response
let codesSent: number

beforeEach(async () => {
  changes = []
  intercept = () => null
  respondToCode = () => Response.json({})
  codesSent = 0
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (url.endsWith('/reauthenticate')) {
      codesSent += 1
      return respondToCode()
    }
    if (method === 'PUT') {
      const sent: unknown = JSON.parse(typeof body === 'string' ? body : '{}')
      const change = isRecord(sent) ? sent : {}
      const { code_challenge: _challenge, code_challenge_method: _method, ...changed } = change
      changes.push(changed)
      const response = intercept(changed)
      if (response) return response
      account = applied(changed)
    }
    return Response.json(account)
  })
  await startSession()
})

/** The account after a change, as the server makes it. */
function applied({ email, data }: Record<string, unknown>): User {
  const { new_email: _pending, ...rest } = account
  if (typeof email === 'string') return email === account.email ? rest : { ...rest, new_email: email }
  return isRecord(data) ? { ...account, user_metadata: { ...account.user_metadata, ...data } } : account
}

afterEach(() => {
  cleanup()
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

async function show(user: User) {
  account = user
  const stored = { ...sessionWith('token', 3600), access_token: accessTokenFor('ruth@example.org'), user }
  act(() => writeStoredSession(JSON.stringify(stored)))
  renderWithData(<ProfileSections />, openData(new FakeServer()))
  await act(async () => {})
}

const currentUser = () => {
  const state = session.get()
  return state.status === 'signed-in' ? state.user : null
}
const rejection = (code: string, message = code, status = 400) =>
  Response.json({ code, error_code: code, message, msg: message }, { status })
const shownError = () => screen.getByRole('alert').textContent
const announced = () => screen.getAllByRole('status').map((status) => status.textContent)
const focused = () => document.activeElement
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

it('shows what was changed on another device', async () => {
  await show(RUTH)
  account = { ...RUTH, email: 'ruth@example.com', user_metadata: { full_name: 'Ruth of Moab' } }
  cleanup()
  renderWithData(<ProfileSections />, openData(new FakeServer()))
  expect(await screen.findByText('ruth@example.com')).toBeDefined()
  expect(field('Your name').value).toBe('Ruth of Moab')
})

describe('the name', () => {
  it('is saved without blanks around it, and removed when it is emptied', async () => {
    await show(RUTH)
    field('Your name').focus()
    enter('Your name', '  Ruth ')
    await submitFormOf('Your name')
    await expect.poll(announced).toContain('Name saved')
    expect(currentUser()?.user_metadata).toEqual({ full_name: 'Ruth' })
    expect(field('Your name').value).toBe('Ruth')
    expect(focused()).toBe(field('Your name'))
    enter('Your name', ' ')
    await submitFormOf('Your name')
    await expect.poll(announced).toContain('Name removed')
    expect(changes).toEqual([{ data: { full_name: 'Ruth' } }, { data: { full_name: null } }])
  })

  it('stays in the field when it cannot be saved', async () => {
    intercept = () => rejection('validation_failed', 'User data can have at most 4096 bytes')
    expectConsoleError('Failed to save your name')
    await show(RUTH)
    enter('Your name', 'Ruth')
    await submitFormOf('Your name')
    await expect.poll(shownError).toBe('User data can have at most 4096 bytes')
    expect(field('Your name').value).toBe('Ruth')
  })
})

describe('the email address', () => {
  const NEW = 'New email address'
  async function change(address: string, password = 'a quiet hour') {
    await press('Change email address')
    enter(NEW, address)
    enter('Current password', password)
    await submitFormOf(NEW)
  }

  it('waits for its links, which is shown, and can be cancelled', async () => {
    await show(RUTH)
    await change(' ruth@example.com ')
    await expect.poll(announced).toContain('Email sent to ruth@example.com')
    expect(changes).toEqual([{ email: 'ruth@example.com', current_password: 'a quiet hour' }])
    expect(screen.getByText('ruth@example.org')).toBeDefined()
    expect(screen.getByText('ruth@example.com')).toBeDefined()
    expect(focused()?.textContent).toBe('Send again')
    screen.getByRole('button', { name: 'Cancel the change' }).focus()
    await press('Cancel the change')
    await expect.poll(announced).toContain('Change cancelled')
    expect(focused()?.textContent).toBe('Change email address')
    expect(changes[1]).toEqual({ email: 'ruth@example.org' })
    expect(screen.queryByText('ruth@example.com')).toBeNull()
  })

  it('is asked for again with the same address', async () => {
    await show({ ...RUTH, new_email: 'ruth@example.com' })
    await press('Send again')
    expect(field(NEW).value).toBe('ruth@example.com')
  })

  it('that a backend cannot cancel ends by itself, which is said', async () => {
    await show({ ...RUTH, new_email: 'ruth@example.com' })
    intercept = () => Response.json(account)
    await press('Cancel the change')
    await expect.poll(announced).toContain('The change ends when its links expire')
  })

  it.each([
    ['', 'Please enter your email address'],
    ['ruth', 'Please enter a full email address, like ruth@example.com'],
    ['Ruth@Example.org', 'This is your address already'],
  ])('%j is not sent', async (address, error) => {
    await show(RUTH)
    await change(address)
    expect(shownError()).toBe(error)
    expect(focused()).toBe(field(NEW))
    expect(changes).toEqual([])
  })

  it('is not sent without the current password', async () => {
    await show(RUTH)
    await change('ruth@example.com', '')
    expect(shownError()).toBe('Please enter your current password')
    expect(focused()).toBe(field('Current password'))
    expect(changes).toEqual([])
  })

  it('keeps what was typed when the server refuses', async () => {
    intercept = () => rejection('over_email_send_rate_limit', 'email rate limit exceeded', 429)
    expectConsoleError('Failed to change your email address')
    await show(RUTH)
    await change('ruth@example.com')
    await expect.poll(shownError).toBe('email rate limit exceeded')
    expect(field(NEW).value).toBe('ruth@example.com')
  })

  it('is left alone by “Cancel”, which returns the focus', async () => {
    await show(RUTH)
    await press('Change email address')
    expect(focused()).toBe(field(NEW))
    await press('Cancel')
    expect(focused()?.textContent).toBe('Change email address')
    expect(changes).toEqual([])
  })
})

describe('the password', () => {
  const NEW = 'New password'
  async function change(password: string, current: string | null = 'a quiet hour') {
    await press(/^(?:Change|Set a) password$/)
    enter(NEW, password)
    if (current !== null) enter('Current password', current)
    await submitFormOf(NEW)
  }

  it('is changed with the current one, which signs out all other devices', async () => {
    await show(RUTH)
    await change('a louder hour')
    await expect.poll(announced).toContain('Password changed. All other devices are signed out.')
    expect(changes).toEqual([{ password: 'a louder hour', current_password: 'a quiet hour' }])
    expect(screen.queryByLabelText(NEW)).toBeNull()
    expect(focused()?.textContent).toBe('Change password')
  })

  it('is not changed with a wrong one', async () => {
    intercept = () => rejection('current_password_invalid')
    expectConsoleError('Failed to update password')
    await show(RUTH)
    await change('a louder hour', 'a wrong hour')
    await expect.poll(shownError).toBe('This is not your current password')
    expect(focused()).toBe(field('Current password'))
    expect(field(NEW).value).toBe('a louder hour')
    enter('Current password', 'a quiet hour')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('is changed with a code sent by email instead, for users who have forgotten the current one', async () => {
    await show(RUTH)
    await press('Change password')
    enter(NEW, 'a louder hour')
    respondToCode = () => rejection('over_email_send_rate_limit', 'email rate limit exceeded', 429)
    expectConsoleError('Failed to send the code')
    await press('Use a code sent by email instead')
    await expect.poll(shownError).toBe('email rate limit exceeded')
    respondToCode = () => Response.json({})
    await press('Use a code sent by email instead')
    expect(await screen.findByLabelText('Code')).toBe(focused())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(field(NEW).value).toBe('a louder hour')
    enter('Code', '123456')
    await submitFormOf('Code')
    await expect.poll(announced).toContain('Password changed. All other devices are signed out.')
    expect(changes).toEqual([{ password: 'a louder hour', nonce: '123456' }])
  })

  it('must be long enough', async () => {
    await show(RUTH)
    await change('quiet')
    expect(shownError()).toBe('Password must be at least 6 characters long')
    expect(changes).toEqual([])
  })

  it('of a user who signs in with X is set with a code sent by email, unless they have just signed in', async () => {
    intercept = ({ nonce }) => (nonce === '123456' ? null : rejection('reauthentication_needed'))
    expectConsoleError('Failed to update password')
    await show(X_USER)
    await change('a quiet hour', null)
    expect(await screen.findByLabelText('Code')).toBe(focused())
    expect(codesSent).toBe(1)
    enter('Code', ' 123456 ')
    await submitFormOf('Code')
    await expect.poll(announced).toContain('Password changed. All other devices are signed out.')
    expect(changes).toEqual([{ password: 'a quiet hour' }, { password: 'a quiet hour', nonce: '123456' }])
  })

  it('is not set with a wrong code', async () => {
    intercept = ({ nonce }) =>
      rejection(nonce === undefined ? 'reauthentication_needed' : 'reauthentication_not_valid')
    expectConsoleError('Failed to update password')
    expectConsoleError('Failed to update password')
    await show(X_USER)
    await change('a quiet hour', null)
    await screen.findByLabelText('Code')
    enter('Code', '000000')
    await submitFormOf('Code')
    await expect.poll(shownError).toBe('This code is wrong or too old')
    expect(codesSent).toBe(1)
  })
})
