import type { User } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { auth } from './auth-client.ts'
import { draftsBelongTo } from './draft-storage.ts'
import { reportError } from './error-message.ts'

/** Who uses this browser, as far as is known. */
export type SessionState = { status: 'starting' } | { status: 'guest' } | { status: 'signed-in'; user: User }

const GUEST: SessionState = { status: 'guest' }
const listeners = new Set<() => void>()
let state: SessionState = { status: 'starting' }
let started: Promise<string | null> | null = null

/**
 * Finds out who is signed in and follows every change from then on, in other tabs too. Asked again, it answers the
 * same.
 *
 * @returns what went wrong with a sign-in that another service sent here, in words for the person; else null
 */
export function startSession(): Promise<string | null> {
  started ??= start()
  return started
}

/** Who is signed in now. */
export function currentSession(): SessionState {
  return state
}

/** Calls back on every change of who is signed in, until what it returns is called. */
export function followSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same, for components. */
export function useSession(): SessionState {
  return useSyncExternalStore(followSession, currentSession)
}

/** The signed-in person. For screens that guests never see. */
export function useUser(): User {
  const session = useSession()
  if (session.status !== 'signed-in') throw new Error('User not authenticated')
  return session.user
}

/**
 * Signs the person out on every device; where the server can't be told, at least on this one. Never rejects, and
 * never leaves anybody signed in here.
 */
export async function signOut(): Promise<void> {
  const { error } = await auth.signOut({ scope: 'global' })
  if (!error) return
  reportError('sign out', error)
  await forgetSession()
}

/** Ends the session on this device, whatever the server says. For those whose account is no more. */
export async function forgetSession(): Promise<void> {
  await auth.signOut({ scope: 'local' })
}

/** Asks the server whether the account of this session was deleted. False as well where nobody answers. */
export async function isAccountGone(): Promise<boolean> {
  const { error } = await auth.getUser()
  return error?.code === 'user_not_found'
}

async function start(): Promise<string | null> {
  const { error } = await auth.initialize()
  const problem = error && reportError('initialize auth', error)
  await new Promise<void>((resolve) => {
    auth.onAuthStateChange((_event, session) => {
      become(session ? { status: 'signed-in', user: session.user } : GUEST)
      resolve()
    })
  })
  document.addEventListener('visibilitychange', () => void lookAgain())
  addEventListener('pageshow', (event) => {
    if (event.persisted) void lookAgain()
  })
  return problem
}

/** A page that slept has missed what other tabs said. */
async function lookAgain(): Promise<void> {
  if (document.visibilityState !== 'visible') return
  const { data, error } = await auth.getSession()
  if (!error && !data.session) become(GUEST)
}

function become(next: SessionState): void {
  if (isSame(state, next)) return
  state = next
  draftsBelongTo(next.status === 'signed-in' ? next.user.id : null)
  for (const listener of listeners) listener()
}

/** A renewed token brings the same person again: nothing needs to be drawn anew. */
function isSame(a: SessionState, b: SessionState): boolean {
  if (a.status !== 'signed-in' || b.status !== 'signed-in') return a.status === b.status
  return a.user.id === b.user.id && a.user.updated_at === b.user.updated_at
}
