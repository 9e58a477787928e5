import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Pool } from 'pg'

/** Milliseconds that the database has to respond. */
const DATABASE_TIMEOUT = 2_000
const PROBE = { name: 'http:ready', text: 'select 1' }

/**
 * GET /health: this process responds; if not, restart it. GET /ready: its database responds as well; if not (503), send
 * users to another server and wait. Both are public, so they reveal nothing else.
 */
export function registerHealthRoutes(app: FastifyInstance, pool: Pool): void {
  const isReady = createReadinessCheck(pool)
  app.get('/health', async (_request, reply) => sendStatus(reply, 200, 'ok'))
  app.get('/ready', async (_request, reply) =>
    (await isReady()) ? sendStatus(reply, 200, 'ready') : sendStatus(reply, 503, 'database unavailable'),
  )
}

function sendStatus(reply: FastifyReply, code: number, status: string): FastifyReply {
  return reply
    .code(code)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send({ status })
}

/** Concurrent requests share one query, so that requesting /ready can't be used to keep the database busy. */
function createReadinessCheck(pool: Pool): () => Promise<boolean> {
  let pending: Promise<boolean> | null = null
  return () => {
    pending ??= probe(pool).finally(() => {
      pending = null
    })
    return falseAfterTimeout(pending)
  }
}

function probe(pool: Pool): Promise<boolean> {
  return pool.query(PROBE).then(
    () => true,
    () => false,
  )
}

async function falseAfterTimeout(result: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, DATABASE_TIMEOUT, false)
  })
  try {
    return await Promise.race([result, timeout])
  } finally {
    clearTimeout(timer)
  }
}
