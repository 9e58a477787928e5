import {
  DatabaseError,
  type Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg'
import { leavesConnectionUsable } from './pool.ts'

/** On whose behalf a data request runs: a database role and the claims of the verified token. */
export interface Caller {
  role: 'anon' | 'authenticated'
  /** The verified claims as JSON text, as `auth.uid()` reads them. */
  claims: string
}

/** One statement with its bound values. The values are of types that the driver can always convert. */
export interface Statement {
  text: string
  values: readonly (string | number | boolean | null | readonly string[])[]
}

/**
 * Runs one statement as the caller, in a transaction of its own, on a connection of `createDataPool`. Resolves when the
 * transaction is committed. Rejects with the database's error; the transaction is then rolled back.
 */
export async function runAs<Row extends QueryResultRow>(
  pool: Pool,
  caller: Caller,
  statement: Statement,
): Promise<QueryResult<Row>> {
  const name = preparedName(statement.text)
  try {
    return await runOnce<Row>(pool, caller, { ...statement, name })
  } catch (error) {
    if (name === undefined || !mayBeOutdated(error)) throw error
    preparedNames.delete(statement.text)
    return await runOnce<Row>(pool, caller, { ...statement, name: undefined })
  }
}

async function runOnce<Row extends QueryResultRow>(
  pool: Pool,
  caller: Caller,
  statement: PreparedStatement,
): Promise<QueryResult<Row>> {
  const client = await pool.connect()
  const steps = await sendTransaction<Row>(client, caller, statement)
  const errors = steps.flatMap((step): unknown[] => (step.status === 'rejected' ? [step.reason] : []))
  client.release(!errors.every(leavesConnectionUsable) || client.getTransactionStatus() !== 'I')
  if (errors.length > 0) throw errors[0]
  const [, , result, commit] = steps
  if (result.status === 'rejected' || commit.status === 'rejected' || commit.value.command !== 'COMMIT')
    throw new Error('The transaction was not committed.')
  return result.value
}

const SET_CALLER = {
  name: 'set-caller',
  text: `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)`,
}

/**
 * Queues all four messages at once, so the transaction costs one round trip. Each is sent whatever becomes of those
 * before it, which is safe: if `begin` fails, role and claims end with the message that sets them, and the statement
 * runs as DATA_ROLE, which may do nothing; if a later one fails, PostgreSQL rejects the rest and `commit` rolls back.
 */
function sendTransaction<Row extends QueryResultRow>(
  client: PoolClient,
  caller: Caller,
  { name, text, values }: PreparedStatement,
) {
  // The extended protocol accepts a single statement only. The driver's types lack this option.
  const query: QueryConfig & { queryMode: 'extended' } = {
    name,
    text,
    values: [...values],
    queryMode: 'extended',
  }
  return Promise.allSettled([
    client.query('begin'),
    client.query({ ...SET_CALLER, values: [caller.role, caller.claims] }),
    client.query<Row>(query),
    client.query('commit'),
  ])
}

interface PreparedStatement extends Statement {
  /** Under which the connection keeps the parsed statement; undefined to parse it each time. */
  name: string | undefined
}

/**
 * The app sends about a dozen different statements, and planning one costs more than running it. Clients can send any
 * number of others: from here on they are parsed each time, because the driver never closes a prepared statement.
 */
const MAX_PREPARED_STATEMENTS = 200
const preparedNames = new Map<string, string>()
let namesGiven = 0

function preparedName(text: string): string | undefined {
  const known = preparedNames.get(text)
  if (known !== undefined || preparedNames.size >= MAX_PREPARED_STATEMENTS) return known
  namesGiven += 1
  const name = `data-${String(namesGiven)}`
  preparedNames.set(text, name)
  return name
}

/**
 * Whether a statement may have failed because the schema changed after it was prepared (a newer server has migrated):
 * its result type or the types of its parameters are then outdated. 42501 is about privileges.
 */
function mayBeOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:0A000|42(?!501))/.test(error.code ?? '')
}
