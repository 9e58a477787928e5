import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { XProviderConfig } from '#server/config.ts'

/** A person as the stand-in knows them. */
export interface XPerson {
  id: string
  name: string
  username: string
  confirmed_email?: string
  profile_image_url?: string
}

/** Whom X knows unless a test says otherwise. */
export const RUTH: Readonly<XPerson> = {
  id: '1',
  name: 'Ruth Amsel',
  username: 'ruth',
  confirmed_email: 'ruth@example.org',
}

/** What the stand-in does when it is asked; by default what X does for a person who agrees. */
export interface XBehaviour {
  person: XPerson
  /** The person declines, or X refuses, with this error. */
  refusal?: { error: string; error_description?: string }
  /** Comes back with another state than was sent. */
  state?: string
  /** The token endpoint refuses every code. */
  refusesCode?: boolean
  /** The profile endpoint answers with this status. */
  profileStatus?: number
  /** Answers whoever asks for a picture under /profile_images/; by default there is none. */
  picture?: (response: ServerResponse) => void
  /** Which endpoints never answer. */
  silent?: 'token' | 'profile'
}

export interface XStandIn {
  /** Configuration that makes the server sign in with the stand-in. */
  config: XProviderConfig
  behaviour: XBehaviour
  /** Headers of the requests for pictures, newest last. */
  pictureRequests: IncomingHttpHeaders[]
  /** Origin of the stand-in. */
  url: string
  close(): Promise<void>
}

const CLIENT = { clientId: 'stand-in_client', clientSecret: 'stand-in_secret' }

/** An OAuth 2.0 server with PKCE on loopback that behaves as X does, or as badly as it is told to. */
export async function startXStandIn(person: XPerson = { ...RUTH }): Promise<XStandIn> {
  const codes = new Map<string, URLSearchParams>()
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in has no port')
  const url = `http://127.0.0.1:${String(address.port)}`
  const standIn: XStandIn = {
    url,
    pictureRequests: [],
    behaviour: { person },
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

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/i/oauth2/authorize') authorize(searchParams, response)
    else if (pathname === '/2/oauth2/token') token(request, await formOf(request), response)
    else if (pathname === '/2/users/me') profile(request, searchParams, response)
    else if (pathname.startsWith('/profile_images/')) picture(request, response)
    else response.writeHead(404).end()
  }

  function picture(request: IncomingMessage, response: ServerResponse): void {
    standIn.pictureRequests.push(request.headers)
    if (standIn.behaviour.picture === undefined) response.writeHead(404).end()
    else standIn.behaviour.picture(response)
  }

  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    const { refusal, state } = standIn.behaviour
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('state', state ?? asked.get('state') ?? '')
    if (refusal === undefined) {
      const code = randomUUID()
      codes.set(code, asked)
      back.searchParams.set('code', code)
    } else {
      for (const [name, value] of Object.entries(refusal)) back.searchParams.set(name, value)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  function token(request: IncomingMessage, form: URLSearchParams, response: ServerResponse): void {
    if (standIn.behaviour.silent === 'token') return
    const asked = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const isAccepted =
      standIn.behaviour.refusesCode !== true &&
      asked !== undefined &&
      request.headers.authorization === basicCredentials() &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === asked.get('redirect_uri') &&
      challengeOf(form.get('code_verifier') ?? '') === asked.get('code_challenge')
    if (!isAccepted) return json(response, 400, { error: 'invalid_grant' })
    json(response, 200, {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'provider-access-token',
      refresh_token: 'provider-refresh-token',
      scope: asked.get('scope'),
    })
  }

  function profile(request: IncomingMessage, asked: URLSearchParams, response: ServerResponse): void {
    const { silent, profileStatus, person: described } = standIn.behaviour
    if (silent === 'profile') return
    if (request.headers.authorization !== 'Bearer provider-access-token') return json(response, 401, {})
    if (profileStatus !== undefined) return json(response, profileStatus, {})
    const fields = new Set(['id', 'name', 'username', ...(asked.get('user.fields') ?? '').split(',')])
    const data = Object.fromEntries(Object.entries(described).filter(([name]) => fields.has(name)))
    json(response, 200, { data })
  }

  return standIn
}

/** X's secrets consist of letters, digits, `-` and `_`; it takes them as they are. */
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
