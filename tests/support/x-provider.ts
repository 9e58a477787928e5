import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { XProviderConfig } from '#server/config.ts'

/** A user of X. */
export interface XUser {
  id: string
  name: string
  username: string
  confirmed_email?: string
  profile_image_url?: string
}

/** The user who is signed in to X by default. */
export const RUTH: Readonly<XUser> = {
  id: '1',
  name: 'Ruth Amsel',
  username: 'ruth',
  confirmed_email: 'ruth@example.org',
}

/** How the stand-in responds; by default as X does for a user who agrees. */
export interface XBehaviour {
  user: XUser
  /** The user declines, or X rejects the request, with this error. */
  error?: { error: string; error_description?: string }
  /** Sent back instead of the state that was received. */
  state?: string
  /** The token endpoint rejects every code. */
  rejectsCode?: boolean
  /** The profile endpoint responds with this status. */
  profileStatus?: number
  /** Responds to requests for avatars under /profile_images/; by default there are none. */
  avatar?: (response: ServerResponse) => void
  /** This endpoint never responds. */
  silent?: 'token' | 'profile'
}

export interface XStandIn {
  /** Configuration that makes the server sign in with the stand-in. */
  config: XProviderConfig
  behaviour: XBehaviour
  /** Headers of the requests for avatars, newest last. */
  avatarRequests: IncomingHttpHeaders[]
  /** Origin of the stand-in. */
  url: string
  close(): Promise<void>
}

const CLIENT = { clientId: 'stand-in_client', clientSecret: 'stand-in_secret' }

/**
 * An OAuth 2.0 server with PKCE on loopback that behaves as X does, or as a test configures it. Our own, because
 * oauth2-mock-server checks neither client credentials nor the redirect URI, and requires PKCE only if it is used.
 */
export async function startXStandIn(user: XUser = { ...RUTH }): Promise<XStandIn> {
  const codes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    void respond(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port')
  const url = `http://127.0.0.1:${String(address.port)}`
  const standIn: XStandIn = {
    url,
    avatarRequests: [],
    behaviour: { user },
    config: {
      ...CLIENT,
      authorizeUrl: `${url}/i/oauth2/authorize`,
      tokenUrl: `${url}/2/oauth2/token`,
      profileUrl: `${url}/2/users/me`,
      pictureOrigin: url,
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/i/oauth2/authorize') authorize(searchParams, response)
    else if (pathname === '/2/oauth2/token') token(request, await formOf(request), response)
    else if (pathname === '/2/users/me') profile(request, searchParams, response)
    else if (pathname.startsWith('/profile_images/')) avatar(request, response)
    else response.writeHead(404).end()
  }

  function avatar(request: IncomingMessage, response: ServerResponse): void {
    standIn.avatarRequests.push(request.headers)
    if (standIn.behaviour.avatar === undefined) response.writeHead(404).end()
    else standIn.behaviour.avatar(response)
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const { error, state } = standIn.behaviour
    const callback = new URL(query.get('redirect_uri') ?? '')
    callback.searchParams.set('state', state ?? query.get('state') ?? '')
    if (error === undefined) {
      const code = randomUUID()
      codes.set(code, query)
      callback.searchParams.set('code', code)
    } else {
      for (const [name, value] of Object.entries(error)) callback.searchParams.set(name, value)
    }
    response.writeHead(302, { location: callback.href }).end()
  }

  function token(request: IncomingMessage, form: URLSearchParams, response: ServerResponse): void {
    if (standIn.behaviour.silent === 'token') return
    const authorization = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const isAccepted =
      standIn.behaviour.rejectsCode !== true &&
      authorization !== undefined &&
      request.headers.authorization === basicCredentials() &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === authorization.get('redirect_uri') &&
      challengeOf(form.get('code_verifier') ?? '') === authorization.get('code_challenge')
    if (!isAccepted) return json(response, 400, { error: 'invalid_grant' })
    json(response, 200, {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'provider-access-token',
      refresh_token: 'provider-refresh-token',
      scope: authorization.get('scope'),
    })
  }

  function profile(request: IncomingMessage, query: URLSearchParams, response: ServerResponse): void {
    const { silent, profileStatus, user: described } = standIn.behaviour
    if (silent === 'profile') return
    if (request.headers.authorization !== 'Bearer provider-access-token') return json(response, 401, {})
    if (profileStatus !== undefined) return json(response, profileStatus, {})
    const fields = new Set(['id', 'name', 'username', ...(query.get('user.fields') ?? '').split(',')])
    const data = Object.fromEntries(Object.entries(described).filter(([name]) => fields.has(name)))
    json(response, 200, { data })
  }

  return standIn
}

/** X's secrets consist of letters, digits, `-` and `_`, which it accepts unescaped. */
function basicCredentials(): string {
  return `Basic ${Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64')}`
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
