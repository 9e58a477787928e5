import type { Factor, Session, User } from '@supabase/auth-js'
import { reportError, UserError } from '#web/lib/error-message.ts'
import { memoryClient } from './auth-client.ts'
import {
  appsOf,
  byLastUse,
  type CodeTarget,
  giveAppCode,
  giveRecoveryCode,
  isWrongCode,
} from './second-factor.ts'
import { readStoredSession, writeStoredSession } from './stored-session.ts'
import { revokeSession } from './token-refresh.ts'

/**
 * Signs in again by the password, to prove who the user is. Rejects with the `AuthError`, or if the user has signed out meanwhile or
 * somebody else has signed in, in another tab: nobody may then be signed in by what this tab has begun before.
 *
 * @param code of an authenticator app of the user; without one that they have, the new session still needs it
 * @returns the session of this browser that the new one has replaced. It is still valid.
 */
export async function signInAgain(user: User, password: string, code?: string): Promise<Session> {
  const { email = '' } = user
  const { data, error } = await memoryClient().signInWithPassword({ email, password })
  if (error) throw error
  try {
    const session = code === undefined ? data.session : await withCode(data.session, appsOf(user), code)
    const replaced = readStoredSession()
    if (replaced?.user.id !== session.user.id) throw new UserError('User not authenticated')
    writeStoredSession(JSON.stringify(session))
    return replaced
  } catch (failure) {
    void endSession(data.session)
    throw failure
  }
}

/** The session once the code of one of the apps, or a recovery code, was given in it: nobody is asked which one. Rejects like `giveAppCode`. */
async function withCode(session: Session, apps: readonly Factor[], code: string): Promise<Session> {
  let raised = session
  const target = { tokens: async () => session, keep: (next: Session) => (raised = next) }
  if (/^[\d\s]*$/.test(code)) await giveCodeOfAny(apps.toSorted(byLastUse), target, code)
  else await giveRecoveryCode(target, code)
  return raised
}

async function giveCodeOfAny(
  [app, ...others]: readonly Factor[],
  target: CodeTarget,
  code: string,
): Promise<void> {
  try {
    await giveAppCode(target, app?.id ?? '', code)
  } catch (failure) {
    if (others.length === 0 || !isWrongCode(failure)) throw failure
    await giveCodeOfAny(others, target, code)
  }
}

/** Ends a session that is not stored, which would be listed as another device. */
export async function endSession(session: Session): Promise<void> {
  const error = await revokeSession(session, 'local').catch((failure: unknown) => failure)
  if (error) reportError('sign out', error)
}
