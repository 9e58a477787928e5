import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { say, statusesIn } from './raw-connection.ts'
import { BENS_SECRET, startWithTwoPeople, type TwoPeople } from './two-people.ts'

let world: TwoPeople

beforeAll(async () => {
  world = await startWithTwoPeople()
})

afterAll(() => world.close())

const host = 'Host: localhost\r\nConnection: close\r\n'
const key = () => `apikey: ${world.server.services.keys.anonKey}\r\n`

/** A request hidden behind another one: were it answered, a proxy and this server would have read differently. */
const smuggled = () => `GET /rest/v1/prayers HTTP/1.1\r\nHost: hidden\r\n${key()}\r\n`

describe('a request that two servers could read differently is refused, and the connection ended', () => {
  const cases: Readonly<Record<string, () => string>> = {
    'length and chunks': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled()}`,
    'chunks and length': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${smuggled()}`,
    'two lengths': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: 0\r\nContent-Length: 50\r\n\r\n${smuggled()}`,
    'a list of lengths': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: 0, 50\r\n\r\n${smuggled()}`,
    'a signed length': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: +5\r\n\r\nhello${smuggled()}`,
    'a length below zero': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: -1\r\n\r\n${smuggled()}`,
    'a length in hexadecimal': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: 0x5\r\n\r\nhello${smuggled()}`,
    'an unknown transfer coding': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled()}`,
    'chunked that is not last': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled()}`,
    'a space before the colon': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled()}`,
    'a header folded over two lines': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled()}`,
    'a NUL in a header': () =>
      `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}X: a\0b\r\n\r\n${smuggled()}`,
    'a bare carriage return in a header': () =>
      `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}X: a\rTransfer-Encoding: chunked\r\n\r\n${smuggled()}`,
    'a chunk of a negative size': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n${smuggled()}`,
    'a chunk that is longer than it says': () =>
      `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: chunked\r\n\r\n1\r\nhello\r\n0\r\n\r\n${smuggled()}`,
    'no host': () => `GET /auth/v1/health HTTP/1.1\r\n${key()}\r\n${smuggled()}`,
    'a version that is none': () => `GET /auth/v1/health HTTP/9.9\r\nHost: x\r\n${key()}\r\n${smuggled()}`,
    'an unknown method': () => `HACK /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}\r\n${smuggled()}`,
    'a tunnel': () => `CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n${smuggled()}`,
    'HTTP/2 without asking': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'TLS on the plain port': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    noise: () => `${'\x00\xff\x80 no request at all'.repeat(20)}\r\n\r\n`,
  }

  it.each(Object.entries(cases))('%s: no hidden request is answered', async (_name, make) => {
    const received = await say(world.server, make())
    const statuses = statusesIn(received)
    expect(statuses.length, received).toBeLessThanOrEqual(1)
    for (const status of statuses) expect([400, 404, 405, 413, 505], received).toContain(status)
    expect(received).not.toContain('prayers')
    expect(received).not.toContain(BENS_SECRET)
  })
})

describe('what hides in an address', () => {
  const token = () => `Authorization: Bearer ${world.anna.session.access_token}\r\n`
  const paths = [
    '/rest/v1/..%2f..%2fauth%2fv1%2fuser',
    '/rest/v1/../../../../etc/passwd',
    '/../../../../etc/passwd',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/rest/v1/prayers%00',
    '/rest/v1/prayers%00.json',
    '/rest/v1/prayers;jsessionid=1',
    '/rest/v1/prayers/',
    '/rest/v1//prayers',
    '//rest/v1/prayers',
    '//evil.example/rest/v1/prayers',
    '/rest/v1/prayers%2f',
    '/rest/v1/rpc%2freorder_categories',
    '/REST/V1/prayers',
    '/rest/v1/PRAYERS',
    '/rest/v1/"prayers"',
    '/rest/v1/public.prayers',
    '/rest/v1/prayers%20where%20true',
    '/rest/v1/%ff%fe',
    '/rest/v1/%',
    '/rest/v1/%c0%ae%c0%ae/',
    '/auth/v1/verify%3ftype=recovery',
    '/auth/v1/%75ser',
    '/auth/v1/./user',
    '/auth/v1/admin/users',
    '/auth/v1/admin/generate_link',
    '/auth/v1/factors',
    '/auth/v1/sso',
    '/auth/v1/invite',
    '/rest/v1/users',
    '/rest/v1/rpc/',
    `/${'a'.repeat(8000)}`,
    `/rest/v1/${'a'.repeat(8000)}`,
    `/rest/v1/prayers?select=${'id,'.repeat(2000)}`,
    `/rest/v1/prayers?${'or=(id.is.null)&'.repeat(400)}`,
    `/rest/v1/prayers?or=${'(and'.repeat(1500)}`,
    'http://evil.example/rest/v1/prayers',
    'https://user:password@evil.example/auth/v1/user',
    'file:///etc/passwd',
    '*',
  ]

  it.each(paths)('%s tells nobody anything that is another person’s', async (path) => {
    const received = await say(world.server, `GET ${path} HTTP/1.1\r\n${host}${key()}${token()}\r\n`)
    const [status = 0] = statusesIn(received)
    expect(status, received.slice(0, 500)).toBeGreaterThanOrEqual(200)
    expect(status, received.slice(0, 500)).toBeLessThan(500)
    expect(received).not.toContain(BENS_SECRET)
    expect(received).not.toContain('root:')
    expect(received).not.toContain('"dependencies"')
  })

  it.each([
    'http://evil.example/auth/v1/verify',
    '/auth/v1/%76erify',
    '/auth//v1/verify',
    '/auth/v1/verify/',
  ])('opens no way around the public key: %s', async (path) => {
    const received = await say(world.server, `GET ${path}?type=recovery&token=x HTTP/1.1\r\n${host}\r\n`)
    expect(statusesIn(received)[0], received).toBeGreaterThanOrEqual(400)
  })

  it('is not taken for the end of the headers: an address with a line break', async () => {
    const received = await say(
      world.server,
      `GET /auth/v1/health?x=%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\n${host}${key()}X-Client-Info: %0d%0aSet-Cookie: a=b\r\n\r\n`,
    )
    expect(statusesIn(received)).toEqual([200])
    expect(received.toLowerCase()).not.toContain('set-cookie')
  })
})

describe('a header that is there twice', () => {
  it.each([
    ['authorization', () => `Bearer ${world.ben.session.access_token}`],
    ['apikey', () => 'another'],
  ])('%s: never both, never the wrong person', async (name, other) => {
    const real =
      name === 'apikey' ? world.server.services.keys.anonKey : `Bearer ${world.anna.session.access_token}`
    const others = name === 'apikey' ? `Authorization: Bearer ${world.anna.session.access_token}\r\n` : key()
    const received = await say(
      world.server,
      `GET /rest/v1/prayers HTTP/1.1\r\n${host}${others}${name}: ${real}\r\n${name}: ${other()}\r\n\r\n`,
    )
    expect([200, 401]).toContain(statusesIn(received)[0])
    expect(received).not.toContain(BENS_SECRET)
  })
})
