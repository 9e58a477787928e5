import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '#shared/limits.ts'
import { ApiError } from '../../errors/api-error.ts'

/**
 * Throws when a password can't be accepted as a new one.
 * GoTrue internal/api/password.go checkPasswordStrength: first too long (in bytes), then too weak.
 */
export function checkNewPassword(password: string): void {
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    throw new ApiError(
      400,
      'validation_failed',
      `Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`,
    )
  }
  if (Array.from(password).length < PASSWORD_MIN_LENGTH) {
    throw new ApiError(
      422,
      'weak_password',
      `Password should be at least ${PASSWORD_MIN_LENGTH} characters.`,
      {
        weakPasswordReasons: ['length'],
      },
    )
  }
}
