import type { User } from '@supabase/auth-js'
import { auth } from '#web/lib/auth-client.ts'
import { reportError } from '#web/lib/error-message.ts'
import { leaveDeletedAccount } from '#web/lib/leave-deleted-account.ts'
import { isAccountGone } from '#web/lib/session.ts'
import { deleteAccount } from './account-data-requests.ts'

/**
 * Deletes the account and everything in it, and leaves: the whole app hears that the session is gone.
 *
 * @param password checked first by signing in anew; null where another proof was given
 * @returns why it could not be done, in words for the person; null when it is done
 */
export async function performDeletion(user: User, password: string | null): Promise<string | null> {
  if (password !== null) {
    const { error } = await auth.signInWithPassword({ email: user.email ?? '', password })
    if (error) return goneAlready(reportError('sign in', error))
  }
  try {
    await deleteAccount()
  } catch (failure) {
    return goneAlready(reportError('delete your account', failure))
  }
  await leaveDeletedAccount()
  return null
}

/** What looks like a failure may be an account that is deleted already, with the answer lost on its way. */
async function goneAlready(failure: string): Promise<string | null> {
  if (!(await isAccountGone())) return failure
  await leaveDeletedAccount()
  return null
}
