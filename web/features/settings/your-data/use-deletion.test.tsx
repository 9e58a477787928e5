import type { User, UserIdentity } from '@supabase/auth-js'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { FakeServer, openData } from '#web/data/user-data.test-data.ts'
import { sampleApp, sessionWithApp } from '#web/lib/session/sample-session.test-data.ts'
import { pendingDeletion } from '#web/lib/navigation/navigation-state.ts'
import { session, startSession, useSession } from '#web/lib/session/session.ts'
import { endStoredSession, writeStoredSession } from '#web/lib/session/stored-session.ts'
import { enter, press, renderWithData, submitFormOf } from '#web/test-rendering.tsx'
import { DeleteSection } from './delete-section.tsx'
import { proofFor } from './use-deletion.ts'

function userWith(...providers: string[]): User {
  const identities = providers.map((provider): UserIdentity => ({
    id: '1',
    user_id: '1',
    identity_id: '1',
    provider,
    identity_data: {},
  }))
  return { id: '1', aud: 'authenticated', created_at: '', app_metadata: {}, user_metadata: {}, identities }
}

it.each([
  [['email'], false, 'password'],
  [['email'], true, 'password'],
  [['twitter'], false, 'x'],
  [['x'], true, 'recent-sign-in'],
  [['email', 'twitter'], false, 'password-or-x'],
  [['email', 'twitter'], true, 'recent-sign-in'],
  [[], false, 'password'],
])(
  'a user with identities %j, recently signed in: %s, proves it with: %s',
  (providers, signedInLately, proof) => {
    expect(proofFor(userWith(...providers), signedInLately)).toBe(proof)
  },
)

it('a user with two-factor sign-in has proved it by the sign-in that came before the code', () => {
  const user = { ...userWith('email'), factors: [sampleApp('My phone')] }
  expect([proofFor(user, false), proofFor(user, true)]).toEqual(['password', 'recent-sign-in'])
})

describe('deleting the account', () => {
  const DELETE = 'Delete my account'
  /** Whether the session has just begun. */
  let isNew: boolean
  let deletions: Response[]
  /** The last parts of the paths. */
  let requests: string[]
  /** What happens in another tab while the password is checked. */
  let meanwhile: () => void

  beforeEach(async () => {
    isNew = false
    deletions = []
    requests = []
    meanwhile = () => {}
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const { pathname } = new URL(new Request(input, init).url)
      requests.push(pathname.split('/').at(-1) ?? '')
      if (pathname.endsWith('/preview_account_deletion')) {
        return Response.json({ prayers: 2, categories: 1, signed_in_lately: isNew })
      }
      if (pathname.endsWith('/delete_account')) return deletions.shift()
      if (pathname.endsWith('/token')) {
        isNew = true
        meanwhile()
      }
      const { user, ...tokens } = sessionWithApp('aal1')
      return Response.json(pathname.endsWith('/user') ? user : { ...tokens, user })
    })
    await startSession()
  })

  afterEach(() => {
    cleanup()
    localStorage.clear()
    dispatchEvent(new Event('pageshow'))
  })

  function Shown() {
    const state = useSession()
    return state.status === 'signed-in' ? <DeleteSection user={state.user} /> : <p>{state.status}</p>
  }

  const giveCode = () => act(async () => writeStoredSession(JSON.stringify(sessionWithApp('aal2'))))

  it('asks for a code after the password, if two-factor sign-in is on, then once more, and only then deletes', async () => {
    await giveCode()
    renderWithData(<Shown />, openData(new FakeServer()))
    await press(DELETE)
    enter('Your password', 'a quiet hour')
    await submitFormOf('Your password')
    expect(await screen.findByText('needs-code')).toBeDefined()
    await giveCode()
    const dialog = await screen.findByRole('dialog')
    expect(screen.queryByLabelText('Your password')).toBeNull()
    expect(session.get().status).toBe('signed-in')
    deletions = [new Response(null, { status: 204 })]
    const { id } = sessionWithApp('aal2').user
    const remembered = { key: '8QJ4T0XN5VKC2MHD.2', counter: 2, proof: null, seals: true }
    localStorage.setItem('intercede-encryption', JSON.stringify({ [id]: remembered }))
    await press(DELETE, dialog)
    await expect.poll(session.get).toMatchObject({ status: 'guest', ended: { reason: 'account-deleted' } })
    expect(localStorage.getItem('intercede-encryption')).toBeNull()
  })

  it('neither signs in again nor deletes anything if the user has signed out meanwhile', async () => {
    expectConsoleError('Failed to sign in: User not authenticated')
    writeStoredSession(JSON.stringify(sessionWithApp('aal1', [])))
    renderWithData(<Shown />, openData(new FakeServer()))
    await press(DELETE)
    enter('Your password', 'a quiet hour')
    meanwhile = () => act(() => endStoredSession('signed-out'))
    await submitFormOf('Your password')
    expect(await screen.findByText('guest')).toBeDefined()
    await act(async () => {})
    expect(session.get().status).toBe('guest')
    expect(requests).toEqual(['preview_account_deletion', 'token', 'logout'])
  })

  function signInWithX() {
    isNew = true
    const stored = sessionWithApp('aal1', [])
    const user = { ...stored.user, identities: userWith('x').identities }
    writeStoredSession(JSON.stringify({ ...stored, user }))
  }

  it('asks once more, and once only, after the return from X, and then deletes without further proof', async () => {
    signInWithX()
    pendingDeletion.set(sessionWithApp('aal1').user.id)
    const open = () => renderWithData(<Shown />, openData(new FakeServer()))
    const { unmount } = open()
    await press('Cancel', await screen.findByRole('dialog'))
    unmount()
    open()
    await act(async () => {})
    expect(screen.queryByRole('dialog')).toBeNull()
    await press(DELETE)
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('the account ruth@example.org with 2 prayers in 1 category')
    expect(screen.queryByLabelText('Your password')).toBeNull()
    deletions = [new Response(null, { status: 204 })]
    await press(DELETE, dialog)
    await expect.poll(session.get).toMatchObject({ status: 'guest', ended: { reason: 'account-deleted' } })
  })

  it('asks for a code if only the server knows of it, and has deleted nothing', async () => {
    expectConsoleError('Failed to delete your account: This account needs the code')
    const message = 'This account needs the code from your authenticator app.'
    deletions = [Response.json({ code: 'PT401', message }, { status: 401 })]
    signInWithX()
    renderWithData(<Shown />, openData(new FakeServer()))
    await press(DELETE)
    await press(DELETE, await screen.findByRole('dialog'))
    expect(await screen.findByText('needs-code')).toBeDefined()
    await giveCode()
    expect(screen.getByRole('button', { name: DELETE })).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
