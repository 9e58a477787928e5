/** Why a password was rejected as too weak. Values are those of the auth protocol: do not rename. */
export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

export interface ApiErrorOptions {
  /** Data API only: what exactly was wrong. */
  details?: string | null
  /** Data API only: what the client can do about it. */
  hint?: string | null
  /** Goes with code `weak_password`. */
  weakPasswordReasons?: readonly WeakPasswordReason[]
  /** Additional response headers. */
  headers?: Readonly<Record<string, string>>
  /** The internal cause. Logged, never sent. */
  cause?: unknown
}

/**
 * An error that is sent to the client: HTTP status, stable code and public message. `render-error.ts` writes it in the
 * shape of the API that was called.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null
  readonly weakPasswordReasons: readonly WeakPasswordReason[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.status = status
    this.code = code
    this.details = options.details ?? null
    this.hint = options.hint ?? null
    this.weakPasswordReasons = options.weakPasswordReasons ?? []
    this.headers = options.headers ?? {}
  }
}

/** What was sent is not acceptable. */
export function validationFailed(message: string): ApiError {
  return new ApiError(400, 'validation_failed', message)
}

/** Seconds after which a client may try again. */
const RETRY_AFTER = '2'

/** A client has more requests in progress than the server accepts. 503, which auth-js retries without ending the session. */
export function overCapacity(headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(503, 'over_capacity', 'Too many requests at the same time. Try again in a moment.', {
    headers: { 'retry-after': RETRY_AFTER, ...headers },
  })
}

/** The request did not finish before the server stopped. It may have been carried out all the same. */
export function stopping(): ApiError {
  return new ApiError(503, 'stopping', 'The server is being restarted. Try again in a moment.', {
    headers: { 'retry-after': RETRY_AFTER, connection: 'close' },
  })
}
