import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { notice, pendingDeletion } from '#web/lib/navigation/navigation-state.ts'
import { newId } from '#web/lib/new-id.ts'
import { draftKey, hasDrafts } from '#web/lib/storage/draft-owner.ts'
import { signOutDeletedAccount, signOutIfDeleted } from './account-deletion.ts'
import { expectReturnFromX, isReturnExpected } from './link-guard.ts'
import { openConfirmationLink } from './open-link.ts'
import { currentRecovery, endRecovery } from './recovery.ts'
import {
  accessTokenFor,
  rejectedRefresh,
  sampleApp,
  sessionWith,
  sessionWithApp,
  storeSession,
} from './sample-session.test-data.ts'
import { SESSION_STORAGE_KEY } from './session-key.ts'
import { deleteOnSignOut, session, signOut, startSession } from './session.ts'
import { rememberSignUp } from './sign-up-memory.ts'
import {
  endStoredSession,
  readEndedSession,
  readStoredSession,
  writeStoredSession,
} from './stored-session.ts'

const fetchStub = vi.fn<typeof fetch>()
const deleteUserData = vi.fn<(userId: string) => Promise<void>>()
deleteOnSignOut(deleteUserData)

/** Signs in, in this tab. */
function signIn(userId = 'ruth'): void {
  writeStoredSession(JSON.stringify(sessionWith('a', 3600, userId)))
}

const GUEST_AFTER = (reason: string) => ({ status: 'guest', ended: { userId: 'ruth', reason } })

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetchStub)
  deleteUserData.mockResolvedValue()
  await startSession()
})

it('is read from the storage without a request, even if its token expired a week ago', () => {
  storeSession(sessionWith('a', -7 * 86_400))
  dispatchEvent(new Event('pageshow'))
  expect(session.get()).toMatchObject({ status: 'signed-in', user: { id: 'ruth' } })
  expect(fetchStub).not.toHaveBeenCalled()
})

it('changes directly to another user who signs in, in any tab', () => {
  signIn()
  const listener = vi.fn(() => session.get().status)
  const unsubscribe = session.subscribe(listener)
  storeSession(sessionWith('b', 3600, 'naomi'))
  dispatchEvent(new StorageEvent('storage', { key: SESSION_STORAGE_KEY }))
  unsubscribe()
  expect(session.get()).toMatchObject({ status: 'signed-in', user: { id: 'naomi' } })
  expect(listener).toHaveReturnedWith('signed-in')
  expect(listener).toHaveBeenCalledOnce()
})

it('does not change when its token is refreshed', () => {
  signIn()
  const before = session.get()
  signIn()
  expect(session.get()).toBe(before)
})

describe('with an authenticator app', () => {
  it('needs a code until one is given, in any tab', () => {
    writeStoredSession(JSON.stringify(sessionWithApp('aal1')))
    expect(session.get()).toMatchObject({ status: 'needs-code', user: { id: 'ruth' } })
    storeSession(sessionWithApp('aal2'))
    dispatchEvent(new StorageEvent('storage', { key: SESSION_STORAGE_KEY }))
    expect(session.get().status).toBe('signed-in')
  })

  it('needs none while the app has never given one', () => {
    const begun = { ...sampleApp('New'), status: 'unverified' }
    const stored = sessionWithApp('aal1')
    writeStoredSession(JSON.stringify({ ...stored, user: { ...stored.user, factors: [begun] } }))
    expect(session.get().status).toBe('signed-in')
  })
})

it('says that the server has ended it, and keeps unsaved text for the same user', () => {
  signIn()
  sessionStorage.setItem(draftKey('prayer'), 'Clara')
  endStoredSession('expired')
  expect(session.get()).toEqual(GUEST_AFTER('expired'))
  expect(hasDrafts()).toBe(false)
  signIn()
  expect(hasDrafts()).toBe(true)
})

it('says that the account was deleted', () => {
  signIn()
  signOutDeletedAccount()
  expect(session.get()).toEqual(GUEST_AFTER('account-deleted'))
})

describe('when the server does not know the user any more', () => {
  /** Responds to the question for the user, and to the refresh. */
  const respond = (userCode: string, refresh: () => Response) =>
    fetchStub.mockImplementation(async (input) =>
      (input instanceof Request ? input.url : String(input)).endsWith('/user')
        ? Response.json({ error_code: userCode, msg: '' }, { status: 403 })
        : refresh(),
    )
  beforeEach(() => writeStoredSession(JSON.stringify(sessionWith(newId(), 3600))))

  it('signs out if the refresh says that the session was ended on purpose', async () => {
    respond('user_not_found', () => rejectedRefresh('session_not_found'))
    expect(await signOutIfDeleted()).toBe(true)
    expect(session.get()).toEqual(GUEST_AFTER('account-deleted'))
  })

  it.each(['user_not_found', 'session_not_found'])(
    'keeps what is on this device if the refresh says that it was lost: %s',
    async (code) => {
      respond(code, () => rejectedRefresh('refresh_token_not_found'))
      await expect(signOutIfDeleted()).rejects.toMatchObject({
        status: code === 'user_not_found' ? 403 : 400,
      })
      expect(session.get()).toEqual(GUEST_AFTER('lost'))
      expect(deleteUserData).not.toHaveBeenCalled()
    },
  )
})

it('leaves a link for a reload if the code that opens it cannot be loaded', async () => {
  vi.stubGlobal('PerformanceNavigationTiming', Object)
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
  vi.doMock('./open-link.ts', () => {
    throw new Error('not loaded')
  })
  onTestFinished(() => {
    vi.doUnmock('./open-link.ts')
    history.replaceState(null, '', '/')
  })
  expectReturnFromX()
  for (const url of ['/auth/callback#access_token=a&refresh_token=r', '/reset-password#type=recovery']) {
    history.replaceState(null, '', url)
    vi.resetModules()
    const opened = await import('./session.ts')
    await expect(opened.startSession()).rejects.toThrow('mocking a module')
    expect(location.href).toMatch(url)
    expect(isReturnExpected()).toBe(true)
  }
})

describe('a link that confirms an address', () => {
  const open = () =>
    openConfirmationLink({
      kind: 'confirmation',
      accessToken: accessTokenFor('ruth@example.org'),
      refreshToken: 'r',
    })
  beforeEach(() => localStorage.clear())

  it('signs in where the address was signed up, once', async () => {
    fetchStub.mockImplementation(async () => Response.json(sessionWith('a', 3600).user))
    await rememberSignUp('ruth@example.org')
    expect(await open()).toBeNull()
    expect(session.get()).toMatchObject({ status: 'signed-in', user: { id: 'ruth' } })
    expect(currentRecovery().stage).toBe('none')
  })

  it('says so when the server cannot be reached', async () => {
    expectConsoleError('TypeError: Failed to fetch')
    expectConsoleError('Failed to initialize auth')
    fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
    await rememberSignUp('ruth@example.org')
    expect(await open()).toBe('Failed to initialize auth')
    expect(readStoredSession()).toBeNull()
  })

  it('requires a new password elsewhere, without signing in', async () => {
    await rememberSignUp('naomi@example.org')
    expect(await open()).toBeNull()
    expect(readStoredSession()).toBeNull()
    expect(currentRecovery()).toMatchObject({ stage: 'open', link: 'confirmation', refreshToken: 'r' })
    expect(fetchStub).not.toHaveBeenCalled()
    endRecovery()
  })
})

it('starts though what a link has changed cannot be learned, and says where it shows', async () => {
  expectConsoleError('TypeError: Failed to fetch')
  expectConsoleError('Failed to change your email address')
  fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
  const token = accessTokenFor('ruth@example.com')
  history.replaceState(null, '', `/settings/profile#access_token=${token}&refresh_token=r&type=email_change`)
  vi.resetModules()
  const { startSession: startNew, session: started } = await import('./session.ts')
  const { notice: shown } = await import('#web/lib/navigation/navigation-state.ts')
  history.replaceState(null, '', '/')
  expect(await startNew()).toBeNull()
  expect(started.get()).toEqual({ status: 'guest', ended: null })
  expect(shown.get()).toContain('Your profile in the settings shows whether it has changed your address.')
})

it('does not use a link for a new password while somebody is signed in, and says so', async () => {
  const token = accessTokenFor('ruth@example.com')
  history.replaceState(null, '', `/reset-password#access_token=${token}&refresh_token=r&type=recovery`)
  vi.resetModules()
  const { startSession: startNew } = await import('./session.ts')
  const { startRecovery, currentRecovery: recovery } = await import('./recovery.ts')
  const { notice: shown } = await import('#web/lib/navigation/navigation-state.ts')
  history.replaceState(null, '', '/')
  storeSession(sessionWith('a', 3600))
  startRecovery()
  expect(recovery().stage).toBe('open')
  expect(await startNew()).toBeNull()
  expect(recovery().stage).toBe('none')
  expect(shown.get()).toContain('the link for a new password was not used')
})

describe('signing out', () => {
  beforeEach(() => signIn())

  it('removes the session at once, and waits for the response of the server', async () => {
    let respond: (response: Response) => void = () => {}
    fetchStub.mockReturnValue(new Promise((resolve) => (respond = resolve)))
    const signedOut = signOut()
    expect(readStoredSession()).toBeNull()
    expect(session.get().status).toBe('signed-in')
    respond(new Response(null, { status: 204 }))
    await signedOut
    expect(session.get()).toEqual(GUEST_AFTER('signed-out'))
  })

  it('forgets the notice and a deletion that was begun, which may be about this user', async () => {
    notice.set('The new address ruth@example.com is confirmed.')
    pendingDeletion.set('ruth')
    fetchStub.mockResolvedValue(new Response(null, { status: 204 }))
    await signOut()
    expect([notice.get(), pendingDeletion.get()]).toEqual([null, null])
  })

  it('waits for three seconds at most', async () => {
    fetchStub.mockReturnValue(new Promise(() => {}))
    const signedOut = signOut()
    await vi.advanceTimersByTimeAsync(2999)
    expect(session.get().status).toBe('signed-in')
    await vi.advanceTimersByTimeAsync(1)
    await signedOut
    expect(session.get()).toEqual(GUEST_AFTER('signed-out'))
  })

  it('does not wait when the browser is offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    fetchStub.mockReturnValue(new Promise(() => {}))
    const signedOut = signOut()
    expect(session.get()).toEqual(GUEST_AFTER('signed-out'))
    await signedOut
  })

  it('does not wait when the session could not be refreshed', async () => {
    writeStoredSession(JSON.stringify(sessionWith('a', -10)))
    fetchStub.mockReturnValue(new Promise(() => {}))
    void signOut()
    expect(session.get()).toEqual(GUEST_AFTER('signed-out'))
  })

  it('works when the server cannot be reached', async () => {
    expectConsoleError('Failed to sign out')
    fetchStub.mockRejectedValue(new TypeError('Failed to fetch'))
    await signOut()
    expect(session.get()).toEqual(GUEST_AFTER('signed-out'))
  })
})

describe("the user's data on this device", () => {
  beforeEach(() => {
    signIn()
    deleteUserData.mockClear()
  })

  it('is deleted when the account was deleted, and then nothing is left', async () => {
    signOutDeletedAccount()
    expect(deleteUserData).toHaveBeenCalledExactlyOnceWith('ruth')
    expect(readEndedSession()).not.toBeNull()
    await vi.advanceTimersByTimeAsync(0)
    expect(localStorage).toHaveLength(0)
    dispatchEvent(new Event('pageshow'))
    expect(session.get()).toEqual(GUEST_AFTER('account-deleted'))
    expect(deleteUserData).toHaveBeenCalledOnce()
  })

  it('stays when the user signs out instead of giving the code of two-factor sign-in', async () => {
    fetchStub.mockResolvedValue(new Response(null, { status: 204 }))
    writeStoredSession(JSON.stringify(sessionWithApp('aal1')))
    await signOut('local', 'no-code')
    expect(session.get()).toEqual(GUEST_AFTER('no-code'))
    expect(deleteUserData).not.toHaveBeenCalled()
  })

  it('is deleted when the user signs out in another tab', () => {
    localStorage.setItem('intercede-session-end', JSON.stringify({ userId: 'ruth', reason: 'signed-out' }))
    localStorage.removeItem(SESSION_STORAGE_KEY)
    dispatchEvent(new StorageEvent('storage', { key: SESSION_STORAGE_KEY }))
    expect(deleteUserData).toHaveBeenCalledExactlyOnceWith('ruth')
  })

  it('is deleted at the next start if that failed', async () => {
    expectConsoleError('Failed to sign out')
    deleteUserData.mockRejectedValue(new Error('blocked'))
    signOutDeletedAccount()
    await vi.advanceTimersByTimeAsync(0)
    expect(readEndedSession()).toEqual({ userId: 'ruth', reason: 'account-deleted' })
  })

  it.each([
    ['the server has ended the session', () => endStoredSession('expired')],
    ['another user signs in', () => signIn('naomi')],
  ])('is kept when %s', (_when, happen) => {
    happen()
    expect(deleteUserData).not.toHaveBeenCalled()
  })
})
