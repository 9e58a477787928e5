import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestServer } from '#tests/support/server.ts'

/** A connection that can send any bytes, valid HTTP or not. */
export interface RawConnection {
  socket: Socket
  /** Everything received so far. */
  received(): string
  /** Resolves to everything received, once the server has closed the connection. */
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
  // The server may close the connection while data is still being sent.
  socket.on('error', () => socket.destroy())
  const ended = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(received))
  })
  await once(socket, 'connect')
  return { socket, received: () => received, ended }
}

/** Sends the bytes, and returns everything received until the server closed the connection. */
export async function sendRaw(server: TestServer, bytes: string): Promise<string> {
  const { socket, ended } = await openRawConnection(server)
  socket.write(bytes, 'latin1')
  return await ended
}

/** Statuses of the responses, in order. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
