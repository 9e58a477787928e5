import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { sessionWith, storeSession } from '#web/lib/sample-session.test-data.ts'
import { enter, submitFormOf } from '#web/test-rendering.tsx'
import { ResetPasswordScreen } from './reset-password-screen.tsx'

const fetchStub = vi.fn<typeof fetch>()
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const shownError = () => screen.getByRole('alert').textContent

beforeEach(() => {
  vi.stubGlobal('fetch', fetchStub)
  storeSession(sessionWith('recovery', 3600))
  sessionStorage.setItem('intercede-recovery', JSON.stringify({ stage: 'signed-in' }))
  render(<ResetPasswordScreen />)
})

async function setPassword(password: string, confirmation = password) {
  enter('New Password', password)
  enter('Confirm Password', confirmation)
  await submitFormOf('New Password')
}

it.each([
  ['a new and quiet hour', 'a new and quite hour', 'Confirm Password', 'Passwords do not match'],
  ['quiet', 'quiet', 'New Password', 'Password must be at least 6 characters long'],
])('%j, entered again as %j, is not sent', async (password, confirmation, label, error) => {
  await setPassword(password, confirmation)
  expect(shownError()).toBe(error)
  expect(document.activeElement).toBe(field(label))
  expect(field('New Password').value).toBe(password)
  expect(fetchStub).not.toHaveBeenCalled()
})

it('is busy until the server responds, and shows its message', async () => {
  let respond: (response: Response) => void = () => {}
  fetchStub.mockReturnValue(new Promise((resolve) => (respond = resolve)))
  await setPassword('a quiet hour')
  const busy = screen.getByRole('button', { name: 'Updating Password...' })
  expect(busy.getAttribute('aria-busy')).toBe('true')

  const message = 'New password should be different from the old password.'
  expectConsoleError('Failed to update password')
  await act(async () =>
    respond(Response.json({ error_code: 'same_password', msg: message }, { status: 422 })),
  )
  await expect.poll(shownError).toBe(message)
  expect(screen.getByRole('button', { name: 'Update Password' }).isConnected).toBe(true)
})
