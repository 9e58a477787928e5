import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { TokenKeys } from './jwt/token-keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account of the caller; null as long as its token is not verified, and for anonymous callers. */
    accountId: string | null
  }
}

/** Source of the current time, so that tests can fix it. */
export interface Clock {
  now(): Date
}

/** Work that a request starts, and that its response does not wait for. */
export interface BackgroundWork {
  /** Runs a task once the response had its turn. The task must handle its errors. */
  start(task: () => Promise<void>): void
  /** Resolves when all tasks are done. */
  settled(): Promise<void>
}

export function createBackgroundWork(): BackgroundWork {
  const running = new Set<Promise<void>>()
  return {
    start: (task) => {
      const done = new Promise<void>((resolve, reject) => {
        setImmediate(() => void task().then(resolve, reject))
      }).finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** What every part of the server that handles requests receives. */
export interface Services {
  config: Config
  /** Connections of the schema's owner: for accounts, and for the state of the server itself. */
  pool: Pool
  /** Connections for data requests, which have no rights but those that `runAs` gives them (db/request-scope.ts). */
  dataPool: Pool
  keys: TokenKeys
  clock: Clock
  logger: FastifyBaseLogger
  /** The server finishes it before it stops. */
  background: BackgroundWork
  /** Read by GET /metrics. Each part registers its own gauges, which must not reveal anything about a user. */
  metrics: Registry
}
