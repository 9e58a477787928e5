import { fieldsOf } from '#shared/fields.ts'

/** What was tried. */
export type Attempt =
  | keyof typeof OTHER_WORDS
  | 'sign up'
  | 'sign in'
  | 'sign out'
  | 'set session'
  | 'update password'
  | 'fetch prayers'
  | 'add prayer'
  | 'update prayer'
  | 'delete prayer'
  | 'fetch categories'
  | 'add category'
  | 'update category'
  | 'delete category'
  | 'reorder categories'
  | 'export your data'
  | 'import'
  | 'delete your account'

/** Attempts that the person knows by other words. */
const OTHER_WORDS = {
  initialise: 'initialize auth',
  'sign in with X': 'sign in with Twitter',
  'send reset mail': 'send reset password email',
  'send confirmation mail': 'send confirmation email',
} as const

/** Refused here, before anything was sent. Its message is written for the person. */
export class Refusal extends Error {
  override name = 'Refusal'
}

interface FailureFacts {
  message: string
  code: string
  status: number | null
}

/** SQLSTATE classes that speak of the server's own trouble, not of what was asked. */
const SERVER_TROUBLE = /^(?:08|40|53|54|57|58|XX)[0-9A-Z]{3}$/

/**
 * Turns any failure into the text that a person reads: what was said about the request, or the fallback for what was
 * tried where nobody answered or the answer speaks of the server's own trouble.
 */
export function errorText(attempt: Attempt, failure: unknown): string {
  const { message, code, status } = factsOf(failure)
  if (failure instanceof Refusal) return message
  const answered = status === null ? code !== '' : status >= 400 && status < 500
  return answered && message !== '' && !SERVER_TROUBLE.test(code) ? message : fallback(attempt)
}

/**
 * The same, and tells the console: with code and status, without the details of an answer, which may quote what
 * somebody wrote.
 */
export function reportFailure(attempt: Attempt, failure: unknown): string {
  const text = errorText(attempt, failure)
  const { code, status } = factsOf(failure)
  console.error(`${fallback(attempt)}: ${[text, code, status].filter(Boolean).join(', ')}`)
  return text
}

/** What to say when nobody said why it failed. */
function fallback(attempt: Attempt): string {
  return `Failed to ${isOtherwiseKnown(attempt) ? OTHER_WORDS[attempt] : attempt}`
}

function isOtherwiseKnown(attempt: Attempt): attempt is keyof typeof OTHER_WORDS {
  return attempt in OTHER_WORDS
}

function factsOf(failure: unknown): FailureFacts {
  const { message, code, status } = fieldsOf(failure)
  return {
    message: typeof message === 'string' ? message.trim() : '',
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' ? status : null,
  }
}
