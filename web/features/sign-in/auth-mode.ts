export type AuthMode = 'login' | 'signup' | 'reset'

/** Which form the sign-in screen shows, by the query of its address. */
export function authMode(search: string): AuthMode {
  const mode = new URLSearchParams(search).get('mode')
  return mode === 'signup' || mode === 'reset' ? mode : 'login'
}
