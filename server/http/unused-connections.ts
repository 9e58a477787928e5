import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Browsers open connections ahead of need, and keep others for later. Node counts one on which nothing was ever asked as
 * busy, and does not look again at one whose answer arrives after closing began: the server would wait for both.
 * This ends the first kind as soon as the server begins to close, the second kind with its answer.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1
    for (const socket of unused) socket.destroy()
  })
}
