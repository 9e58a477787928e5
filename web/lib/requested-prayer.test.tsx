import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SessionState } from './session.ts'
import { createStore } from './store.ts'

const session = createStore<{ status: string; user?: { id: string } }>({ status: 'guest' })
const deletions: ((userId: string) => Promise<void>)[] = []

function signIn(id: string): void {
  session.set({ status: 'signed-in' satisfies SessionState['status'], user: { id } })
}

async function openWithRequest() {
  history.replaceState(null, '', '/dashboard?new-prayer&other=1#hash')
  const module = await import('./requested-prayer.ts')
  await module.takeRequestedPrayer()
  return module.requestedPrayer
}

beforeEach(() => {
  session.set({ status: 'guest' })
  vi.resetModules()
  vi.doMock('./session.ts', () => ({
    session,
    deleteOnSignOut: (deletion: () => Promise<void>) => deletions.push(deletion),
  }))
})

afterEach(() => {
  vi.doUnmock('./session.ts')
  vi.resetModules()
})

it('takes only its own parameter out of the URL', async () => {
  await openWithRequest()
  expect(location.pathname + location.search + location.hash).toBe('/dashboard?other=1#hash')
})

it('is kept through sign-in, and while the session of the same user has expired', async () => {
  const request = await openWithRequest()
  signIn('anna')
  session.set({ status: 'guest' })
  signIn('anna')
  expect(request.get()).toMatchObject({ note: '', userId: 'anna' })
})

it('is not shown to another user', async () => {
  signIn('anna')
  const request = await openWithRequest()
  expect(request.get()).not.toBeNull()
  signIn('ben')
  expect(request.get()).toBeNull()
})

it('is deleted at sign-out', async () => {
  signIn('anna')
  const request = await openWithRequest()
  await deletions.at(-1)?.('anna')
  expect(request.get()).toBeNull()
  expect(JSON.stringify(sessionStorage)).not.toContain('userId')
})
