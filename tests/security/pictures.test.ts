import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, textMember } from '#tests/contract/auth/auth-client.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { RUTH, startXStandIn, type XStandIn } from '#tests/support/x-provider.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)

let server: TestServer
let standIn: XStandIn
let people = 0

beforeAll(async () => {
  standIn = await startXStandIn()
  server = await startTestServer({ config: { x: standIn.config } })
})

afterAll(async () => {
  await server.close()
  await standIn.close()
})

beforeEach(() => {
  people += 1
  standIn.avatarRequests.length = 0
})

const sends = (type: string, content: Buffer | string) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': type }).end(content)
}
const address = (name = 'ruth_normal.png') => `${standIn.url}/profile_images/${name}`

/** Somebody comes from X with such a picture. Gives the account, and the answer to who asks for the picture. */
async function signInWith(picture: string | undefined, answer?: (response: ServerResponse) => void) {
  standIn.behaviour = {
    user: {
      ...RUTH,
      id: String(people),
      confirmed_email: `ruth${String(people)}@example.org`,
      ...(picture === undefined ? {} : { profile_image_url: picture }),
    },
    ...(answer === undefined ? {} : { avatar: answer }),
  }
  const asked = await fetch(`${server.url}/auth/v1/authorize?provider=twitter`, { redirect: 'manual' })
  const back = await fetch(asked.headers.get('location') ?? '', { redirect: 'manual' })
  const callback = new URL(back.headers.get('location') ?? '')
  const opened = await fetch(`${server.url}${callback.pathname}${callback.search}`, { redirect: 'manual' })
  const token =
    new URLSearchParams((opened.headers.get('location') ?? '').split('#')[1]).get('access_token') ?? ''
  const user = (await call(server, 'GET', '/user', { token })).body
  const { rows } = await server.database.pool.query<{ id: string }>(
    'select id from auth.identities where provider_id = $1',
    [String(people)],
  )
  const shown = await fetch(`${server.url}/pictures/${rows[0]?.id ?? ''}`)
  return { user, id: textMember(user, 'id'), shown, content: Buffer.from(await shown.arrayBuffer()) }
}

describe('the picture of a person at X', () => {
  it('is fetched by the server, and served by it as what it is', async () => {
    const { user, shown, content } = await signInWith(address(), sends('text/html', PNG))
    expect(content).toEqual(PNG)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(shown.headers.get('cache-control')).toBe('private, max-age=3600')
    expect(user).toMatchObject({ user_metadata: { avatar_url: address(), picture: address() } })
  })

  it('is asked for without a word about the person or this site', async () => {
    await signInWith(address(), sends('image/png', PNG))
    expect(standIn.avatarRequests).toHaveLength(1)
    const [headers] = standIn.avatarRequests
    expect(headers).not.toHaveProperty('referer')
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('origin')
  })

  it('is not fetched again while it is the same, is replaced by another, and goes when X has none', async () => {
    await signInWith(address(), sends('image/png', PNG))
    await signInWith(address(), sends('image/png', PNG))
    expect(standIn.avatarRequests).toHaveLength(1)
    const other = await signInWith(address('other.gif'), sends('image/gif', 'GIF89a of another day'))
    expect(other.content.toString()).toBe('GIF89a of another day')
    expect((await signInWith(undefined)).shown.status).toBe(404)
  })

  it('goes with the account', async () => {
    const { id, shown } = await signInWith(address(), sends('image/png', PNG))
    await server.database.pool.query('delete from auth.users where id = $1', [id])
    expect((await fetch(shown.url)).status).toBe(404)
  })
})

describe('nobody is kept out by a picture, and nothing is kept of one that', () => {
  const cases: Readonly<Record<string, [picture: () => string, answer: (response: ServerResponse) => void]>> =
    {
      'is on another host': [() => 'http://127.0.0.1:9/ruth.png', sends('image/png', PNG)],
      'is on another port of the same host': [
        () => 'http://127.0.0.1:1/profile_images/x',
        sends('image/png', PNG),
      ],
      'is at an address inside the network': [
        () => 'http://169.254.169.254/latest/meta-data',
        sends('image/png', PNG),
      ],
      'leads elsewhere': [
        address,
        (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/inside' }).end(),
      ],
      'leads elsewhere on the same host': [
        address,
        (response) => response.writeHead(302, { location: address('another') }).end(),
      ],
      'is gone': [address, (response) => response.writeHead(404).end(PNG)],
      'is a page that calls itself a picture': [address, sends('image/png', '<script>alert(1)</script>')],
      'is a drawing that can carry scripts': [address, sends('image/svg+xml', '<svg onload="alert(1)"/>')],
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
      'breaks off': [
        address,
        (response) => response.writeHead(200, { 'content-length': '999' }).end(PNG).destroy(),
      ],
    }

  it.each(Object.entries(cases))(
    '%s: the person is signed in, and no picture is kept',
    async (_name, [picture, answer]) => {
      const { shown, user } = await signInWith(picture(), answer)
      expect(textMember(user, 'email')).toBe(`ruth${String(people)}@example.org`)
      expect(shown.status).toBe(404)
    },
  )
})

it.each(['', 'x', '..%2f..%2fetc%2fpasswd', "' or '1'='1", '00000000-0000-4000-8000-000000000000', '%00'])(
  'no picture is had by guessing: %s',
  async (guess) => {
    expect((await fetch(`${server.url}/pictures/${guess}`)).status).toBe(404)
  },
)
