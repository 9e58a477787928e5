import type { ApiError } from '../../errors/api-error.ts'
import { encodeParameters } from './fragment.ts'

/** What went wrong, as a web app reads it from its address. */
export type RedirectedError = Readonly<Record<string, string>>

/** supabase/auth internal/api/errors.go oauthErrorMap, and 500 for all that is no client's fault. */
const OAUTH_ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthorized_client'],
  [403, 'access_denied'],
  [500, 'server_error'],
])

/** A refusal in the parameters of a redirect. */
export function describeError({ status, code, message }: ApiError): RedirectedError {
  const error = OAUTH_ERRORS.get(status)
  return { ...(error === undefined ? {} : { error }), error_code: code, error_description: message }
}

/** The target with the error in its fragment; the target's own query stays. verify.go prepErrorRedirectURL. */
export function withErrorFragment(target: string, error: RedirectedError): string {
  return `${withoutFragment(target)}#${encodeParameters({ ...error, sb: '' })}`
}

/** The target with the error in query and fragment. external.go redirectErrors. */
export function withErrorEverywhere(target: string, error: RedirectedError): string {
  return withErrorFragment(withErrorQuery(target, error), error)
}

/** The target with the error in its query alone. */
export function withErrorQuery(target: string, error: RedirectedError): string {
  const address = withoutFragment(target)
  return `${address}${address.includes('?') ? '&' : '?'}${encodeParameters(error)}`
}

function withoutFragment(target: string): string {
  return target.split('#')[0] ?? target
}
