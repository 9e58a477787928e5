import type { Session } from '../sessions/session-json.ts'
import { encodeParameters } from './fragment.ts'

/**
 * The address that hands a session to the web app: its tokens in the fragment, which browsers send to no server.
 * The empty `sb` marks the answer as one of this protocol. supabase/auth internal/tokens/service.go AsRedirectURL.
 */
export function sessionRedirect(
  target: string,
  session: Session,
  further: Readonly<Record<string, string>>,
): string {
  const parameters = {
    access_token: session.accessToken,
    expires_at: String(session.expiresAt),
    expires_in: String(session.expiresIn),
    refresh_token: session.refreshToken,
    sb: '',
    token_type: 'bearer',
    ...further,
  }
  return `${target}#${encodeParameters(parameters)}`
}
