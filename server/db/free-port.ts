import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that nobody listens on just now. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer()
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}
