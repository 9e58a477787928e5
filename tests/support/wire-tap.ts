import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface WireTap {
  /** URL of the same database through the tap. */
  url: string
  /** Another URL of the same server, through the tap. */
  through(databaseUrl: string): string
  /** How often the client has sent something, counting what it sends before the next response as one. */
  roundTrips(): number
  /** Withholds all responses until `resume`, as a frozen database does. */
  freeze(): void
  resume(): void
  close(): Promise<void>
}

/**
 * Forwards bytes between clients and a PostgreSQL, and counts round trips. `edit` may change what clients send, without
 * changing its length.
 */
export async function tapWire(
  databaseUrl: string,
  edit: (sent: Buffer) => Buffer = (sent) => sent,
): Promise<WireTap> {
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let roundTrips = 0
  const server = createServer((client) => {
    const upstream = connectTo(databaseUrl)
    upstreams.add(upstream)
    let isClientsTurn = false
    client.on('data', (chunk) => {
      if (!isClientsTurn) roundTrips += 1
      isClientsTurn = true
      upstream.write(edit(chunk))
    })
    upstream.on('data', (chunk) => {
      isClientsTurn = false
      client.write(chunk)
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: throughTap(databaseUrl, server.address()),
    through: (url) => throughTap(url, server.address()),
    roundTrips: () => roundTrips,
    freeze: () => {
      for (const upstream of upstreams) upstream.pause()
    },
    resume: () => {
      for (const upstream of upstreams) upstream.resume()
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An `edit` that replaces a text by another one of the same length. */
export function replacing(text: string, replacement: string): (sent: Buffer) => Buffer {
  if (text.length !== replacement.length) throw new Error('The replacement has another length.')
  return (sent) => Buffer.from(sent.toString('latin1').replaceAll(text, replacement), 'latin1')
}

function connectTo(databaseUrl: string): Socket {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = url.port === '' ? '5432' : url.port
  return folder?.startsWith('/')
    ? connect(`${folder}/.s.PGSQL.${url.searchParams.get('port') ?? port}`)
    : connect(Number(port), folder ?? url.hostname)
}

function throughTap(
  databaseUrl: string,
  address: ReturnType<ReturnType<typeof createServer>['address']>,
): string {
  if (address === null || typeof address === 'string') throw new Error('The tap has no port.')
  const url = new URL(databaseUrl)
  url.searchParams.set('host', '127.0.0.1')
  url.searchParams.set('port', String(address.port))
  return url.href
}
