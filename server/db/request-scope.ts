import { DatabaseError, type Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg'
import { ConfinedQuery } from './confined-query.ts'
import { leavesConnectionUsable } from './connection-health.ts'

/** For whom a data request runs: a role of the database and the claims of the token that was verified. */
export interface Caller {
  role: 'anon' | 'authenticated'
  /** The verified claims as JSON text, as `auth.uid()` reads them. */
  claims: string
}

/** One statement with its bound values. A `name` makes it a prepared statement of the connection. */
export interface Statement {
  name?: string
  text: string
  values: readonly unknown[]
}

/**
 * Runs one statement as the caller, in a transaction of its own: role, claims, statement and commit leave in one
 * write, so the whole transaction costs one round trip. Nothing of the caller outlives it.
 * Resolves when it is committed. Rejects with the database's own error; the transaction is then rolled back.
 */
export async function runAs<Row extends QueryResultRow>(
  pool: Pool,
  caller: Caller,
  statement: Statement,
): Promise<QueryResult<Row>> {
  try {
    return await runOnce<Row>(pool, caller, statement)
  } catch (error) {
    // The schema changed under a prepared statement (a newer server migrated). Nothing has been done yet, and the
    // statement is prepared anew.
    if (!isStalePlan(error)) throw error
    return await runOnce<Row>(pool, caller, statement)
  }
}

async function runOnce<Row extends QueryResultRow>(
  pool: Pool,
  caller: Caller,
  statement: Statement,
): Promise<QueryResult<Row>> {
  const client = await pool.connect()
  try {
    const result = await submit<Row>(client, caller, statement)
    client.release()
    return result
  } catch (error) {
    client.release(!leavesConnectionUsable(error))
    throw error
  }
}

function submit<Row extends QueryResultRow>(client: PoolClient, caller: Caller, statement: Statement) {
  return new Promise<QueryResult<Row>>((resolve, reject) => {
    const query = new ConfinedQuery<Row>(caller, statement, (error, result) => {
      if (error !== null) reject(error)
      else if (result === undefined) reject(new Error('The database answered without a result.'))
      else resolve(result)
    })
    client.query(query)
  })
}

/** Raised by PostgreSQL's plan cache (RevalidateCachedQuery) when a table gained or lost a column. */
function isStalePlan(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}
