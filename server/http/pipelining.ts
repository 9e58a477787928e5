import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Unanswered requests of one connection from which on nothing more is read from it. */
export const PENDING_PER_CONNECTION = 10
/**
 * Requests of all connections that wait for an earlier one on the same connection. One read has up to 64 KiB, which can be
 * 2,500 requests.
 */
const WAITING_IN_TOTAL = 5_000

/**
 * Limits requests that a client sends without waiting for the responses to earlier ones on the same connection. Node.js hands
 * all of them over at once, and keeps the responses until those before them are sent: behind one slow request, they would fill
 * the memory. They are handled one after another, and reading stops until few are left. The connection that exceeds the
 * total is closed.
 */
export function limitPipelining(app: FastifyInstance, waitingInTotal = WAITING_IN_TOTAL): void {
  const pending = new Map<Socket, number>()
  let waiting = 0
  /** Everything but the request in progress waits. */
  const setPending = (socket: Socket, count: number) => {
    waiting += Math.max(0, count - 1) - Math.max(0, (pending.get(socket) ?? 0) - 1)
    if (count === 0) pending.delete(socket)
    else pending.set(socket, count)
  }
  const isFull = (socket: Socket) => (pending.get(socket) ?? 0) >= PENDING_PER_CONNECTION
  const pauseIfFull = (socket: Socket) => {
    if (isFull(socket)) socket.pause()
  }

  app.server.on('connection', (socket: Socket) => {
    // Node.js resumes reading after each response.
    socket.on('resume', () => pauseIfFull(socket))
    socket.once('close', () => setPending(socket, 0))
  })
  app.server.on('request', ({ socket }, response) => {
    if (socket.destroyed) return
    const count = (pending.get(socket) ?? 0) + 1
    setPending(socket, count)
    if (waiting > waitingInTotal) return socket.destroy()
    // Not at once, because Node.js resumes reading at the end of each request.
    if (count === PENDING_PER_CONNECTION) process.nextTick(pauseIfFull, socket)
    response.once('close', () => {
      const before = pending.get(socket)
      if (before === undefined) return
      setPending(socket, before - 1)
      if (before === PENDING_PER_CONNECTION) socket.resume()
    })
  })
  // A response has its socket once those before it are sent. If the connection closes first, its request is never handled.
  app.addHook('onRequest', (_request, { raw: response }, done) => {
    if (response.socket === null) response.once('socket', () => done())
    else done()
  })
}
