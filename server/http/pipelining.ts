import type { RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { EndedEarly } from '../errors/ended-early.ts'

/** Unanswered requests of one connection from which on nothing more is read from it. */
export const PENDING_PER_CONNECTION = 10
/**
 * Requests of all connections that wait for an earlier one on the same connection. One read has up to 64 KiB, which can be
 * 3,600 requests.
 */
const WAITING_IN_TOTAL = 5_000

/**
 * Calls the listener for the requests of a server, and limits those that a client sends without waiting for the responses to
 * earlier ones on the same connection. Node.js hands all of them over at once, and keeps the responses until those before them
 * are sent: behind one slow request, they would fill the memory. They are handled one after another, and reading stops until
 * few are left. The connection that exceeds the total is closed; what it has sent stays in memory until then, so nothing is read
 * from the others meanwhile.
 */
export function limitPipelining(
  server: Server,
  listener: RequestListener,
  waitingInTotal = WAITING_IN_TOTAL,
): void {
  const connections = new Set<Socket>()
  const pending = new Map<Socket, number>()
  let waiting = 0
  let closing = 0
  /** Everything but the request in progress waits. */
  const setPending = (socket: Socket, count: number) => {
    waiting += Math.max(0, count - 1) - Math.max(0, (pending.get(socket) ?? 0) - 1)
    if (count === 0) pending.delete(socket)
    else pending.set(socket, count)
  }
  const isFull = (socket: Socket) => (pending.get(socket) ?? 0) >= PENDING_PER_CONNECTION
  const pauseIfFull = (socket: Socket) => {
    if (closing > 0 || isFull(socket)) socket.pause()
  }
  const close = (socket: Socket) => {
    socket.destroy(new EndedEarly('too many requests behind others', 'info'))
    closing += 1
    if (closing === 1) for (const other of connections) other.pause()
    socket.once('close', () => {
      closing -= 1
      if (closing === 0) for (const other of connections) other.resume()
    })
  }

  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    // Node.js resumes reading after each response.
    socket.on('resume', () => pauseIfFull(socket))
    socket.once('close', () => {
      connections.delete(socket)
      setPending(socket, 0)
    })
  })
  server.on('request', (request, response) => {
    const { socket } = request
    // Node.js hands over the rest of what it has read even if the connection was closed meanwhile.
    if (socket.destroyed) return
    const count = (pending.get(socket) ?? 0) + 1
    setPending(socket, count)
    if (waiting > waitingInTotal) {
      close(socket)
      return
    }
    // Not at once, because Node.js resumes reading at the end of each request.
    if (count === PENDING_PER_CONNECTION) process.nextTick(pauseIfFull, socket)
    response.once('close', () => {
      const before = pending.get(socket)
      if (before === undefined) return
      setPending(socket, before - 1)
      if (before === PENDING_PER_CONNECTION) socket.resume()
    })
    // A response has its socket once those before it are sent. If the connection closes first, its request is never handled.
    if (response.socket === null) response.once('socket', () => listener(request, response))
    else listener(request, response)
  })
}
