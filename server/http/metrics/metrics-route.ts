import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Gauge, Services } from '../../services.ts'
import { METRICS_TYPE, renderMetrics, type Metric } from './metric.ts'
import { measureEventLoop, measurePool, measureProcess } from './process-metrics.ts'
import { measureRequests } from './request-metrics.ts'

const NOT_CACHED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const NOT_FOUND = { code: 'not_found', message: 'Not found' }
const UNAUTHORIZED = { code: 'unauthorized', message: 'The metrics need their token' }

/**
 * GET /metrics, for Prometheus: how much is going on, and nothing of whom or what. Open to whoever has METRICS_TOKEN;
 * without one there are none, and nothing is counted. `gauges` are read at each look, those added later as well.
 */
export function registerMetrics(
  app: FastifyInstance,
  { config, pool }: Services,
  gauges: readonly Gauge[],
): void {
  const token = config.metricsToken
  if (token === null) {
    app.get('/metrics', async (_request, reply) => reply.code(404).headers(NOT_CACHED).send(NOT_FOUND))
    return
  }
  const expected = digest(`Bearer ${token}`)
  const measured = [
    ...measureRequests(app),
    ...measurePool(pool),
    ...measureEventLoop(app),
    ...measureProcess(),
  ]
  app.get('/metrics', async (request, reply) => {
    void reply.headers(NOT_CACHED)
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      return reply.code(401).header('www-authenticate', 'Bearer').send(UNAUTHORIZED)
    return reply.type(METRICS_TYPE).send(await renderMetrics([...measured, ...gauges.map(metricOf)]))
  })
}

function metricOf({ name, help, read }: Gauge): Metric {
  return { name, help, type: 'gauge', collect: () => [{ value: read() }] }
}

/** Of one length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
