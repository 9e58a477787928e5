import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Metric, Sample } from './metric.ts'

/** Milliseconds between two looks at the event loop. */
const LOOP_RESOLUTION = 20
const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const MILLISECONDS = 1e3

/** The connections to the database: used, unused, and how many requests wait for one. */
export function measurePool(pool: Pool): Metric[] {
  return [
    gauge('intercede_database_connections', 'Connections to the database that are open.', () => [
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
    ]),
    gauge('intercede_database_connections_max', 'Most connections that are opened.', () => [
      { value: pool.options.max },
    ]),
    gauge('intercede_database_waiting', 'Requests that wait for a connection.', () => [
      { value: pool.waitingCount },
    ]),
  ]
}

/** How late the event loop came to its work since it was last asked: what everybody waits for who waits. */
export function measureEventLoop(app: FastifyInstance): Metric[] {
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
  })
  const late = (nanoseconds: number) =>
    Math.max(0, nanoseconds / NANOSECONDS - LOOP_RESOLUTION / MILLISECONDS) || 0
  return [
    gauge('intercede_event_loop_delay_seconds', 'How late the event loop was since the last look.', () => {
      const samples = [
        { labels: { quantile: '0.5' }, value: late(delay.percentile(50)) },
        { labels: { quantile: '0.99' }, value: late(delay.percentile(99)) },
        { labels: { quantile: '1' }, value: late(delay.max) },
      ]
      delay.reset()
      return samples
    }),
  ]
}

/** Under the names that Prometheus's own client libraries give these. */
export function measureProcess(): Metric[] {
  const startedAt = Math.round(Date.now() / MILLISECONDS - process.uptime())
  return [
    gauge('process_resident_memory_bytes', 'Memory of this process, PostgreSQL not included.', () => [
      { value: process.memoryUsage.rss() },
    ]),
    gauge('nodejs_heap_size_used_bytes', 'Memory that objects take.', () => [
      { value: process.memoryUsage().heapUsed },
    ]),
    gauge('process_start_time_seconds', 'When this process was started.', () => [{ value: startedAt }]),
    gauge('process_open_fds', 'Open files and connections, where the system tells.', countOpenFiles),
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of this process.',
      type: 'counter',
      collect: () => {
        const { user, system } = process.cpuUsage()
        return [{ value: (user + system) / MICROSECONDS }]
      },
    },
  ]
}

/** Linux only; elsewhere there is no such folder, and no sample. */
async function countOpenFiles(): Promise<Sample[]> {
  const entries = await readdir('/proc/self/fd').catch(() => null)
  return entries === null ? [] : [{ value: entries.length }]
}

function gauge(name: string, help: string, collect: Metric['collect']): Metric {
  return { name, help, type: 'gauge', collect }
}
