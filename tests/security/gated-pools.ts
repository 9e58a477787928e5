import type { Pool, PoolClient } from 'pg'
import { openPools, type TestConnection } from '#tests/support/pgbouncer.ts'

/** Stops the statements of a server. */
export interface Gate {
  /**
   * Stops what comes next before its statement with this number, counted from 1, and everything after it.
   * `reached` resolves when it has stopped there; it goes on when `release` is called, or runs through if it has fewer.
   */
  stopBefore(statement: number): { reached: Promise<void>; release: () => void }
  /** Runs something, and resolves to what it resolves to and the number of its statements. */
  count<Value>(run: () => Promise<Value>): Promise<{ result: Value; statements: number }>
}

/** The pools of a server, behind a gate. */
export function openGatedPools(env: TestConnection['env']): {
  gate: Gate
  pools: { pool: Pool; dataPool: Pool }
  close: () => Promise<void>
} {
  let left = Infinity
  let stop = () => Promise.resolve()
  /** Statements pass one after the other, as they were sent. */
  let turn = Promise.resolve()
  const pass = () => {
    turn = turn.then(async () => {
      left -= 1
      if (left === 0) await stop()
    })
    return turn
  }
  const pools = openPools(env)
  for (const pool of Object.values(pools)) {
    Object.assign(pool.options, { lock_timeout: 0, query_timeout: 0, statement_timeout: 0 })
    Object.assign(pool.options, { idle_in_transaction_session_timeout: 0, connectionTimeoutMillis: 0 })
    pool.on('connect', (client: PoolClient) => {
      const query: (...given: unknown[]) => unknown = client.query.bind(client)
      Object.assign(client, { query: async (...given: unknown[]) => pass().then(() => query(...given)) })
    })
  }
  return {
    gate: {
      stopBefore: (statement) => {
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        const reached = new Promise<void>((resolve) => {
          stop = () => {
            resolve()
            return released
          }
        })
        left = statement
        return { reached, release }
      },
      count: async (run) => {
        const before = Number.MAX_SAFE_INTEGER
        left = before
        const result = await run()
        return { result, statements: before - left }
      },
    },
    pools,
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}
