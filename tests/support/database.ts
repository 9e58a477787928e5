import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { expect, inject, vi } from 'vitest'
import { mapUrls, openPools, type TestConnection } from './pgbouncer.ts'
import { runAlone, urlOf } from './postgres.ts'

/** In milliseconds; longer than the longest statement may take. */
const RELEASE_TIMEOUT = 30_000

/** What waits for a lock or a connection waits until the test lets it go on, however busy the machine is. */
const WITHOUT_TIME_LIMITS = {
  connectionTimeoutMillis: 0,
  idle_in_transaction_session_timeout: 0,
  lock_timeout: 0,
  query_timeout: 0,
  statement_timeout: 0,
}

export interface TestDatabase {
  /** Leads to PostgreSQL itself. */
  url: string
  /** How a server connects: to PostgreSQL itself, or, with TEST_POOLER, through the pooler. */
  env: TestConnection['env']
  /** Connections of the schema's owner, as the server's, without time limits. */
  pool: Pool
  /** Connections for data requests, as the server's, without time limits. They need a migrated database. */
  dataPool: Pool
  /**
   * Ends the pools and removes the database. Requests whose client disconnected still run to completion, so it waits for
   * their connections; it rejects if one is never released.
   */
  drop(): Promise<void>
}

/** A migrated database of its own, without users, prayers and categories. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await copyOf(inject('testPostgres').template)
}

/** A database without any tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await copyOf('template0')
}

/** Resolves when exactly that many statements in the database wait for a lock. */
export async function waitForLocks(pool: Pool, count: number): Promise<void> {
  const waiting = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount
  }
  await expect.poll(waiting, { message: 'statements that wait for a lock' }).toBe(count)
}

async function copyOf(template: string): Promise<TestDatabase> {
  const { url: serverUrl, env: serverEnv } = inject('testPostgres')
  const name = `intercede_test_${randomBytes(6).toString('hex')}`
  await runAlone(serverUrl, `create database "${name}" template "${template}"`)
  const url = urlOf(serverUrl, name)
  const env = mapUrls(serverEnv, (server) => urlOf(server, name))
  const pools = openPools(env)
  for (const { options } of Object.values(pools)) Object.assign(options, WITHOUT_TIME_LIMITS)
  // The pooler keeps its connections.
  const force = env.DATA_DATABASE_URL === undefined ? '' : 'with (force)'
  return { url, env, ...pools, drop: () => drop(serverUrl, `"${name}" ${force}`, Object.values(pools)) }
}

async function drop(serverUrl: string, database: string, pools: readonly Pool[]): Promise<void> {
  // Not `expect.poll`, which only works inside a test.
  await vi.waitFor(() => {
    const held = pools.reduce((sum, pool) => sum + pool.totalCount - pool.idleCount + pool.waitingCount, 0)
    if (held > 0) throw new Error(`${String(held)} connections to the test database were never released.`)
  }, RELEASE_TIMEOUT)
  await Promise.all(pools.map((pool) => pool.end()))
  await runAlone(serverUrl, `drop database ${database}`)
}
