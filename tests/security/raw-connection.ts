import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestServer } from '#tests/support/server.ts'

/** A connection on which anything can be said, HTTP or not. */
export interface RawConnection {
  socket: Socket
  /** Everything that came back so far. */
  received(): string
  /** Resolves to everything that came back when the server has ended the connection. */
  ended: Promise<string>
}

export async function openRawConnection(server: TestServer): Promise<RawConnection> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
  })
  // The server may hang up while something is still being said.
  socket.on('error', () => socket.destroy())
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(received))
  })
  await once(socket, 'connect')
  return { socket, received: () => received, ended }
}

/** Says all of it, and gives what came back by the time the server hung up. */
export async function say(server: TestServer, bytes: string): Promise<string> {
  const { socket, ended } = await openRawConnection(server)
  socket.write(bytes, 'latin1')
  return await ended
}

/** Statuses of the answers, in their order. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
