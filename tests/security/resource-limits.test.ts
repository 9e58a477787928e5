import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CLIENT_TIMEOUTS } from '#server/http/connections.ts'
import { attack, bearer } from './attack.ts'
import { useTwoUsers } from './two-users.ts'
import { openRawConnection, sendRaw, statusesIn } from './raw-connection.ts'

const world = useTwoUsers()

const token = () => world.anna.session.access_token
const key = () => `apikey: ${world.server.services.keys.anonKey}\r\n`

/** Requests of both APIs, with the length of the body that each accepts: longer ones are never parsed. */
const BODIES = [
  ['POST', '/auth/v1/signup', 16 * 1024],
  ['POST', '/auth/v1/token?grant_type=password', 16 * 1024],
  ['PUT', '/auth/v1/user', 16 * 1024],
  ['POST', '/rest/v1/categories', 1024 * 1024],
  ['PATCH', '/rest/v1/prayers?id=not.is.null', 1024 * 1024],
  ['POST', '/rest/v1/rpc/reorder_categories', 1024 * 1024],
] as const

/** Text of about this length that is nested as deeply as that allows. */
function nested(open: string, close: string, length: number): string {
  const depth = Math.floor(length / (open.length + close.length))
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

describe('a request body', () => {
  it('that is too long is rejected, and nothing changes', async () => {
    const before = await world.allRows()
    for (const [method, path, limit] of BODIES) {
      const body = `{"name":"${'x'.repeat(limit)}"}`
      const response = await attack(world.server, { method, path, body, headers: bearer(token()) })
      expect(response.status, path).toBe(413)
    }
    expect(await world.allRows()).toEqual(before)
  })

  it('in chunks is measured while it arrives', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const received = await sendRaw(
      world.server,
      `POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\n${key()}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`,
    )
    expect([[413], []]).toContainEqual(statusesIn(received))
  })

  it('that is compressed is rejected without being unpacked', async () => {
    const body = new Uint8Array(gzipSync(Buffer.alloc(10 * 1024 * 1024, ' ')))
    for (const path of ['/auth/v1/signup', '/rest/v1/categories']) {
      for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
        const response = await fetch(`${world.server.url}${path}`, {
          method: 'POST',
          headers: {
            apikey: world.server.services.keys.anonKey,
            ...bearer(token()),
            'content-type': 'application/json',
            'content-encoding': encoding,
          },
          body,
        })
        expect(response.status, `${path} ${encoding}`).toBe(400)
      }
    }
  })

  it.each(BODIES)(
    'nested as deeply as its length allows causes no server error: %s %s',
    async (method, path, limit) => {
      const deep = (part: number) => nested('[', ']', (limit - 200) / part)
      for (const body of [
        nested('{"a":', '}', limit - 200),
        deep(1),
        `{"data":${deep(1)},"email":"deep@example.org","password":"a quiet hour"}`,
        `{"name":${deep(2)},"order":1,"category_ids":${deep(2)}}`,
      ]) {
        const response = await attack(world.server, { method, path, body, headers: bearer(token()) })
        expect(response.status, response.text.slice(0, 300)).toBeLessThan(500)
        expect(response.status).not.toBe(413)
        expect(response.text.length).toBeLessThan(10_000)
      }
    },
  )

  it('with as many properties as its length allows causes no server error', async () => {
    for (const [method, path, limit] of BODIES) {
      const members = Array.from({ length: Math.floor(limit / 12) }, (_, index) => `"k${String(index)}":1`)
      const body = `{${members.join(',')}}`
      const response = await attack(world.server, { method, path, body, headers: bearer(token()) })
      expect(response.status, `${path}: ${response.text.slice(0, 300)}`).toBeLessThan(500)
      expect(response.status).not.toBe(413)
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

  it('of more than 100 lines are rejected', async () => {
    const lines = Array.from({ length: 99 }, (_, line) => `X-${String(line)}: y\r\n`).join('')
    const send = (others: string) =>
      sendRaw(world.server, `GET /health HTTP/1.1\r\nHost: x\r\n${lines}${others}\r\nGET / HTTP/1.1\r\n\r\n`)
    expect(statusesIn(await send(''))).toEqual([200, 400])
    expect(statusesIn(await send('X: y\r\n'))).toEqual([431])
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
    const count = 100
    const one = `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\n${key()}\r\n`
    const last = one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
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
    expect(CLIENT_TIMEOUTS.connectionsCheckingInterval).toBe(1000)
  })

  it('is disconnected if it stops before the end of a request', async () => {
    const post = 'POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\n'
    const beginnings = [
      '',
      'GET / HT',
      'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n',
      `${post}Content-Length: 100\r\n\r\n{"email"`,
      `${post}Transfer-Encoding: chunked\r\n\r\n50\r\n{`,
    ]
    const { server } = world.server.app
    const { headersTimeout, requestTimeout } = server
    // The server checks every second; shorter limits keep the test short.
    Object.assign(server, { headersTimeout: 200, requestTimeout: 300 })
    const connections = await Promise.all(
      beginnings.flatMap((beginning) =>
        Array.from({ length: 20 }, async () => {
          const connection = await openRawConnection(world.server)
          if (beginning !== '') connection.socket.write(beginning)
          return { beginning, ended: connection.ended }
        }),
      ),
    )
    for (const { beginning, ended } of connections) {
      expect([[408], [401, 408], [401], []], beginning).toContainEqual(statusesIn(await ended))
    }
    Object.assign(server, { headersTimeout, requestTimeout })
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
    // Shorter than in production, so that the test need not wait for a minute.
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
