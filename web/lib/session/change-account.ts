import {
  type GoTrueClient,
  isAuthApiError,
  isAuthSessionMissingError,
  type Session,
  type User,
  type UserAttributes,
} from '@supabase/auth-js'
import { linkOrigin } from '#web/lib/config.ts'
import { UserError } from '#web/lib/error-message.ts'
import { notice } from '#web/lib/navigation/navigation-state.ts'
import { PROFILE } from '#web/lib/navigation/routes.ts'
import { memoryClient } from './auth-client.ts'
import type { initialUrl } from './initial-url.ts'
import { readStoredSession, writeStoredUser } from './stored-session.ts'
import { currentAuthSession, sessionAfterRejection } from './token-refresh.ts'

/** What proves that it is the user who asks: the password, or a code that was sent to their address. A recent sign-in does as well. */
export type Proof = Pick<UserAttributes, 'current_password' | 'nonce'>

/** What is needed to act in a session. */
export type Tokens = Pick<Session, 'access_token' | 'refresh_token'>

/**
 * Changes the account of the signed-in user: the name at once, the address once it is confirmed. A new address or password takes a
 * `Proof`. Rejects with the `AuthError`, or like `currentAuthSession`.
 *
 * @returns the user as they are now
 */
export async function updateUser(attributes: UserAttributes): Promise<User> {
  const client = await clientOf(await ownSession())
  const emailRedirectTo = `${linkOrigin(location)}${PROFILE}`
  const { data, error } = await client.updateUser(attributes, { emailRedirectTo })
  if (error) throw error
  writeStoredUser(data.user)
  return data.user
}

/** Sends a code to the address of the signed-in user, as a `Proof`. Rejects like `updateUser`. */
export async function sendCode(): Promise<void> {
  const client = await clientOf(await ownSession())
  const { error } = await client.reauthenticate()
  if (error) throw error
}

/**
 * Brings the signed-in user up to date, whose account may have been changed on another device. Rejects if that is not possible, for
 * example because the session was ended there: it then ends here.
 */
export async function refreshUser(): Promise<void> {
  const current = await currentAuthSession()
  if (!current) return
  const { data, error } = await memoryClient().getUser(current.access_token)
  if (isAuthApiError(error) || isAuthSessionMissingError(error))
    await sessionAfterRejection(current.access_token)
  if (error) throw error
  writeStoredUser(data.user)
}

/** The session of this browser. Rejects like `currentAuthSession`, and if no one is signed in. */
export async function ownSession(): Promise<Session> {
  const current = await currentAuthSession()
  if (!current) throw new UserError('User not authenticated')
  return current
}

/** A client for a session. auth-js asks for the user first, which does no harm. Rejects with the `AuthError`. */
export async function clientOf(tokens: Tokens): Promise<GoTrueClient> {
  const client = memoryClient()
  const { error } = await client.setSession(tokens)
  if (error) throw error
  return client
}

/** What is said about a link that did not work, by the auth service's error code. */
const LINK_FAILURES = new Map([
  [
    'otp_expired',
    'The link to change an email address was used before, is too old, or the change was cancelled. Your profile in the settings shows your address.',
  ],
  ['email_exists', 'Another account has the new email address by now, so yours stays as it is.'],
])

/**
 * Says what a link has done that changes an address. Nobody is signed in by it, or out: it may be opened on another device, or by
 * somebody else. Rejects if the server does not confirm what the link says.
 */
export async function openEmailChangeLink({ result }: typeof initialUrl): Promise<void> {
  if (result.kind === 'email-half-confirmed') {
    notice.set(
      'One of the two links is confirmed. Please open the one in the email to the other address too.',
    )
  } else if (result.kind === 'failure') {
    notice.set(
      LINK_FAILURES.get(result.code ?? '') ??
        `The link to change an email address did not work: ${result.description}`,
    )
  } else if (result.kind === 'email-changed') {
    await noticeChange(result.accessToken, result.refreshToken ?? '')
  }
}

async function noticeChange(access_token: string, refresh_token: string): Promise<void> {
  const client = memoryClient()
  const { data, error } = await client.setSession({ access_token, refresh_token })
  if (error) throw error
  if (!data.user) return
  const { id, email = '' } = data.user
  const stored = readStoredSession()
  writeStoredUser(data.user)
  notice.set(
    stored && stored.user.id !== id
      ? `The new address ${email} is confirmed, for another account than the one you are signed in with.`
      : `The new address ${email} is confirmed. From now on, sign in with it.`,
  )
  // Otherwise the session of the link would be in the list of devices.
  await client.signOut({ scope: 'local' })
}
