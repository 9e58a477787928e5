import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  processAuthorizationCodeResponse,
  protectedResourceRequest,
  validateAuthResponse,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
} from 'oauth4webapi'
import type { XProviderConfig } from '../../config.ts'
import { readProfile, type XProfile } from './x-profile.ts'

/** What the provider gave for a code. */
export interface ProviderTokens {
  accessToken: string
  refreshToken: string | null
}

/** X as an OAuth 2.0 server with PKCE (supabase/auth internal/api/provider/x.go). */
export interface XClient {
  /** Where to send a person to be asked. */
  authorizationUrl(given: { state: string; verifier: string; scopes: string }): Promise<string>
  /** Exchanges the code that came back; rejects when the provider refuses, or is too slow. */
  exchangeCode(callback: URLSearchParams, verifier: string): Promise<ProviderTokens>
  /** Who the person is; rejects likewise. */
  fetchProfile(tokens: ProviderTokens): Promise<XProfile>
}

/** All that is needed of a profile; X leaves the address out unless asked by name. */
const PROFILE_FIELDS = 'confirmed_email,id,name,profile_image_url,username'
const SCOPES = ['users.email', 'tweet.read', 'users.read', 'offline.access']
/** The product asks for `email`, as older X did; OAuth 2.0 calls it otherwise and refuses unknown names. */
const SCOPE_NAMES: Readonly<Record<string, string>> = { email: 'users.email' }
const PATIENCE = 10_000

/**
 * `redirectUri` is this server's callback, as registered with X; `patience` is how many milliseconds each answer of X
 * may take.
 */
export function createXClient(config: XProviderConfig, redirectUri: string, patience = PATIENCE): XClient {
  const server: AuthorizationServer = {
    issuer: new URL(config.authorizeUrl).origin,
    authorization_endpoint: config.authorizeUrl,
    token_endpoint: config.tokenUrl,
  }
  const client: Client = { client_id: config.clientId }
  const authentication = basicAuthentication(config)
  return {
    authorizationUrl: async ({ state, verifier, scopes }) => {
      const url = new URL(config.authorizeUrl)
      const parameters = {
        response_type: 'code',
        client_id: config.clientId,
        redirect_uri: redirectUri,
        scope: scopesOf(scopes),
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    exchangeCode: async (callback, verifier) => {
      const parameters = validateAuthResponse(server, client, callback, callback.get('state') ?? '')
      const response = await authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        requestOptions(config.tokenUrl, patience),
      )
      const answer = await processAuthorizationCodeResponse(server, client, response)
      return { accessToken: answer.access_token, refreshToken: answer.refresh_token ?? null }
    },
    fetchProfile: async ({ accessToken }) => {
      const url = new URL(config.profileUrl)
      url.searchParams.set('user.fields', PROFILE_FIELDS)
      const options = requestOptions(config.profileUrl, patience)
      const response = await protectedResourceRequest(accessToken, 'GET', url, undefined, undefined, options)
      if (!response.ok) throw new Error(`the profile was answered with ${String(response.status)}`)
      return readProfile(await response.json(), server.issuer)
    },
  }
}

/**
 * The library's own form of this escapes `-` and `_` as well, which X's secrets contain; servers that don't undo it then
 * refuse the secret. Those that do understand this form too.
 */
function basicAuthentication({ clientId, clientSecret }: XProviderConfig): ClientAuth {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  return (_server, _client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
}

/** Unencrypted addresses are taken as they were configured: that is a provider on this machine, in tests. */
function requestOptions(url: string, patience: number) {
  return {
    signal: AbortSignal.timeout(patience),
    [allowInsecureRequests]: new URL(url).protocol === 'http:',
  }
}

/** Scopes that were asked for, separated by commas or spaces, besides those that sign-in needs. */
function scopesOf(asked: string): string {
  const further = asked.split(/[\s,]+/).filter((scope) => scope !== '')
  return [...new Set([...SCOPES, ...further.map((scope) => SCOPE_NAMES[scope] ?? scope)])].join(' ')
}
