import { EMAIL_MAX_LENGTH } from '#shared/limits.ts'
import { ApiError } from '../../errors/api-error.ts'

/** What browsers take for an address (HTML standard, "valid email address"); GoTrue checks the same form. */
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i

/**
 * The address as it is stored: in lower case.
 * Throws with the texts of GoTrue internal/api/mail.go validateEmail.
 */
export function readEmailAddress(given: string): string {
  if (given === '') throw invalid('An email address is required')
  if (given.length > EMAIL_MAX_LENGTH) throw invalid('An email address is too long')
  if (!ADDRESS.test(given)) throw invalid('Unable to validate email address: invalid format')
  return given.toLowerCase()
}

function invalid(message: string): ApiError {
  return new ApiError(400, 'validation_failed', message)
}
