import { Client } from 'undici'
import { requireLoopback } from './loopback.ts'
import { percentile } from './statistics.ts'
import { send, type WireRequest } from './wire.ts'

export const CONNECTIONS = 16

/** What is asked for on the connections, numbered from 0. */
export interface Traffic {
  next(connection: number): WireRequest
  /** Told the body of each answer, where a later request depends on it. */
  heard?(connection: number, body: string): void
}

export interface Load {
  seconds: number
  /** Requests a second over all connections; by default each connection sends the next as soon as it has an answer. */
  rate?: number
}

export interface LoadResult {
  requests: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/**
 * Sends requests over keep-alive connections for some seconds; the connections take the origins by turns. Rejects as
 * soon as one request is not answered well.
 */
export async function runLoad(origins: readonly string[], traffic: Traffic, load: Load): Promise<LoadResult> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + load.seconds * 1000
  const connections = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    const client = new Client(requireLoopback(origins[connection % origins.length] ?? ''))
    try {
      await (load.rate === undefined
        ? sendOnAndOn({ client, traffic, connection, latencies }, end)
        : sendOnTime({ client, traffic, connection, latencies }, dueTimes(start, end, connection, load.rate)))
    } finally {
      await client.close()
    }
  })
  await Promise.all(connections)
  return {
    requests: latencies.length,
    perSecond: (latencies.length * 1000) / (performance.now() - start),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}

interface Sender {
  client: Client
  traffic: Traffic
  connection: number
  latencies: number[]
}

async function sendOnAndOn(sender: Sender, end: number): Promise<void> {
  for (let now = performance.now(); now < end; now = performance.now()) await sendOne(sender, now)
}

/**
 * A request that was held up by the one before it is counted from when it was due: a person would have waited. Our own
 * timer's lateness is nobody's.
 */
async function sendOnTime(sender: Sender, times: readonly number[]): Promise<void> {
  for (const due of times) {
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    await sendOne(sender, early > 0 ? performance.now() : due)
  }
}

async function sendOne({ client, traffic, connection, latencies }: Sender, from: number): Promise<void> {
  const body = await send(client, traffic.next(connection))
  latencies.push(performance.now() - from)
  traffic.heard?.(connection, body)
}

function dueTimes(start: number, end: number, connection: number, rate: number): number[] {
  const interval = 1000 / rate
  const count = Math.floor((end - start) / (interval * CONNECTIONS))
  return Array.from({ length: count }, (_, round) => start + (round * CONNECTIONS + connection) * interval)
}
