import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CLIENT_TIMEOUTS } from '#server/http/connections.ts'
import { attack, bearer } from './attack.ts'
import { openRawConnection, say, statusesIn } from './raw-connection.ts'
import { startWithTwoPeople, type TwoPeople } from './two-people.ts'

let world: TwoPeople

beforeAll(async () => {
  world = await startWithTwoPeople()
})

afterAll(async () => {
  // Requests whose client hung up are carried to their end.
  const { pool } = world.server.database
  await vi.waitUntil(() => pool.totalCount - pool.idleCount + pool.waitingCount === 0, 30_000)
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

describe('a body', () => {
  it.each(BODIES)(
    'of more than a mebibyte is refused by %s %s, and nothing changes',
    async (method, path) => {
      const before = await world.everything()
      const body = `{"name":"${'x'.repeat(1024 * 1024)}"}`
      const answer = await attack(world.server, { method, path, body, headers: bearer(token()) })
      expect(answer.status).toBe(413)
      expect(await world.everything()).toEqual(before)
    },
  )

  it('of any length that is only announced is refused before it arrives', async () => {
    const received = await say(
      world.server,
      `POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\n${key()}Content-Length: 999999999999\r\nConnection: close\r\n\r\n{`,
    )
    expect(statusesIn(received)).toEqual([413])
  })

  it('in chunks is counted as it arrives', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const received = await say(
      world.server,
      `POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    )
    expect([[413], []]).toContainEqual(statusesIn(received))
  })

  it.each(['gzip', 'deflate', 'br', 'gzip, gzip'])(
    'that is compressed (%s) is not unpacked: a bomb stays as small as it came',
    async (encoding) => {
      const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '))
      for (const path of ['/auth/v1/signup', '/rest/v1/categories']) {
        const answer = await fetch(`${world.server.url}${path}`, {
          method: 'POST',
          headers: {
            apikey: world.server.services.keys.anonKey,
            ...bearer(token()),
            'content-type': 'application/json',
            'content-encoding': encoding,
          },
          body: new Uint8Array(bomb),
        })
        expect(answer.status).toBe(400)
      }
    },
  )

  it.each(BODIES)('nested as deep as a mebibyte allows breaks nothing: %s %s', async (method, path) => {
    const depth = 100_000
    for (const nested of [
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      `{"data":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},"email":"deep@example.org","password":"a quiet hour"}`,
      `{"name":${'['.repeat(depth)}${']'.repeat(depth)},"order":1,"category_ids":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    ]) {
      const answer = await attack(world.server, { method, path, body: nested, headers: bearer(token()) })
      expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500)
      expect(answer.text.length).toBeLessThan(10_000)
    }
  })

  it('with a hundred thousand members breaks nothing', async () => {
    const members = Array.from({ length: 60_000 }, (_, index) => `"k${String(index)}":1`).join(',')
    for (const [method, path] of BODIES) {
      const answer = await attack(world.server, {
        method,
        path,
        body: `{${members}}`,
        headers: bearer(token()),
      })
      expect(answer.status, `${path}: ${answer.text.slice(0, 300)}`).toBeLessThan(500)
    }
  })
})

describe('headers', () => {
  it('of more than 16 KiB are refused', async () => {
    const received = await say(world.server, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(statusesIn(received)).toEqual([431])
  })

  it('without end are refused before they end', async () => {
    const { socket, ended } = await openRawConnection(world.server)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
    for (let line = 0; line < 5000 && socket.writable; line += 1) socket.write(`X-${String(line)}: y\r\n`)
    expect(statusesIn(await ended)).toEqual([431])
  })
})

describe('many requests in one write', () => {
  it('are each answered, in their order, and the server goes on', async () => {
    const count = 500
    const one = `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}\r\n`
    const last = `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}Connection: close\r\n\r\n`
    const received = await say(world.server, one.repeat(count - 1) + last)
    expect(statusesIn(received)).toEqual(Array.from({ length: count }, () => 200))
  })

  it('of many clients leave room for another person', async () => {
    const one = `GET /rest/v1/prayers HTTP/1.1\r\nHost: x\r\n${key()}Authorization: Bearer ${token()}\r\n\r\n`
    const crowd = await Promise.all(Array.from({ length: 50 }, async () => openRawConnection(world.server)))
    for (const { socket } of crowd) socket.write(one.repeat(20))
    const answer = await attack(world.server, {
      method: 'GET',
      path: '/rest/v1/prayers',
      headers: bearer(world.ben.session.access_token),
    })
    expect(answer.status).toBe(200)
    for (const { socket } of crowd) socket.destroy()
    await Promise.all(crowd.map(async ({ ended }) => ended))
  })
})

describe('a client that takes its time', () => {
  it('has no more than a minute for a request, and half of it for the headers', () => {
    const { server } = world.server.app
    expect(server.requestTimeout).toBe(60_000)
    expect(server.headersTimeout).toBe(30_000)
    expect(server.timeout).toBe(60_000)
    expect(CLIENT_TIMEOUTS.http.connectionsCheckingInterval).toBe(1000)
  })

  // The server looks every second; the limits are made short here, so that the test is.
  it.each([
    ['without saying anything', ''],
    ['within the first line', 'GET / HT'],
    ['within the headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n'],
    ['within the body', 'POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"email"'],
    [
      'within a chunk',
      'POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{',
    ],
  ])('is hung up on: %s', async (_name, beginning) => {
    const { server } = world.server.app
    const { headersTimeout, requestTimeout } = server
    server.headersTimeout = 200
    server.requestTimeout = 300
    try {
      const crowd = await Promise.all(
        Array.from({ length: 100 }, async () => openRawConnection(world.server)),
      )
      for (const { socket } of crowd) if (beginning !== '') socket.write(beginning)
      for (const received of await Promise.all(crowd.map(async ({ ended }) => ended))) {
        expect([[408], [401, 408], [401], []], received).toContainEqual(statusesIn(received))
      }
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout })
    }
  })

  it('in reading what it asked for is hung up on', async () => {
    // A mebibyte an answer: more than what waits on the way has room for.
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
    const answer = await attack(world.server, {
      method: 'GET',
      path: '/rest/v1/prayers',
      headers: bearer(token()),
    })
    expect(answer.status).toBe(200)
  })
})
