import { reportError } from '#web/lib/error-message.ts'
import { lazyChunk } from '#web/lib/loading/lazy-chunk.ts'
import { importOrOfferReload } from '#web/lib/loading/reload.ts'
import { writeStoredSession } from '#web/lib/session/stored-session.ts'

export type CredentialsResult =
  /** The app moves on by itself when the session changes. */
  | { kind: 'signed-in' }
  | { kind: 'failed'; error: string }
  /** The password is right, but the email address is not confirmed. */
  | { kind: 'unconfirmed'; error: string }
  /** The link that confirms the email address was used before, or is too old. */
  | { kind: 'link-expired'; error: string }
  /** Too many attempts, perhaps by someone else who guesses the password: it may take an hour until the next one counts. */
  | { kind: 'limited'; error: string }
  /** The email address has an account. */
  | { kind: 'registered'; error: string }
  /** The account was created, and an email to confirm the address was sent. */
  | { kind: 'confirmation-sent' }

/** What signing in needs. It is loaded beside the screen, or while the user types. */
export const AUTH = lazyChunk(() => import('#web/lib/session/auth-client.ts'))

export function signIn(email: string, password: string): Promise<CredentialsResult> {
  return request('sign in', async ({ memoryClient }) => {
    const { data, error } = await memoryClient().signInWithPassword({ email, password })
    // A server must not show somebody else's account: this device would not know that the user's own is encrypted.
    if (data.user?.email?.toLowerCase() === email.toLowerCase()) {
      writeStoredSession(JSON.stringify(data.session))
      return { kind: 'signed-in' }
    }
    const message = reportError('sign in', error)
    if (error?.code === 'over_request_rate_limit') return { kind: 'limited', error: message }
    if (error?.code !== 'email_not_confirmed') return { kind: 'failed', error: message }
    await rememberSignUp(email)
    return { kind: 'unconfirmed', error: message }
  })
}

export function signUp(email: string, password: string): Promise<CredentialsResult> {
  return request('sign up', async ({ auth }) => {
    const { data, error } = await auth.signUp({ email, password })
    if (error) {
      const isRegistered = error.code === 'user_already_exists'
      return { kind: isRegistered ? 'registered' : 'failed', error: reportError('sign up', error) }
    }
    if (data.session) return { kind: 'signed-in' }
    await rememberSignUp(email)
    return { kind: 'confirmation-sent' }
  })
}

async function request(
  operation: 'sign in' | 'sign up',
  send: (client: Awaited<ReturnType<typeof AUTH.load>>) => Promise<CredentialsResult>,
): Promise<CredentialsResult> {
  try {
    return await send(await importOrOfferReload(AUTH.load))
  } catch (failure) {
    return { kind: 'failed', error: reportError(operation, failure) }
  }
}

/** Loaded when it is needed: few pages ever sign up. Without it, the link in the email asks for a new password. */
async function rememberSignUp(email: string): Promise<void> {
  const memory = await import('#web/lib/session/sign-up-memory.ts').catch(() => null)
  await memory?.rememberSignUp(email)
}
