import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { reservePort } from './free-port.ts'

it('keeps a port from other programs until it is released', async () => {
  const reserved = await reservePort('127.0.0.1')
  const server = createServer()
  server.listen(reserved.port, '127.0.0.1')
  await expect(once(server, 'listening')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await reserved.release()
  server.listen(reserved.port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
})
