import type { ApiError } from '../errors/api-error.ts'
import type { Session } from './sessions.ts'

/** The parameters that report an error to the web app. */
export type ErrorParameters = Readonly<Record<string, string>>

/** supabase/auth internal/api/errors.go oauthErrorMap, plus 500 for errors that are not the client's fault. */
const OAUTH_ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthorized_client'],
  [403, 'access_denied'],
  [500, 'server_error'],
])

/** An error as the parameters of a redirect. */
export function errorParameters({ status, code, message }: ApiError): ErrorParameters {
  const error = OAUTH_ERRORS.get(status)
  return { ...(error === undefined ? {} : { error }), error_code: code, error_description: message }
}

/** The target with an error or a message in its fragment; the target's own query stays. verify.go prepErrorRedirectURL. */
export function withFragment(target: string, parameters: Readonly<Record<string, string>>): string {
  return `${withoutFragment(target)}#${encodeParameters({ ...parameters, sb: '' })}`
}

/** The target with the error in its query. */
export function withErrorQuery(target: string, error: ErrorParameters): string {
  const address = withoutFragment(target)
  return `${address}${address.includes('?') ? '&' : '?'}${encodeParameters(error)}`
}

/** The target with the error in both query and fragment. external.go redirectErrors. */
export function withErrorQueryAndFragment(target: string, error: ErrorParameters): string {
  return withFragment(withErrorQuery(target, error), error)
}

/**
 * The target with a session in its fragment, which browsers send to no server. The empty `sb` marks a redirect of this
 * protocol. supabase/auth internal/tokens/service.go AsRedirectURL.
 */
export function withSession(
  target: string,
  session: Session,
  otherParameters: Readonly<Record<string, string>>,
): string {
  const parameters = {
    access_token: session.accessToken,
    expires_at: String(session.expiresAt),
    expires_in: String(session.expiresIn),
    refresh_token: session.refreshToken,
    sb: '',
    token_type: 'bearer',
    ...otherParameters,
  }
  return `${target}#${encodeParameters(parameters)}`
}

/**
 * Parameters as Go's url.Values.Encode renders them: sorted by name, spaces as plus signs, everything escaped except
 * letters, digits and `-_.~`.
 */
export function encodeParameters(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${escape(name)}=${escape(value)}`)
    .join('&')
}

function escape(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function withoutFragment(target: string): string {
  return target.split('#')[0] ?? target
}
