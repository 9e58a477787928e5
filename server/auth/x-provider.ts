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
import type { XProviderConfig } from '../config.ts'
import { parseProfile, type XProfile } from './x-profile.ts'

/** The tokens that X issued for a code. */
export interface ProviderTokens {
  accessToken: string
  refreshToken: string | null
}

/** X as an OAuth 2.0 provider with PKCE (supabase/auth internal/api/provider/x.go). */
export interface XProvider {
  /** Where to send the browser. */
  authorizationUrl(given: { state: string; verifier: string }): Promise<string>
  /** Exchanges the code in the callback's parameters. Rejects when X rejects it or is too slow. */
  exchangeCode(callback: URLSearchParams, verifier: string): Promise<ProviderTokens>
  /** The user's profile. Rejects when X rejects the token or is too slow. */
  fetchProfile(tokens: ProviderTokens): Promise<XProfile>
}

/** X leaves the email address out unless it is requested by name. */
const PROFILE_FIELDS = 'confirmed_email,id,name,profile_image_url,username'
const SCOPES = 'users.email tweet.read users.read offline.access'
const TIMEOUT = 10_000

/**
 * `redirectUri` is this server's callback, as registered with X; `timeout` is how long each response of X may take, in
 * milliseconds.
 */
export function createXProvider(config: XProviderConfig, redirectUri: string, timeout = TIMEOUT): XProvider {
  const server: AuthorizationServer = {
    issuer: new URL(config.authorizeUrl).origin,
    authorization_endpoint: config.authorizeUrl,
    token_endpoint: config.tokenUrl,
  }
  const client: Client = { client_id: config.clientId }
  const authentication = basicAuthentication(config)
  return {
    authorizationUrl: async ({ state, verifier }) => {
      const url = new URL(config.authorizeUrl)
      const parameters = {
        response_type: 'code',
        client_id: config.clientId,
        redirect_uri: redirectUri,
        scope: SCOPES,
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
        requestOptions(config.tokenUrl, timeout),
      )
      const tokens = await processAuthorizationCodeResponse(server, client, response)
      return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? null }
    },
    fetchProfile: async ({ accessToken }) => {
      const url = new URL(config.profileUrl)
      url.searchParams.set('user.fields', PROFILE_FIELDS)
      const options = requestOptions(config.profileUrl, timeout)
      const response = await protectedResourceRequest(accessToken, 'GET', url, undefined, undefined, options)
      if (!response.ok) throw new Error(`the profile request failed with status ${String(response.status)}`)
      return parseProfile(await response.json(), server.issuer)
    },
  }
}

/**
 * The library's own Basic authentication also escapes `-` and `_`, which X's secrets contain; a server that does not
 * decode them would reject the secret. Servers that do decode accept this form too.
 */
function basicAuthentication({ clientId, clientSecret }: XProviderConfig): ClientAuth {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  return (_server, _client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
  }
}

/** Unencrypted URLs are used as configured: the configuration allows them only for a provider on this machine. */
function requestOptions(url: string, timeout: number) {
  return {
    signal: AbortSignal.timeout(timeout),
    [allowInsecureRequests]: new URL(url).protocol === 'http:',
  }
}
