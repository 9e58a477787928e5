import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Services } from '../services.ts'

/** Seconds. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** The web app's pages, and paths that don't exist. */
const UNDECLARED_ROUTE = '(other)'
const MILLISECONDS = 1e3

const NOT_CACHED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const NOT_FOUND = { code: 'not_found', message: 'Not found' }
const UNAUTHORIZED = { code: 'unauthorized', message: 'The metrics require METRICS_TOKEN as bearer token' }

/**
 * GET /metrics, for Prometheus: totals that say nothing about a single user or request. Requires METRICS_TOKEN as bearer
 * token; where none is configured, the route is 404 and nothing is measured.
 */
export function registerMetrics(app: FastifyInstance, { config, pool, dataPool, metrics }: Services): void {
  const token = config.metricsToken
  if (token === null) {
    app.get('/metrics', async (_request, reply) => reply.code(404).headers(NOT_CACHED).send(NOT_FOUND))
    return
  }
  // Of this process, such as its memory, and how late the event loop is, which delays every request.
  collectDefaultMetrics({ register: metrics })
  measureRequests(app, metrics)
  measurePools([pool, dataPool], metrics)
  const expected = digest(`Bearer ${token}`)
  app.get('/metrics', async (request, reply) => {
    void reply.headers(NOT_CACHED)
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      return reply.code(401).header('www-authenticate', 'Bearer').send(UNAUTHORIZED)
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

/** Has the same length for every text, as `timingSafeEqual` requires. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** By route as declared: URLs carry tokens and ids, and their number is unlimited. */
function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const requests = new Counter({
    name: 'intercede_http_requests_total',
    help: 'Finished requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [metrics],
  })
  const durations = new Histogram({
    name: 'intercede_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [metrics],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? UNDECLARED_ROUTE : (request.routeOptions.url ?? UNDECLARED_ROUTE)
    const labels = { method: request.method, route }
    requests.inc({ ...labels, status: reply.statusCode })
    durations.observe(labels, reply.elapsedTime / MILLISECONDS)
  })
}

function measurePools(pools: readonly Pool[], metrics: Registry): void {
  const total = (count: (pool: Pool) => number) => pools.reduce((sum, pool) => sum + count(pool), 0)
  metrics.registerMetric(
    new Gauge({
      name: 'intercede_database_connections',
      help: 'Open connections to the database.',
      labelNames: ['state'],
      registers: [],
      collect() {
        this.set(
          { state: 'busy' },
          total((pool) => pool.totalCount - pool.idleCount),
        )
        this.set(
          { state: 'idle' },
          total((pool) => pool.idleCount),
        )
      },
    }),
  )
  metrics.registerMetric(
    new Gauge({
      name: 'intercede_database_connections_max',
      help: 'The most connections that are opened.',
      registers: [],
      collect() {
        this.set(total((pool) => pool.options.max))
      },
    }),
  )
  metrics.registerMetric(
    new Gauge({
      name: 'intercede_database_waiting',
      help: 'Requests that wait for a connection.',
      registers: [],
      collect() {
        this.set(total((pool) => pool.waitingCount))
      },
    }),
  )
}
