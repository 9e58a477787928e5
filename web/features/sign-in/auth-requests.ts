import { auth } from '#web/lib/auth-client.ts'
import { config } from '#web/lib/config.ts'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { RESET_PASSWORD } from '#web/lib/paths.ts'
import { resetAddress } from './reset-address.ts'

/** How a request ended: done, or not done for the reason given in words for the person. */
export type Outcome = { done: true } | { done: false; error: string }

/** An address still to be confirmed is no plain failure: something can be done about it. */
export type SignInOutcome = Outcome | { done: false; error: string; unconfirmed: true }

const DONE = { done: true } as const

/** Signs in with e-mail and password. The session itself is announced to the whole app. */
export async function signIn(email: string, password: string): Promise<SignInOutcome> {
  const { error } = await auth.signInWithPassword({ email, password })
  if (!error) return DONE
  const failed = failure('sign in', error)
  return error.code === 'email_not_confirmed' ? { ...failed, unconfirmed: true } : failed
}

/** Makes an account. Without a session the address is to be confirmed first. */
export async function signUp(
  email: string,
  password: string,
): Promise<Outcome | { done: true; confirmFirst: true }> {
  const { data, error } = await auth.signUp({ email, password })
  if (error) return failure('sign up', error)
  return data.session ? DONE : { done: true, confirmFirst: true }
}

/** Sends the mail with a link to set a new password, if the address has an account. */
export async function sendResetMail(email: string): Promise<Outcome> {
  const redirectTo = resetAddress(location, config.siteUrl, RESET_PASSWORD)
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo })
  return error ? failure('send reset password email', error) : DONE
}

/** Sends the mail that confirms an address once more. */
export async function sendConfirmationMail(email: string): Promise<Outcome> {
  const { error } = await auth.resend({ type: 'signup', email })
  return error ? failure('send confirmation email', error) : DONE
}

function failure(attempt: Operation, error: unknown): { done: false; error: string } {
  return { done: false, error: reportError(attempt, error) }
}
