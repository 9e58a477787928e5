import { describe, expect, it } from 'vitest'
import { decideRoute, needsSession, type Visit } from './decide-route.ts'

const guest: Omit<Visit, 'path'> = {
  status: 'guest',
  recovery: 'none',
  returnPath: null,
  startPath: '/dashboard',
}
const signedIn: Omit<Visit, 'path'> = { ...guest, status: 'signed-in' }
const withoutCode: Omit<Visit, 'path'> = { ...guest, status: 'needs-code' }

const TO_SIGN_IN = { redirect: '/' }
const TO_DASHBOARD = { redirect: '/dashboard' }
const SIGNED_IN = { show: 'signed-in' }

it.each([
  ['/', { show: '/' }, TO_DASHBOARD],
  ['/dashboard', TO_SIGN_IN, SIGNED_IN],
  ['/pray', TO_SIGN_IN, SIGNED_IN],
  ['/answered', TO_SIGN_IN, SIGNED_IN],
  ['/answered/2026', TO_SIGN_IN, SIGNED_IN],
  ['/answered/0999//', TO_SIGN_IN, SIGNED_IN],
  ['/answered/last', { show: 'not-found' }, { show: 'not-found' }],
  ['/search', TO_SIGN_IN, SIGNED_IN],
  ['/prayer/4ad26a42-1c3c-4c7e-8a57-6c2e3c1b0a11', TO_SIGN_IN, SIGNED_IN],
  ['/prayer/anything/', TO_SIGN_IN, SIGNED_IN],
  ['/prayer/', { show: 'not-found' }, { show: 'not-found' }],
  ['/prayer/one/two', { show: 'not-found' }, { show: 'not-found' }],
  ['/manage-categories/', TO_SIGN_IN, SIGNED_IN],
  ['/settings', TO_SIGN_IN, SIGNED_IN],
  ['/settings/your-data/', TO_SIGN_IN, SIGNED_IN],
  ['/settings/nothing', { show: 'not-found' }, { show: 'not-found' }],
  ['/account', TO_SIGN_IN, SIGNED_IN],
  ['/reset-password', TO_SIGN_IN, TO_DASHBOARD],
  ['/auth/callback', { show: '/auth/callback' }, TO_DASHBOARD],
  ['/terms', { show: '/terms' }, { show: '/terms' }],
  ['/turn-off-reminder', { show: '/turn-off-reminder' }, { show: '/turn-off-reminder' }],
  ['/privacy/', { show: '/privacy' }, { show: '/privacy' }],
  ['/Dashboard', { show: 'not-found' }, { show: 'not-found' }],
  ['/nowhere/at/all', { show: 'not-found' }, { show: 'not-found' }],
])('at %s, a guest: %j, a signed-in user: %j', (path, forGuest, forUser) => {
  expect(decideRoute({ ...guest, path })).toEqual(forGuest)
  expect(decideRoute({ ...signedIn, path })).toEqual(forUser)
})

it.each(['/', '/auth/callback'])('redirects from %s to the path requested before sign-in', (path) => {
  expect(decideRoute({ ...signedIn, path, returnPath: '/manage-categories' })).toEqual({
    redirect: '/manage-categories',
  })
})

it.each(['/', '/reset-password', '/auth/callback'])(
  'redirects from %s to where the app is to open',
  (path) => {
    expect(decideRoute({ ...signedIn, path, startPath: '/pray' })).toEqual({ redirect: '/pray' })
  },
)

it.each([
  ['/', { show: 'code' }],
  ['/dashboard', { show: 'code' }],
  ['/settings/profile', { show: 'code' }],
  ['/reset-password', { show: 'code' }],
  ['/auth/callback', { show: 'code' }],
  ['/terms', { show: '/terms' }],
  ['/nowhere', { show: 'not-found' }],
])('at %s, a user who has not given the code of two-factor sign-in: %j', (path, decision) => {
  expect(decideRoute({ ...withoutCode, path, returnPath: '/pray' })).toEqual(decision)
})

describe('before the new password is set', () => {
  describe.each(['open', 'done'] as const)('with the recovery at stage %s', (recovery) => {
    it.each([
      ['/reset-password', { show: '/reset-password' }],
      ['/', { redirect: '/reset-password' }],
      ['/dashboard', { redirect: '/reset-password' }],
      ['/auth/callback', { redirect: '/reset-password' }],
      ['/terms', { show: '/terms' }],
    ])('at %s, signed in or not', (path, decision) => {
      expect(decideRoute({ ...guest, path, recovery })).toEqual(decision)
      expect(decideRoute({ ...signedIn, path, recovery })).toEqual(decision)
      expect(decideRoute({ ...withoutCode, path, recovery })).toEqual(decision)
    })
  })
})

it('shows the error of a failed link on the reset screen, without redirecting there', () => {
  expect(decideRoute({ ...guest, path: '/reset-password', recovery: 'failed' })).toEqual({
    show: '/reset-password',
  })
  expect(decideRoute({ ...guest, path: '/', recovery: 'failed' })).toEqual({ show: '/' })
})

it('knows which paths need a session', () => {
  expect(['/', '/dashboard', '/manage-categories/', '/terms'].map(needsSession)).toEqual([
    false,
    true,
    true,
    false,
  ])
})
