import { EMAIL_MAX_LENGTH, PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '#shared/limits.ts'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import type { Metadata } from './account.ts'

/** What browsers accept (HTML standard, "valid email address"); GoTrue checks the same form. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/**
 * In bytes, as JSON. User metadata is part of every access token; with much more of it, the token would not fit into
 * an HTTP header and the account would be unusable.
 */
const METADATA_MAX_BYTES = 4096

/**
 * The email address as it is stored: in lower case.
 * Throws `validation_failed` with the messages of supabase/auth internal/api/mail.go validateEmail.
 */
export function parseEmailAddress(text: string): string {
  if (text === '') throw validationFailed('An email address is required')
  if (text.length > EMAIL_MAX_LENGTH) throw validationFailed('An email address is too long')
  if (!EMAIL.test(text)) throw validationFailed('Unable to validate email address: invalid format')
  return text.toLowerCase()
}

/**
 * Throws `validation_failed` or `weak_password` when a new password is not acceptable.
 * supabase/auth internal/api/password.go checkPasswordStrength: first too long (in bytes), then too weak.
 */
export function checkNewPassword(password: string): void {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    throw validationFailed(`Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`)
  }
  if (Array.from(password).length < PASSWORD_MIN_LENGTH) {
    const message = `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`
    throw new ApiError(422, 'weak_password', message, { weakPasswordReasons: ['length'] })
  }
}

/** Throws `validation_failed` when `changes`, merged into `current`, would make the user's metadata too large. */
export function checkUserMetadata(changes: Metadata, current: Metadata = {}): void {
  const adds = Object.values(changes).some((value) => value !== null)
  if (adds && Buffer.byteLength(JSON.stringify({ ...current, ...changes })) > METADATA_MAX_BYTES) {
    throw validationFailed(`User data can have at most ${String(METADATA_MAX_BYTES)} bytes`)
  }
}
