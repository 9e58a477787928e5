import type { XProviderConfig } from '../config.ts'
import { ConfigError } from './config-error.ts'
import { parseUrl, read, readText, type Environment } from './environment.ts'

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
/** X's own addresses: https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code */
const ADDRESSES = {
  X_AUTHORIZE_URL: 'https://x.com/i/oauth2/authorize',
  X_TOKEN_URL: 'https://api.x.com/2/oauth2/token',
  X_PROFILE_URL: 'https://api.x.com/2/users/me',
  X_PICTURE_URL: 'https://pbs.twimg.com',
}

/** Sign-in with X; null when it is not configured. Throws a `ConfigError` when it is configured by half. */
export function readXProvider(env: Environment): XProviderConfig | null {
  const clientId = readText(env, 'X_CLIENT_ID')
  const clientSecret = readText(env, 'X_CLIENT_SECRET')
  if (clientId === null && clientSecret === null) return refuseStrayAddress(env)
  if (clientId === null)
    throw new ConfigError('X_CLIENT_SECRET is set without X_CLIENT_ID: set both, or neither.')
  if (clientSecret === null)
    throw new ConfigError('X_CLIENT_ID is set without X_CLIENT_SECRET: set both, or neither.')
  return {
    clientId,
    clientSecret,
    authorizeUrl: readAddress(env, 'X_AUTHORIZE_URL'),
    tokenUrl: readAddress(env, 'X_TOKEN_URL'),
    profileUrl: readAddress(env, 'X_PROFILE_URL'),
    pictureOrigin: new URL(readAddress(env, 'X_PICTURE_URL')).origin,
  }
}

function refuseStrayAddress(env: Environment): null {
  const stray = Object.keys(ADDRESSES).find((name) => readText(env, name) !== null)
  if (stray === undefined) return null
  throw new ConfigError(`${stray} is set without X_CLIENT_ID and X_CLIENT_SECRET: set all of them, or none.`)
}

/** Secrets go there, so nothing unencrypted but this very machine. */
function readAddress(env: Environment, name: keyof typeof ADDRESSES): string {
  const given = read(env, name, 'an https address', (text) => {
    const url = parseUrl(text, ['https:', 'http:'])
    return url !== null && (url.protocol === 'https:' || LOOPBACK_NAMES.has(url.hostname)) ? url.href : null
  })
  return given ?? ADDRESSES[name]
}
