import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENT_TIMEOUTS } from '#server/http/connections.ts'
import { attack, bearer } from './attack.ts'
import { openRawConnection, sendRaw, statusesIn } from './raw-connection.ts'
import { startWithTwoUsers, type TwoUsers } from './two-users.ts'

let world: TwoUsers

beforeAll(async () => {
  world = await startWithTwoUsers()
})

afterAll(async () => {
  await world.close()
})

const token = () => world.anna.session.access_token
const key = () => `apikey: ${world.server.services.keys.anonKey}\r\n`

const BODIES = [
  ['POST', '/auth/v1/signup'],
  ['POST', '/auth/v1/token?grant_type=password'],
  ['PUT', '/auth/v1/user'],
  ['POST', '/rest/v1/categories'],
  ['PATCH', '/rest/v1/prayers?id=not.is.null'],
  ['POST', '/rest/v1/rpc/reorder_categories'],
] as const

describe('a request body', () => {
  it.each(BODIES)('of more than one MiB is rejected by %s %s, and nothing changes', async (method, path) => {
    const before = await world.allRows()
    const body = `{"name":"${'x'.repeat(1024 * 1024)}"}`
    const response = await attack(world.server, { method, path, body, headers: bearer(token()) })
    expect(response.status).toBe(413)
    expect(await world.allRows()).toEqual(before)
  })

  it('is rejected by its Content-Length before it arrives', async () => {
    const received = await sendRaw(
      world.server,
      `POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: 999999999999\r\nConnection: close\r\n\r\n{`,
    )
    expect(statusesIn(received)).toEqual([413])
  })

  it('in chunks is measured while it arrives', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const received = await sendRaw(
      world.server,
      `POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    )
    expect([[413], []]).toContainEqual(statusesIn(received))
  })

  it.each(['gzip', 'deflate', 'br', 'gzip, gzip'])(
    'that is compressed (%s) is rejected without being unpacked',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, ' '))
      for (const path of ['/auth/v1/signup', '/rest/v1/categories']) {
        const response = await fetch(`${world.server.url}${path}`, {
          method: 'POST',
          headers: {
            apikey: world.server.services.keys.anonKey,
            ...bearer(token()),
            'content-type': 'application/json',
            'content-encoding': encoding,
          },
          body: new Uint8Array(bomb),
        })
        expect(response.status).toBe(400)
      }
    },
  )

  it.each(BODIES)(
    'nested as deeply as one MiB allows causes no server error: %s %s',
    async (method, path) => {
      const depth = 100_000
      for (const nested of [
        `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
        `{"data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},"email":"deep@example.org","password":"a quiet hour"}`,
        `{"name":${'['.repeat(depth)}${']'.repeat(depth)},"order":1,"category_ids":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      ]) {
        const response = await attack(world.server, { method, path, body: nested, headers: bearer(token()) })
        expect(response.status, response.text.slice(0, 300)).toBeLessThan(500)
        expect(response.text.length).toBeLessThan(10_000)
      }
    },
  )

  it('with 60,000 properties causes no server error', async () => {
    const members = Array.from({ length: 60_000 }, (_, index) => `"k${String(index)}":1`).join(',')
    for (const [method, path] of BODIES) {
      const response = await attack(world.server, {
        method,
        path,
        body: `{${members}}`,
        headers: bearer(token()),
      })
      expect(response.status, `${path}: ${response.text.slice(0, 300)}`).toBeLessThan(500)
    }
  })
})

describe('request headers', () => {
  it('of more than 16 KiB are rejected', async () => {
    const received = await sendRaw(
      world.server,
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    expect(statusesIn(received)).toEqual([431])
  })

  it('that never end are rejected', async () => {
    const { socket, ended } = await openRawConnection(world.server)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
    for (let line = 0; line < 5000 && socket.writable; line += 1) socket.write(`X-${String(line)}: y\r\n`)
    expect(statusesIn(await ended)).toEqual([431])
  })
})

describe('pipelined requests', () => {
  it('all get a response', async () => {
    const count = 500
    const one = `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}\r\n`
    const last = `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}Connection: close\r\n\r\n`
    const received = await sendRaw(world.server, one.repeat(count - 1) + last)
    expect(statusesIn(received)).toEqual(Array.from({ length: count }, () => 200))
  })

  it('of many clients do not keep another user from a response', async () => {
    const one = `GET /rest/v1/prayers HTTP/1.1\r\nHost: x\r\n${key()}Authorization: Bearer ${token()}\r\n\r\n`
    const connections = await Promise.all(
      Array.from({ length: 50 }, async () => openRawConnection(world.server)),
    )
    for (const { socket } of connections) socket.write(one.repeat(20))
    const response = await attack(world.server, {
      method: 'GET',
      path: '/rest/v1/prayers',
      headers: bearer(world.ben.session.access_token),
    })
    expect(response.status).toBe(200)
    for (const { socket } of connections) socket.destroy()
    await Promise.all(connections.map(async ({ ended }) => ended))
  })
})

describe('a slow client', () => {
  it('has a minute for a request, and half of that for its headers', () => {
    const { server } = world.server.app
    expect(server.requestTimeout).toBe(60_000)
    expect(server.headersTimeout).toBe(30_000)
    expect(server.timeout).toBe(60_000)
    expect(CLIENT_TIMEOUTS.http.connectionsCheckingInterval).toBe(1000)
  })

  // The server checks every second; shorter limits keep the test short.
  it.each([
    ['before the first byte', ''],
    ['in the first line', 'GET / HT'],
    ['in the headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n'],
    ['in the body', 'POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"email"'],
    [
      'within a chunk',
      'POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{',
    ],
  ])('is disconnected if it stops %s', async (_name, beginning) => {
    const { server } = world.server.app
    const { headersTimeout, requestTimeout } = server
    server.headersTimeout = 200
    server.requestTimeout = 300
    try {
      const connections = await Promise.all(
        Array.from({ length: 100 }, async () => openRawConnection(world.server)),
      )
      for (const { socket } of connections) if (beginning !== '') socket.write(beginning)
      for (const received of await Promise.all(connections.map(async ({ ended }) => ended))) {
        expect([[408], [401, 408], [401], []], received).toContainEqual(statusesIn(received))
      }
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout })
    }
  })

  it('is disconnected if it does not read the response', async () => {
    // One MiB per response: more than fits into the buffers on the way.
    await world.server.database.pool.query(
      `insert into public.prayers (user_id, category_id, person_name, note)
       select $1, $2, 'x', repeat('x', 10000) from generate_series(1, 100)`,
      [world.anna.id, world.anna.categoryId],
    )
    const { server } = world.server.app
    const { timeout } = server
    server.setTimeout(300)
    try {
      const closed = new Promise<void>((resolve) => {
        server.once('connection', (atServer: Socket) => atServer.once('close', () => resolve()))
      })
      const { socket, ended } = await openRawConnection(world.server)
      socket.pause()
      const one = `GET /rest/v1/prayers HTTP/1.1\r\nHost: x\r\n${key()}Authorization: Bearer ${token()}\r\n\r\n`
      socket.write(one.repeat(60))
      await closed
      socket.resume()
      await ended
    } finally {
      server.setTimeout(timeout)
    }
    const response = await attack(world.server, {
      method: 'GET',
      path: '/rest/v1/prayers',
      headers: bearer(token()),
    })
    expect(response.status).toBe(200)
  })
})
