import { expect, it, vi } from 'vitest'
import { sessionWith, storeSession } from './sample-session.test-data.ts'
import { SESSION_STORAGE_KEY } from './session-key.ts'
import {
  endStoredSession,
  forgetEndedSession,
  isKnownBrowser,
  readEndedSession,
  readStoredSession,
  subscribeToStoredSession,
  writeStoredSession,
} from './stored-session.ts'

it('reads the session that was stored', () => {
  const session = sessionWith('a', 3600)
  writeStoredSession(JSON.stringify(session))
  expect(readStoredSession()).toEqual(session)
})

const { user, ...withoutUser } = sessionWith('a', 3600)

it.each([
  ['nothing', ''],
  ['no JSON', '{"access_token":'],
  ['no object', '[]'],
  ['no user', JSON.stringify(withoutUser)],
  ['a user without an id', JSON.stringify({ ...withoutUser, user: { ...user, id: undefined } })],
  ['a user without metadata', JSON.stringify({ ...withoutUser, user: { id: 'ruth' } })],
  ['an empty token', JSON.stringify({ ...withoutUser, user, access_token: '' })],
  ['no expiry', JSON.stringify({ ...withoutUser, user, expires_at: null })],
])('reads no session from %s', (_what, stored) => {
  localStorage.setItem(SESSION_STORAGE_KEY, stored)
  expect(readStoredSession()).toBeNull()
})

it.each(['signed-out', 'account-deleted', 'expired', 'lost'] as const)(
  'keeps why a session ended: %s',
  (reason) => {
    storeSession(sessionWith('a', 3600))
    endStoredSession(reason)
    expect(readStoredSession()).toBeNull()
    expect(readEndedSession()).toEqual({ userId: 'ruth', reason })
  },
)

it('keeps why the session ended when it is ended again', () => {
  storeSession(sessionWith('b', 3600))
  endStoredSession('signed-out')
  endStoredSession('expired')
  expect(readEndedSession()?.reason).toBe('signed-out')
})

it('forgets the ended session at the next sign-in', () => {
  storeSession(sessionWith('a', 3600))
  endStoredSession('signed-out')
  writeStoredSession(JSON.stringify(sessionWith('b', 3600, 'naomi')))
  expect(readEndedSession()).toBeNull()
})

it('reports changes of this tab and of other tabs until the subscription ends', () => {
  const listener = vi.fn()
  const unsubscribe = subscribeToStoredSession(listener)
  writeStoredSession(JSON.stringify(sessionWith('a', 3600)))
  endStoredSession('signed-out')
  dispatchEvent(new StorageEvent('storage', { key: SESSION_STORAGE_KEY }))
  expect(listener).toHaveBeenCalledTimes(3)
  unsubscribe()
  dispatchEvent(new StorageEvent('storage', { key: SESSION_STORAGE_KEY }))
  expect(listener).toHaveBeenCalledTimes(3)
})

it('knows a browser in which somebody has signed in before, without storing who', () => {
  expect(isKnownBrowser()).toBe(false)
  storeSession(sessionWith('a', 3600))
  endStoredSession('signed-out')
  forgetEndedSession({ userId: 'ruth', reason: 'signed-out' })
  expect(isKnownBrowser()).toBe(true)
  expect(Object.values(localStorage)).toEqual(['true'])
  storeSession(sessionWith('a', 3600))
  endStoredSession('account-deleted')
  expect(isKnownBrowser()).toBe(false)
})
