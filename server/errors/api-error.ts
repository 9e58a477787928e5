/** The reasons a password may be refused, in the words of the auth protocol. */
export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

export interface ApiErrorOptions {
  /** Second line of a data error: what exactly was wrong. */
  details?: string | null
  /** Third line of a data error: what to do about it. */
  hint?: string | null
  /** Reasons that go with `weak_password`. */
  weakPasswordReasons?: readonly WeakPasswordReason[]
  /** Headers the answer must carry besides the usual ones. */
  headers?: Readonly<Record<string, string>>
  /** What went wrong inside. Logged, never sent. */
  cause?: unknown
}

/**
 * A refusal that a client is meant to read: HTTP status, a stable code and a public message.
 * How it looks on the wire depends on the surface that answers; see `render-error.ts`.
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
