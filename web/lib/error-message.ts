import { isRecord } from '#shared/is-record.ts'

/** An operation that can fail, as the message "Failed to …" calls it. */
export type Operation =
  | 'initialize auth'
  | 'sign up'
  | 'sign in'
  | 'sign in with Twitter'
  | 'sign out'
  | 'sign out that device'
  | 'sign out the other devices'
  | 'load your devices'
  | 'set session'
  | 'send reset password email'
  | 'send confirmation email'
  | 'update password'
  | 'check your password'
  | 'save your name'
  | 'change your email address'
  | 'send the code'
  | 'check the code'
  | 'set up two-factor sign-in'
  | 'turn off two-factor sign-in'
  | 'remove the app'
  | 'make recovery codes'
  | 'load your reminders'
  | 'save the reminder'
  | 'delete the reminder'
  | 'change the time zone'
  | 'turn on notifications'
  | 'turn off notifications'
  | 'fetch prayers'
  | 'add prayer'
  | 'update prayer'
  | 'delete prayer'
  | 'mark prayers as prayed'
  | 'mark prayers as not prayed'
  | 'fetch updates'
  | 'add update'
  | 'change update'
  | 'delete update'
  | 'fetch categories'
  | 'add category'
  | 'update category'
  | 'delete category'
  | 'reorder categories'
  | 'make a prayer key'
  | 'check the prayer key'
  | 'check your prayers'
  | 'encrypt your prayers'
  | 'turn off encryption'
  | 'go on'
  | 'delete your prayers'
  | 'export your data'
  | 'import'
  | 'delete your account'

/** An error found in the browser, before any request. Its message is written for the user. */
export class UserError extends Error {
  override name = 'UserError'
}

/** A request was not sent, because the session must be refreshed first and the server can't be reached. */
export class NetworkUnavailableError extends Error {
  override name = 'NetworkUnavailableError'
  /** How long the server wants to be left alone, in seconds; 0 if it has not said. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('The session could not be refreshed.')
    this.retryAfter = retryAfter
  }
}

interface ErrorFields {
  message: string
  code: string
  status: number | null
}

/** Invalid values, broken constraints, missing rights, and what functions raise. */
const REQUEST = /^(?:22...|23...|42501|P0001|PT4..)$/
/** Lost connections, conflicts between transactions, full resources, locks and shutdown. */
const PASSING = /^(?:08...|40...|53...|55P03|57...)$/
/** Limits of PostgreSQL, damaged files and bugs. */
const FAULT = /^(?:54...|58...|XX...)$/

/**
 * What caused an error of the database, by its SQLSTATE: the request, a state of the server that passes by itself, or a fault
 * of the server. Null for any other code.
 */
export function causeOf(code: string): 'request' | 'passing' | 'fault' | null {
  if (REQUEST.test(code)) return 'request'
  if (PASSING.test(code)) return 'passing'
  return FAULT.test(code) ? 'fault' : null
}

/**
 * Turns any failure into the message that the user sees: the server's own message if it rejected the request, else
 * "Failed to …" (no response, or a fault of the server).
 */
export function errorMessage(operation: Operation, failure: unknown): string {
  const { message, code, status } = readError(failure)
  if (failure instanceof UserError) return message
  const isRejected = status === null ? code !== '' : status >= 400 && status < 500
  const cause = causeOf(code)
  const isOfServer = cause === 'passing' || cause === 'fault'
  return isRejected && message !== '' && !isOfServer ? message : `Failed to ${operation}`
}

/**
 * Returns the message for the user and logs it to the console with code and status, but without the error's details,
 * which may quote what a user wrote.
 */
export function reportError(operation: Operation, failure: unknown): string {
  const message = errorMessage(operation, failure)
  const { code, status } = readError(failure)
  console.error(`Failed to ${operation}: ${[message, code, status].filter(Boolean).join(', ')}`)
  return message
}

function readError(failure: unknown): ErrorFields {
  const { message, code, status }: Readonly<Record<string, unknown>> = isRecord(failure) ? failure : {}
  return {
    message: typeof message === 'string' ? message.trim() : '',
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' ? status : null,
  }
}
