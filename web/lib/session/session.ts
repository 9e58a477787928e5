import type { User } from '@supabase/auth-js'
import { hideDrafts, setDraftOwner } from '#web/lib/storage/draft-owner.ts'
import { reportError } from '#web/lib/error-message.ts'
import { clearInitialUrl, initialUrl } from './initial-url.ts'
import { importOrReload } from '#web/lib/loading/lazy-chunk.ts'
import { notice, pendingDeletion } from '#web/lib/navigation/navigation-state.ts'
import { currentRecovery } from './recovery.ts'
import { createStore, type Store, useStore } from '#web/lib/storage/store.ts'
import {
  type EndedSession,
  endStoredSession,
  forgetEndedSession,
  isWanted,
  needsCode,
  readEndedSession,
  readStoredSession,
  subscribeToStoredSession,
} from './stored-session.ts'
import { timeout } from '#web/lib/timeout.ts'
import { expiresSoon, revokeSession } from './token-refresh.ts'

/** How long signing out waits for the server, in milliseconds. The session is removed from this device before. */
const SIGN_OUT_TIMEOUT_MS = 3000

export type SessionState =
  /** Waiting for the session in a link. */
  | { status: 'starting' }
  /** No one is signed in. `ended` is the last session of this browser, if it is known. */
  | { status: 'guest'; ended: EndedSession | null }
  /**
   * Someone is signed in, as stored on this device. The access token may have expired, and the server may not be
   * reachable. If another user signs in, also in another tab, the state changes directly to that user.
   */
  | { status: 'signed-in'; user: User }
  /** Someone has signed in, and has to give a code (two-factor sign-in) before anything of theirs is shown, sent or fetched. */
  | { status: 'needs-code'; user: User }

const store = createStore<SessionState>({ status: 'starting' })
let started: Promise<string | null> | null = null
let isSigningOut = false

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
 * Reads the stored session, and from then on follows every change, also in other tabs. Waits for the server only if the page was
 * opened with a link that may sign in or needs to know who is signed in. Starts only once. Rejects if what opens the link cannot be
 * loaded: the link is then left as it is, for a reload.
 *
 * @returns the error message if the session in the URL could not be used; else null
 */
export function startSession(): Promise<string | null> {
  started ??= start()
  return started
}

async function start(): Promise<string | null> {
  const openLink = await loadLinkOpener()
  clearInitialUrl()
  const message =
    openLink && (await openLink().catch((failure: unknown) => reportError('initialize auth', failure)))
  update()
  subscribeToStoredSession(update)
  return message
}

/** Few pages are opened with a link, so what opens it is not part of the first download. */
async function loadLinkOpener(): Promise<(() => Promise<string | null>) | null> {
  const { hasSession, result } = initialUrl
  if (!hasSession && result.kind === 'none' && currentRecovery().stage === 'none') return null
  return (await importOrReload(() => import('./open-link.ts'))).openLink
}

type DeleteUserData = (userId: string) => Promise<void>
const userDataDeletions: DeleteUserData[] = []

/**
 * Registers what deletes a user's data from this device. Call it before `startSession`.
 *
 * It is called once the user has signed out or the account was deleted: in every open tab, and again at the next start if
 * it was interrupted or has failed. So it must be possible to run it twice, and while the same user signs in again. It is
 * not called when the server has ended the session, or when another user signs in without a sign-out.
 */
export function deleteOnSignOut(deletion: DeleteUserData): void {
  userDataDeletions.push(deletion)
}

async function deleteUserData(ended: EndedSession): Promise<void> {
  try {
    await Promise.all(userDataDeletions.map((deletion) => deletion(ended.userId)))
    forgetEndedSession(ended)
  } catch (failure) {
    reportError('sign out', failure)
  }
}

function update(): void {
  if (isSigningOut) return
  const next = storedState()
  if (isSame(store.get(), next)) return
  if (next.status === 'signed-in') setDraftOwner(next.user.id)
  else if (next.status === 'needs-code' || (next.ended && !isWanted(next.ended.reason))) hideDrafts()
  else setDraftOwner(null)
  store.set(next)
  if (next.status === 'guest' && next.ended && isWanted(next.ended.reason)) void deleteUserData(next.ended)
}

/** Who is signed in as far as the storage knows: a link in the URL may change that when the session is started. */
export function storedState(): Exclude<SessionState, { status: 'starting' }> {
  const stored = readStoredSession()
  if (!stored) return { status: 'guest', ended: readEndedSession() }
  return { status: needsCode(stored) ? 'needs-code' : 'signed-in', user: stored.user }
}

/** A refreshed token doesn't change the user, so nothing has to render again. */
function isSame(a: SessionState, b: SessionState): boolean {
  // How the session ended is forgotten as soon as everything is deleted.
  if (a.status === 'guest' && b.status === 'guest') return !b.ended || a.ended?.reason === b.ended.reason
  if (a.status !== b.status) return false
  return !('user' in a && 'user' in b) || JSON.stringify(a.user) === JSON.stringify(b.user)
}

/**
 * Signs out: on this device at once, and on every other device if the server can be reached. Resolves when the server has
 * responded, after three seconds at the latest, and immediately if it is known that it can't be reached. Never rejects.
 *
 * @param scope `local` leaves the other devices signed in
 * @param reason `no-code` deletes nothing from this device
 */
export async function signOut(
  scope: 'global' | 'local' = 'global',
  reason: 'signed-out' | 'no-code' = 'signed-out',
): Promise<void> {
  // They may be about this user.
  notice.set(null)
  pendingDeletion.set(null)
  const stored = readStoredSession()
  if (stored === null) return update()
  // An access token that has expired could not be refreshed.
  const isOffline = !navigator.onLine || expiresSoon(stored)
  isSigningOut = !isOffline
  endStoredSession(reason)
  const revoked = revokeSession(stored, scope).then(
    (error) => error && reportError('sign out', error),
    (failure: unknown) => reportError('sign out', failure),
  )
  if (!isOffline) await Promise.race([revoked, timeout(SIGN_OUT_TIMEOUT_MS)])
  isSigningOut = false
  update()
}
