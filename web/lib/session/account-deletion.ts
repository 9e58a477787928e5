import { type AuthError, isAuthApiError, isAuthSessionMissingError, type Session } from '@supabase/auth-js'
import { returnPath } from '#web/lib/navigation/navigation-state.ts'
import { memoryClient } from './auth-client.ts'
import { session } from './session.ts'
import { endStoredSession } from './stored-session.ts'
import { currentAuthSession, sessionAfterRejection } from './token-refresh.ts'

/** Whether the account of this session, of which the user has requested the deletion, is gone. Rejects if that can't be known. */
export async function isAccountGone(): Promise<boolean> {
  const current = await currentAuthSession()
  const error = current && (await errorOfUser(current))
  if (error && error.code !== 'user_not_found') throw error
  return error !== null
}

/**
 * Whether the account of this session was deleted, on another device. Then, or if the server does not know the session,
 * signs out. Rejects if it can't be known.
 */
export async function signOutIfDeleted(): Promise<boolean> {
  const current = await currentAuthSession()
  const error = current && (await errorOfUser(current))
  if (!current || !error) return false
  // A server that was restored from a backup may have lost the account. Refreshing the session tells.
  if (isAuthApiError(error) || isAuthSessionMissingError(error))
    await sessionAfterRejection(current.access_token)
  const state = session.get()
  if (state.status !== 'guest' || state.ended?.reason !== 'account-deleted') throw error
  returnPath.set(null)
  return true
}

async function errorOfUser({ access_token: token }: Session): Promise<AuthError | null> {
  // The usual client would end a session that the server does not know.
  return (await memoryClient().getUser(token)).error
}

/** Signs out on this device after the account was deleted. */
export function signOutDeletedAccount(): void {
  returnPath.set(null)
  endStoredSession('account-deleted')
}
