import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { closeUnusedConnections } from './unused-connections.ts'

it('closes connections on which nothing was asked, and lets answers under way arrive', async () => {
  const app = fastify({ forceCloseConnections: 'idle' })
  closeUnusedConnections(app)
  const visitor = new EventEmitter()
  app.get('/', async () => {
    visitor.emit('asked')
    await once(visitor, 'answer')
    return 'here it is'
  })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const unused = connect(Number(url.port), url.hostname).resume()
  await once(unused, 'connect')
  const asked = once(visitor, 'asked')
  const response = fetch(url)
  await asked

  const closed = app.close()
  await once(unused, 'close')
  visitor.emit('answer')
  await expect(response.then((arrived) => arrived.text())).resolves.toBe('here it is')
  await closed
  expect(app.server.listening).toBe(false)
})
