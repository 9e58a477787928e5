import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, textMember } from '#tests/contract/auth/auth-client.ts'
import { RUTH } from '#tests/support/x-provider.ts'
import { useSurroundings, useTestServer } from '#tests/support/shared-server.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)

let users = 0

const around = useSurroundings()
const server = useTestServer(() => ({ config: around.config }))

beforeEach(() => {
  users += 1
  around.x.avatarRequests.length = 0
  // The server waits for X, however busy the machine is.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
})
afterEach(() => void vi.restoreAllMocks())

const sends = (type: string, content: Buffer | string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': type }).end(content)
}
const address = (name = 'ruth_normal.png') => `${around.x.url}/profile_images/${name}`

/** Signs in a new X user with this picture. Returns the account, and the response to a request for its picture. */
async function signInWith(picture: string | undefined, respond?: (response: ServerResponse) => void) {
  around.x.behaviour = {
    user: {
      ...RUTH,
      id: String(users),
      confirmed_email: `ruth${String(users)}@example.org`,
      ...(picture === undefined ? {} : { profile_image_url: picture }),
    },
    ...(respond === undefined ? {} : { avatar: respond }),
  }
  const authorize = await fetch(`${server.url}/auth/v1/authorize?provider=twitter`, { redirect: 'manual' })
  const back = await fetch(authorize.headers.get('location') ?? '', { redirect: 'manual' })
  const callback = new URL(back.headers.get('location') ?? '')
  const opened = await fetch(`${server.url}${callback.pathname}${callback.search}`, { redirect: 'manual' })
  const token =
    new URLSearchParams((opened.headers.get('location') ?? '').split('#')[1]).get('access_token') ?? ''
  const user = (await call(server, 'GET', '/user', { token })).body
  const { rows } = await server.database.pool.query<{ id: string }>(
    'select id from auth.identities where provider_id = $1',
    [String(users)],
  )
  const shown = await fetch(`${server.url}/pictures/${rows[0]?.id ?? ''}`)
  return { user, id: textMember(user, 'id'), shown, content: Buffer.from(await shown.arrayBuffer()) }
}

describe('the profile picture of an X user', () => {
  it('is fetched by the server, and served with its actual type', async () => {
    const { user, shown, content } = await signInWith(address(), sends('text/html', PNG))
    expect(content).toEqual(PNG)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(shown.headers.get('cache-control')).toBe('private, max-age=3600')
    expect(user).toMatchObject({ user_metadata: { avatar_url: address(), picture: address() } })
  })

  it('is requested without headers about the user or this site', async () => {
    await signInWith(address(), sends('image/png', PNG))
    expect(around.x.avatarRequests).toHaveLength(1)
    const [headers] = around.x.avatarRequests
    expect(headers).not.toHaveProperty('referer')
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('origin')
  })

  it('is fetched again only when its URL changes, and deleted when X has none', async () => {
    await signInWith(address(), sends('image/png', PNG))
    await signInWith(address(), sends('image/png', PNG))
    expect(around.x.avatarRequests).toHaveLength(1)
    const other = await signInWith(address('other.gif'), sends('image/gif', 'GIF89a, a newer one'))
    expect(other.content.toString()).toBe('GIF89a, a newer one')
    expect((await signInWith(undefined)).shown.status).toBe(404)
  })

  it('is deleted with the account', async () => {
    const { id, shown } = await signInWith(address(), sends('image/png', PNG))
    await server.database.pool.query('delete from auth.users where id = $1', [id])
    expect((await fetch(shown.url)).status).toBe(404)
  })
})

describe('sign-in succeeds, and no picture is stored, if it', () => {
  const cases: Readonly<
    Record<string, [picture: () => string, respond: (response: ServerResponse) => void]>
  > = {
    'is on another host': [() => 'http://127.0.0.1:9/ruth.png', sends('image/png', PNG)],
    'is on another port of the same host': [
      () => 'http://127.0.0.1:1/profile_images/x',
      sends('image/png', PNG),
    ],
    'is at an internal network address': [
      () => 'http://169.254.169.254/latest/meta-data',
      sends('image/png', PNG),
    ],
    'redirects to another host': [
      address,
      (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/inside' }).end(),
    ],
    'redirects on the same host': [
      address,
      (response) => response.writeHead(302, { location: address('another') }).end(),
    ],
    'is not found': [address, (response) => response.writeHead(404).end(PNG)],
    'is HTML declared as an image': [address, sends('image/png', '<script>alert(1)</script>')],
    'is an SVG, which can contain scripts': [address, sends('image/svg+xml', '<svg onload="alert(1)"/>')],
    'is empty': [address, sends('image/png', '')],
    'is too large': [address, sends('image/png', Buffer.concat([PNG, Buffer.alloc(600 * 1024)]))],
    'never ends': [
      address,
      (response) => {
        response.writeHead(200, { 'content-type': 'image/png' })
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) continue
        }
        response.on('drain', more)
        more()
      },
    ],
    'is incomplete': [
      address,
      (response) => response.writeHead(200, { 'content-length': '999' }).end(PNG).destroy(),
    ],
  }

  it.each(Object.entries(cases))('%s', async (_name, [picture, respond]) => {
    const { shown, user } = await signInWith(picture(), respond)
    expect(textMember(user, 'email')).toBe(`ruth${String(users)}@example.org`)
    expect(shown.status).toBe(404)
  })
})

it.each(['', 'x', '..%2f..%2fetc%2fpasswd', "' or '1'='1", '00000000-0000-4000-8000-000000000000', '%00'])(
  'no picture is found for an invalid id: %s',
  async (id) => {
    expect((await fetch(`${server.url}/pictures/${id}`)).status).toBe(404)
  },
)
