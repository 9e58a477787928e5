import { describe, expect, it } from 'vitest'
import { sendRaw, statusesIn } from './raw-connection.ts'
import { BENS_SECRET, useTwoUsers } from './two-users.ts'

const world = useTwoUsers()

const host = 'Host: localhost\r\nConnection: close\r\n'
const key = () => `apikey: ${world.server.services.keys.anonKey}\r\n`

/** A request hidden in another one (request smuggling). A response to it would mean that the server saw it. */
const smuggled = () => `GET /rest/v1/prayers HTTP/1.1\r\nHost: hidden\r\n${key()}\r\n`
/** A request with these header lines and this body, followed by the hidden one. */
const post = (headers: string, body = '') =>
  `POST /auth/v1/recover HTTP/1.1\r\nHost: x\r\n${key()}${headers}\r\n\r\n${body}${smuggled()}`
const get = (line: string, headers = 'Host: x\r\n') => `${line}\r\n${headers}${key()}\r\n${smuggled()}`
const HEALTH = 'GET /auth/v1/health HTTP/1.1'
const CHUNKED = 'Transfer-Encoding: chunked'
const LAST_CHUNK = '0\r\n\r\n'

describe('a request that two servers could interpret differently is rejected, and its connection closed', () => {
  const cases: Readonly<Record<string, () => string>> = {
    'Content-Length and Transfer-Encoding': () => post(`Content-Length: 6\r\n${CHUNKED}`, LAST_CHUNK),
    'Transfer-Encoding and Content-Length': () => post(`${CHUNKED}\r\nContent-Length: 6`, LAST_CHUNK),
    'two Content-Lengths': () => post('Content-Length: 0\r\nContent-Length: 50'),
    'a list in Content-Length': () => post('Content-Length: 0, 50'),
    'a sign in Content-Length': () => post('Content-Length: +5', 'hello'),
    'a negative Content-Length': () => post('Content-Length: -1'),
    'a hexadecimal Content-Length': () => post('Content-Length: 0x5', 'hello'),
    'an unknown transfer coding': () => post('Transfer-Encoding: xchunked', LAST_CHUNK),
    'a transfer coding after chunked': () => post(`${CHUNKED}, identity`, LAST_CHUNK),
    'a space before the colon': () => post('Transfer-Encoding : chunked', LAST_CHUNK),
    'a header folded over two lines': () =>
      post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 5', LAST_CHUNK),
    'a NUL in a header': () => get(HEALTH, 'Host: x\r\nX: a\0b\r\n'),
    'a bare carriage return in a header': () => get(HEALTH, `Host: x\r\nX: a\r${CHUNKED}\r\n`),
    'a chunk of a negative size': () => post(CHUNKED, '-1\r\n\r\n'),
    'a chunk that is longer than its size': () => post(CHUNKED, `1\r\nhello\r\n${LAST_CHUNK}`),
    'no Host header': () => get(HEALTH, ''),
    'an unknown HTTP version': () => get('GET /auth/v1/health HTTP/9.9'),
    'an unknown method': () => get('HACK /auth/v1/health HTTP/1.1'),
    CONNECT: () => get('CONNECT evil.example:443 HTTP/1.1'),
    'HTTP/2 without negotiation': () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    TLS: () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'random bytes': () => `${'\x00\xff\x80 no request at all'.repeat(20)}\r\n\r\n`,
  }

  it.each(Object.entries(cases))('%s: no response to the hidden request', async (_name, make) => {
    const received = await sendRaw(world.server, make())
    const statuses = statusesIn(received)
    expect(statuses.length, received).toBeLessThanOrEqual(1)
    for (const status of statuses) expect([400, 404, 405, 413, 505], received).toContain(status)
    expect(received).not.toContain('prayers')
    expect(received).not.toContain(BENS_SECRET)
  })
})

describe('a malicious URL', () => {
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

  it.each(paths)('%s reveals nothing about another user', async (path) => {
    const received = await sendRaw(world.server, `GET ${path} HTTP/1.1\r\n${host}${key()}${token()}\r\n`)
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
  ])('does not circumvent the API key: %s', async (path) => {
    const received = await sendRaw(world.server, `GET ${path}?type=recovery&token=x HTTP/1.1\r\n${host}\r\n`)
    expect(statusesIn(received)[0], received).toBeGreaterThanOrEqual(400)
  })

  it('with an encoded line break does not add a header', async () => {
    const received = await sendRaw(
      world.server,
      `GET /auth/v1/health?x=%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\n${host}${key()}X-Client-Info: %0d%0aSet-Cookie: a=b\r\n\r\n`,
    )
    expect(statusesIn(received)).toEqual([200])
    expect(received.toLowerCase()).not.toContain('set-cookie')
  })
})

describe('a repeated header', () => {
  it.each([
    ['authorization', () => `Bearer ${world.ben.session.access_token}`],
    ['apikey', () => 'another'],
  ])('%s: never grants access to another user', async (name, other) => {
    const real =
      name === 'apikey' ? world.server.services.keys.anonKey : `Bearer ${world.anna.session.access_token}`
    const others = name === 'apikey' ? `Authorization: Bearer ${world.anna.session.access_token}\r\n` : key()
    const received = await sendRaw(
      world.server,
      `GET /rest/v1/prayers HTTP/1.1\r\n${host}${others}${name}: ${real}\r\n${name}: ${other()}\r\n\r\n`,
    )
    expect([200, 401]).toContain(statusesIn(received)[0])
    expect(received).not.toContain(BENS_SECRET)
  })
})
