import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that no program is listening on at the moment. */
export async function findFreePort(host: string): Promise<number> {
  const server = createServer()
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port.')
  return address.port
}
