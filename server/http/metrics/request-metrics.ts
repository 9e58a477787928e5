import type { FastifyInstance } from 'fastify'
import type { Metric, Sample } from './metric.ts'

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Whatever no route was declared for: the pages of the web app, and addresses that there are none of. */
const UNDECLARED = '(other)'
const MILLISECONDS = 1000

interface Requests {
  labels: { method: string; route: string }
  byStatus: Map<number, number>
  /** Requests that took at most as long as the bucket, for each. */
  within: number[]
  seconds: number
  count: number
}

/**
 * Counts and times every request from now on, by its route as declared: addresses as sent carry tokens and ids, and
 * there are endlessly many of them.
 */
export function measureRequests(app: FastifyInstance): Metric[] {
  const all = new Map<string, Requests>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? UNDECLARED : (request.routeOptions.url ?? UNDECLARED)
    const key = `${request.method} ${route}`
    const requests = all.get(key) ?? none(request.method, route)
    all.set(key, requests)
    add(requests, reply.statusCode, reply.elapsedTime / MILLISECONDS)
    done()
  })
  return [
    {
      name: 'intercede_http_requests_total',
      help: 'Requests answered.',
      type: 'counter',
      collect: () => [...all.values()].flatMap(countsOf),
    },
    {
      name: 'intercede_http_request_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer.',
      type: 'histogram',
      collect: () => [...all.values()].flatMap(durationsOf),
    },
  ]
}

function none(method: string, route: string): Requests {
  return {
    labels: { method, route },
    byStatus: new Map(),
    within: BUCKETS.map(() => 0),
    seconds: 0,
    count: 0,
  }
}

function add(requests: Requests, status: number, seconds: number): void {
  requests.byStatus.set(status, (requests.byStatus.get(status) ?? 0) + 1)
  requests.within = requests.within.map((count, index) => count + (seconds <= (BUCKETS[index] ?? 0) ? 1 : 0))
  requests.seconds += seconds
  requests.count += 1
}

function countsOf({ labels, byStatus }: Requests): Sample[] {
  return [...byStatus].map(([status, value]) => ({ labels: { ...labels, status: String(status) }, value }))
}

function durationsOf({ labels, within, seconds, count }: Requests): Sample[] {
  const buckets = [...within.entries()].map(([index, value]) => ({ le: String(BUCKETS[index]), value }))
  return [
    ...[...buckets, { le: '+Inf', value: count }].map(({ le, value }) => ({
      suffix: '_bucket',
      labels: { ...labels, le },
      value,
    })),
    { suffix: '_sum', labels, value: seconds },
    { suffix: '_count', labels, value: count },
  ]
}
