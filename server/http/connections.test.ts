import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { closeUnusedConnections } from './connections.ts'

it('closes connections that carried no request, and lets responses in progress finish', async () => {
  const app = fastify({ forceCloseConnections: 'idle' })
  closeUnusedConnections(app)
  const handler = new EventEmitter()
  app.get('/', async () => {
    handler.emit('requested')
    await once(handler, 'respond')
    return 'finished'
  })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const unused = connect(Number(url.port), url.hostname).resume()
  await once(unused, 'connect')
  const requested = once(handler, 'requested')
  const response = fetch(url)
  await requested

  const closed = app.close()
  await once(unused, 'close')
  handler.emit('respond')
  await expect(response.then((received) => received.text())).resolves.toBe('finished')
  await closed
  expect(app.server.listening).toBe(false)
})
