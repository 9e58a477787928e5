import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { leavesConnectionUsable } from './connection-errors.ts'

/**
 * Runs several statements in one transaction, with the rights of the pool's connections. Commits when `work` resolves,
 * and resolves to its value; rolls back when it rejects, and rejects with the same error. A failed commit rejects.
 */
export async function withTransaction<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const value = await work(client)
    await commit(client)
    client.release()
    return value
  } catch (error) {
    const isRolledBack = await rollBack(client)
    // An error that `work` throws by itself has nothing to do with the connection.
    client.release(!isRolledBack || (error instanceof DatabaseError && !leavesConnectionUsable(error)))
    throw error
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit')
  // PostgreSQL responds to COMMIT with ROLLBACK when a statement failed and `work` ignored the error.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.')
}

async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}
