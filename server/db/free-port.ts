import { once } from 'node:events'
import { createServer } from 'node:net'

/** A free port that no other program can take until it is released. */
export interface ReservedPort {
  port: number
  /** To be called just before listening on the port. */
  release(): Promise<void>
}

/** Listens on a free port, which does not keep the process alive. */
export async function reservePort(host: string): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy()).unref()
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.')
  return {
    port: address.port,
    release: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** A port that no program is listening on at the moment. */
export async function findFreePort(host: string): Promise<number> {
  const reserved = await reservePort(host)
  await reserved.release()
  return reserved.port
}
