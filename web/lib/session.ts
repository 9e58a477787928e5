import type { User } from '@supabase/auth-js'
import { auth, removeLocalSession } from './auth-client.ts'
import { setDraftOwner } from './drafts.ts'
import { reportError } from './error-message.ts'
import { flashMessage, returnPath } from './navigation-state.ts'
import { createStore, type Store, useStore } from './store.ts'

export type SessionState = { status: 'starting' } | { status: 'guest' } | { status: 'signed-in'; user: User }

const GUEST: SessionState = { status: 'guest' }
const store = createStore<SessionState>({ status: 'starting' })
let started: Promise<string | null> | null = null

/** Who is signed in, in any tab. */
export const session: Pick<Store<SessionState>, 'get' | 'subscribe'> = store

export function useSession(): SessionState {
  return useStore(session)
}

/** The signed-in user, for screens that guests never see. */
export function useUser(): User {
  const state = useSession()
  if (state.status !== 'signed-in') throw new Error('User not authenticated')
  return state.user
}

/**
 * Loads the session, and from then on follows every change, also in other tabs. Starts only once.
 *
 * @returns the error message if the session in the URL could not be used; else null
 */
export function startSession(): Promise<string | null> {
  started ??= start()
  return started
}

async function start(): Promise<string | null> {
  const { error } = await auth.initialize()
  const message = error && reportError('initialize auth', error)
  await new Promise<void>((resolve) => {
    auth.onAuthStateChange((_event, authSession) => {
      update(authSession ? { status: 'signed-in', user: authSession.user } : GUEST)
      resolve()
    })
  })
  document.addEventListener('visibilitychange', () => void detectSignOut())
  addEventListener('pageshow', (event) => {
    if (event.persisted) void detectSignOut()
  })
  return message
}

/** A suspended page misses the messages of other tabs. */
async function detectSignOut(): Promise<void> {
  if (document.visibilityState !== 'visible') return
  const { data, error } = await auth.getSession()
  if (!error && !data.session) update(GUEST)
}

function update(next: SessionState): void {
  if (isSame(store.get(), next)) return
  setDraftOwner(next.status === 'signed-in' ? next.user.id : null)
  store.set(next)
}

/** A refreshed token doesn't change the user, so nothing has to render again. */
function isSame(a: SessionState, b: SessionState): boolean {
  if (a.status !== 'signed-in' || b.status !== 'signed-in') return a.status === b.status
  return a.user.id === b.user.id && a.user.updated_at === b.user.updated_at
}

/** Signs out on every device, or at least on this one if the server can't be reached. Never rejects. */
export async function signOut(): Promise<void> {
  const { error } = await auth.signOut({ scope: 'global' })
  if (!error) return
  reportError('sign out', error)
  await removeLocalSession()
}

/** Whether the account of this session was deleted. False as well if the server can't be reached. */
export async function isAccountDeleted(): Promise<boolean> {
  const { error } = await auth.getUser()
  return error?.code === 'user_not_found'
}

/** Signs out on this device after the account was deleted, with a message on the sign-in screen. */
export async function signOutDeletedAccount(): Promise<void> {
  flashMessage.set('Your account has been deleted, with everything in it. Go in peace.')
  returnPath.set(null)
  await removeLocalSession()
}
