import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import { NO_SCHEMAS } from './no-schemas.ts'

it('ends the start at a route whose body has a schema', async () => {
  const app = fastify({ schemaController: NO_SCHEMAS })
  app.post('/', { schema: { body: { type: 'object' } } }, () => ({}))
  await expect(app.ready()).rejects.toThrow('This server compiles no schemas.')
})

it('ends the start at a route whose answer has a schema', async () => {
  const app = fastify({ schemaController: NO_SCHEMAS })
  app.get('/', { schema: { response: { 200: { type: 'object' } } } }, () => ({}))
  await expect(app.ready()).rejects.toThrow('This server compiles no schemas.')
})
