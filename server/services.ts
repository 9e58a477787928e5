import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import type { Config } from './config.ts'
import type { TokenKeys } from './jwt/token-keys.ts'

/** Where the time comes from, so that tests can hold it still. */
export interface Clock {
  now(): Date
}

/** A number that a part of the server shows to whoever watches over it. It must say nothing about a person. */
export interface Gauge {
  /** As Prometheus names things: `intercede_…`. */
  name: string
  help: string
  read: () => number
}

/** What every part of the server that answers requests is given. */
export interface Services {
  config: Config
  /** Pipelining connections of the owner of the schema; see `db/request-scope.ts` for how callers are confined. */
  pool: Pool
  keys: TokenKeys
  clock: Clock
  logger: FastifyBaseLogger
}
