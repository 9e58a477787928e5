/**
 * Requests and answers are not described as JSON schemas here. Fastify is told so, because else it loads what compiles
 * them: 2 MB of heap that nobody would use. A route with a schema of what it takes or gives ends the start.
 */
export const NO_SCHEMAS = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } }

function refuse(): never {
  throw new Error('This server compiles no schemas.')
}
