import { describe, expect, it } from 'vitest'
import { decideRoute, needsSession, type Visit } from './decide-route.ts'

const guest: Omit<Visit, 'path'> = { signedIn: false, recovery: 'none', deepLink: null }
const signedIn: Omit<Visit, 'path'> = { ...guest, signedIn: true }

describe('a guest', () => {
  it.each([
    ['/', { show: 'sign-in' }],
    ['/dashboard', { redirect: '/' }],
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

describe('somebody signed in', () => {
  it.each([
    ['/', { redirect: '/dashboard' }],
    ['/dashboard', { show: 'dashboard' }],
    ['/manage-categories', { show: 'manage-categories' }],
    ['/account', { show: 'account-data' }],
    ['/reset-password', { redirect: '/dashboard' }],
    ['/auth/callback', { redirect: '/dashboard' }],
    ['/terms', { show: 'terms' }],
    ['/privacy', { show: 'privacy' }],
    ['/nowhere', { show: 'not-found' }],
  ])('at %s', (path, decision) => {
    expect(decideRoute({ ...signedIn, path })).toEqual(decision)
  })

  it.each(['/', '/auth/callback'])('goes from %s to the page that was asked for before', (path) => {
    expect(decideRoute({ ...signedIn, path, deepLink: '/manage-categories' })).toEqual({
      redirect: '/manage-categories',
    })
  })
})

describe('while a new password is to be set', () => {
  describe.each(['open', 'signed-in', 'done'] as const)('and the link is at stage %s', (recovery) => {
    it.each([
      ['/reset-password', { show: 'reset-password' }],
      ['/', { redirect: '/reset-password' }],
      ['/dashboard', { redirect: '/reset-password' }],
      ['/auth/callback', { redirect: '/reset-password' }],
      ['/terms', { show: 'terms' }],
    ])('%s, session or not', (path, decision) => {
      expect(decideRoute({ ...guest, path, recovery })).toEqual(decision)
      expect(decideRoute({ ...signedIn, path, recovery })).toEqual(decision)
    })
  })
})

it('a link that failed is spoken of where it leads, and holds nobody there', () => {
  expect(decideRoute({ ...guest, path: '/reset-password', recovery: 'failed' })).toEqual({
    show: 'reset-password',
  })
  expect(decideRoute({ ...guest, path: '/', recovery: 'failed' })).toEqual({ show: 'sign-in' })
})

it('tells the pages that need a session', () => {
  expect(['/', '/dashboard', '/manage-categories/', '/terms'].map(needsSession)).toEqual([
    false,
    true,
    true,
    false,
  ])
})
