import type { Session, User } from '@supabase/auth-js'
import { reportError, UserError } from '#web/lib/error-message.ts'
import { memoryClient } from './auth-client.ts'
import { readStoredSession, writeStoredSession } from './stored-session.ts'
import { revokeSession } from './token-refresh.ts'

/**
 * Signs in again by the password, to prove who the user is. Rejects with the `AuthError`, or if the user has signed out meanwhile or
 * somebody else has signed in, in another tab: nobody may then be signed in by what this tab has begun before.
 *
 * @returns the session of this browser that the new one has replaced. It is still valid.
 */
export async function signInAgain({ email = '' }: User, password: string): Promise<Session> {
  const { data, error } = await memoryClient().signInWithPassword({ email, password })
  if (error) throw error
  const replaced = readStoredSession()
  if (replaced?.user.id !== data.user.id) {
    void endSession(data.session)
    throw new UserError('User not authenticated')
  }
  writeStoredSession(JSON.stringify(data.session))
  return replaced
}

/** Ends a session that is not stored, which would be listed as another device. */
export async function endSession(session: Session): Promise<void> {
  const error = await revokeSession(session, 'local').catch((failure: unknown) => failure)
  if (error) reportError('sign out', error)
}
