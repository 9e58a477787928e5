import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Pool } from 'pg'

/** Milliseconds that the database has for the simplest of questions. */
const PATIENCE = 2_000
const QUESTION = { name: 'http:ready', text: 'select 1' }

/**
 * GET /health: this process answers; if it does not, restart it. GET /ready: so does its database; if it does not
 * (503), send people to another server and wait. Neither says more than that, for anybody may ask.
 */
export function registerHealthRoutes(app: FastifyInstance, pool: Pool): void {
  const isReady = createReadiness(pool)
  app.get('/health', async (_request, reply) => answer(reply, 200, 'ok'))
  app.get('/ready', async (_request, reply) =>
    (await isReady()) ? answer(reply, 200, 'ready') : answer(reply, 503, 'database unavailable'),
  )
}

function answer(reply: FastifyReply, code: number, status: string): FastifyReply {
  return reply
    .code(code)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send({ status })
}

/** However many ask, the database is asked once at a time, so that asking is no way to keep it busy. */
function createReadiness(pool: Pool): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null
  return () => {
    asking ??= ask(pool).finally(() => {
      asking = null
    })
    return withinPatience(asking)
  }
}

function ask(pool: Pool): Promise<boolean> {
  return pool.query(QUESTION).then(
    () => true,
    () => false,
  )
}

async function withinPatience(answered: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, false)
  })
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}
