/** What was tried, and what to say when nobody said why it failed. */
const FALLBACKS = {
  initialise: 'Failed to initialize auth',
  'sign up': 'Failed to sign up',
  'sign in': 'Failed to sign in',
  'sign out': 'Failed to sign out',
  'sign in with X': 'Failed to sign in with Twitter',
  'send reset mail': 'Failed to send reset password email',
  'send confirmation mail': 'Failed to send confirmation email',
  'set session': 'Failed to set session',
  'update password': 'Failed to update password',
  'fetch prayers': 'Failed to fetch prayers',
  'add prayer': 'Failed to add prayer',
  'update prayer': 'Failed to update prayer',
  'delete prayer': 'Failed to delete prayer',
  'fetch categories': 'Failed to fetch categories',
  'add category': 'Failed to add category',
  'update category': 'Failed to update category',
  'delete category': 'Failed to delete category',
  'reorder categories': 'Failed to reorder categories',
} as const

export type Attempt = keyof typeof FALLBACKS

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
  return answered && message !== '' && !SERVER_TROUBLE.test(code) ? message : FALLBACKS[attempt]
}

/**
 * The same, and tells the console: with code and status, without the details of an answer, which may quote what
 * somebody wrote.
 */
export function reportFailure(attempt: Attempt, failure: unknown): string {
  const text = errorText(attempt, failure)
  const { code, status } = factsOf(failure)
  console.error(`${FALLBACKS[attempt]}: ${[text, code, status].filter(Boolean).join(', ')}`)
  return text
}

function factsOf(failure: unknown): FailureFacts {
  if (typeof failure !== 'object' || failure === null) return { message: '', code: '', status: null }
  const message: unknown = Reflect.get(failure, 'message')
  const code: unknown = Reflect.get(failure, 'code')
  const status: unknown = Reflect.get(failure, 'status')
  return {
    message: typeof message === 'string' ? message.trim() : '',
    code: typeof code === 'string' ? code : '',
    status: typeof status === 'number' ? status : null,
  }
}
