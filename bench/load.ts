import { Client } from 'undici'
import { percentile } from './findings.ts'
import { requireLoopback } from './options.ts'

export const CONNECTIONS = 16

export interface WireRequest {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** What is sent on the connections, which are numbered from 0. */
export interface Traffic {
  next(connection: number): WireRequest
  /** Called with the body of each response, for later requests that depend on it. */
  onResponse?(connection: number, body: string): void
}

export interface LoadResult {
  requests: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/**
 * Sends requests for some seconds over keep-alive connections, each as fast as it gets responses. Rejects as soon as one
 * request fails.
 *
 * We don't use autocannon here: it reports latencies in whole milliseconds, and drops the requests in flight at the
 * end of a round, and with them the refresh tokens of their responses.
 */
export async function runLoad(origin: string, traffic: Traffic, seconds: number): Promise<LoadResult> {
  const latencies: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  const connections = Array.from({ length: CONNECTIONS }, async (_, connection) => {
    const client = new Client(requireLoopback(origin))
    try {
      for (let now = performance.now(); now < end; now = performance.now()) {
        const body = await send(client, traffic.next(connection))
        latencies.push(performance.now() - now)
        traffic.onResponse?.(connection, body)
      }
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

/** Sends one request on a connection of its own. */
export async function sendOnce(origin: string, request: WireRequest): Promise<string> {
  const client = new Client(requireLoopback(origin))
  try {
    return await send(client, request)
  } finally {
    await client.close()
  }
}

/**
 * Sends a request and resolves to the body of the response. Rejects for any status but success. Uses the lowest level
 * of undici, because the load generator shares the CPUs with the processes it measures.
 */
function send(client: Client, { method, path, headers, body }: WireRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    client.dispatch(
      { method, path, headers, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          const text = Buffer.concat(chunks).toString()
          if (status >= 200 && status < 300) resolve(text)
          else reject(new Error(`${method} ${path} failed with ${String(status)}: ${text}`))
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })
}
