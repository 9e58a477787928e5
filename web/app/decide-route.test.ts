import { describe, expect, it } from 'vitest'
import { decideRoute, needsSession, type Visit } from './decide-route.ts'

const guest: Omit<Visit, 'path'> = { signedIn: false, recovery: 'none', returnPath: null }
const signedIn: Omit<Visit, 'path'> = { ...guest, signedIn: true }

describe('a guest', () => {
  it.each([
    ['/', { show: 'sign-in' }],
    ['/dashboard', { redirect: '/' }],
    ['/pray', { redirect: '/' }],
    ['/answered', { redirect: '/' }],
    ['/search', { redirect: '/' }],
    ['/manage-categories/', { redirect: '/' }],
    ['/account', { redirect: '/' }],
    ['/reset-password', { redirect: '/' }],
    ['/auth/callback', { show: 'callback' }],
    ['/terms', { show: 'terms' }],
    ['/privacy/', { show: 'privacy' }],
    ['/Dashboard', { show: 'not-found' }],
    ['/nowhere/at/all', { show: 'not-found' }],
  ])('at %s', (path, decision) => {
    expect(decideRoute({ ...guest, path })).toEqual(decision)
  })
})

describe('a signed-in user', () => {
  it.each([
    ['/', { redirect: '/dashboard' }],
    ['/dashboard', { show: 'signed-in' }],
    ['/pray', { show: 'signed-in' }],
    ['/answered/', { show: 'signed-in' }],
    ['/search', { show: 'signed-in' }],
    ['/manage-categories/', { show: 'signed-in' }],
    ['/account', { show: 'signed-in' }],
    ['/reset-password', { redirect: '/dashboard' }],
    ['/auth/callback', { redirect: '/dashboard' }],
    ['/terms', { show: 'terms' }],
    ['/privacy', { show: 'privacy' }],
    ['/nowhere', { show: 'not-found' }],
  ])('at %s', (path, decision) => {
    expect(decideRoute({ ...signedIn, path })).toEqual(decision)
  })

  it.each(['/', '/auth/callback'])('is redirected from %s to the path requested before sign-in', (path) => {
    expect(decideRoute({ ...signedIn, path, returnPath: '/manage-categories' })).toEqual({
      redirect: '/manage-categories',
    })
  })
})

describe('before the new password is set', () => {
  describe.each(['open', 'signed-in', 'done'] as const)('with the recovery at stage %s', (recovery) => {
    it.each([
      ['/reset-password', { show: 'reset-password' }],
      ['/', { redirect: '/reset-password' }],
      ['/dashboard', { redirect: '/reset-password' }],
      ['/auth/callback', { redirect: '/reset-password' }],
      ['/terms', { show: 'terms' }],
    ])('at %s, signed in or not', (path, decision) => {
      expect(decideRoute({ ...guest, path, recovery })).toEqual(decision)
      expect(decideRoute({ ...signedIn, path, recovery })).toEqual(decision)
    })
  })
})

it('shows the error of a failed link on the reset screen, without redirecting there', () => {
  expect(decideRoute({ ...guest, path: '/reset-password', recovery: 'failed' })).toEqual({
    show: 'reset-password',
  })
  expect(decideRoute({ ...guest, path: '/', recovery: 'failed' })).toEqual({ show: 'sign-in' })
})

it('knows which paths need a session', () => {
  expect(['/', '/dashboard', '/manage-categories/', '/terms'].map(needsSession)).toEqual([
    false,
    true,
    true,
    false,
  ])
})
