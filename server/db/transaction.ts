import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { leavesConnectionUsable } from './connection-health.ts'

/**
 * Runs several statements as one transaction of the schema's owner. Commits when `work` resolves and gives its value;
 * rolls back when it rejects, and rejects with the same error. A commit that fails rejects.
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
    const isClean = await rollBack(client)
    // A refusal of ours says nothing of the connection.
    client.release(!isClean || (error instanceof DatabaseError && !leavesConnectionUsable(error)))
    throw error
  }
}

async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query('commit')
  // PostgreSQL answers COMMIT with ROLLBACK when a statement failed and `work` went on regardless.
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: a statement in it had failed.')
}

/** Whether the connection is clean again. */
async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch {
    return false
  }
}
