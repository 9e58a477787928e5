import { hash } from 'node:crypto'
import {
  type ClientConfig,
  DatabaseError,
  type Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg'
import { leavesConnectionUsable } from './connection-errors.ts'
import { queryTimeout } from './pool.ts'

/** On whose behalf a data request runs: a database role and the claims of the verified token. */
export interface Caller {
  role: 'anon' | 'authenticated'
  /** The verified claims as JSON text, as `auth.uid()` reads them. */
  claims: string
  /** A session that must not have ended; none for anonymous callers, and for tokens that name none. */
  sessionId?: string | null
  /** What SQL functions can read of the HTTP request; without one, empty. */
  request?: RequestSettings
}

/** PostgREST's settings `request.method`, `request.path` and `request.headers` (a JSON object). */
export interface RequestSettings {
  method: string
  path: string
  headers: string
}

/** One statement with its bound values. The values are of types that the driver can always convert. */
export interface Statement {
  text: string
  values: readonly (string | number | boolean | null | readonly string[])[]
  /** How long it may take, in milliseconds; without it, as long as every other statement of the pool. */
  timeout?: number | null
}

/**
 * Runs one statement as the caller, in a transaction of its own, on a connection of `createDataPool`. Resolves when the
 * transaction is committed. Rejects with the database's error; the transaction is then rolled back. The error is PT401 if the
 * caller's session has ended.
 */
export async function runAs<Row extends QueryResultRow>(
  pool: Pool,
  caller: Caller,
  statement: Statement,
): Promise<QueryResult<Row>> {
  const client = await pool.connect()
  const steps = await sendTransaction<Row>(client, caller, statement)
  const errors = steps.flatMap((step): unknown[] => (step.status === 'rejected' ? [step.reason] : []))
  const isOutdated = recordPrepared(client, statement, errors[0])
  const isUsable = errors.every(leavesConnectionUsable) && client.getTransactionStatus() === 'I'
  client.release(isOutdated || !isUsable || preparedBy(client).length > MAX_PREPARED_LENGTH)
  if (isOutdated) return await runAs(pool, caller, statement)
  if (errors.length > 0) throw errors[0]
  const [, , result, commit] = steps
  if (result.status === 'rejected' || commit.status === 'rejected' || commit.value.command !== 'COMMIT')
    throw new Error('The transaction was not committed.')
  // Without its rows, which may be large: the driver's own result survives until V8 collects all garbage.
  return { ...result.value, rows: result.value.rows.splice(0) }
}

const NO_REQUEST: RequestSettings = { method: '', path: '', headers: '' }
/** Counts the results, because the driver would read them: claims and headers have 1.5 KB. */
const SET_CALLER = {
  name: 'set-caller',
  text: `select num_nonnulls(set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
                set_config('request.method', $3, true), set_config('request.path', $4, true),
                set_config('request.headers', $5, true), intercede.require_active_session($6),
                set_config('statement_timeout', coalesce($7, current_setting('statement_timeout')), true))`,
}

/**
 * Queues all four messages at once, so the transaction costs one round trip. Each is sent whatever becomes of those
 * before it, which is safe: if `begin` fails, role and claims end with the message that sets them, and the statement
 * runs as DATA_ROLE, which may do nothing; if a later one fails, PostgreSQL rejects the rest and `commit` rolls back.
 */
function sendTransaction<Row extends QueryResultRow>(
  client: PoolClient,
  { role, claims, sessionId = null, request = NO_REQUEST }: Caller,
  { text, values, timeout = null }: Statement,
) {
  // The driver measures from now on, also for the commit. Its types lack this option, and `queryMode`.
  const waiting: Pick<ClientConfig, 'query_timeout'> =
    timeout === null ? {} : { query_timeout: queryTimeout(timeout) }
  // The extended protocol accepts a single statement only.
  const query: QueryConfig & { queryMode: 'extended' } = {
    ...(isWorthPreparing(text) ? { name: nameOf(text) } : {}),
    text,
    values: [...values],
    queryMode: 'extended',
    ...waiting,
  }
  return Promise.allSettled([
    client.query('begin'),
    client.query({
      ...SET_CALLER,
      values: [role, claims, request.method, request.path, request.headers, sessionId, timeout],
    }),
    client.query<Row>(query),
    client.query({ text: 'commit', ...waiting }),
  ])
}

/**
 * The app sends about a dozen different statements, all short, and planning one costs more than running it, so connections keep
 * short statements prepared, in characters. Clients can send any number of others, and the driver never closes a prepared
 * statement: a connection with more than this, 10 KB in the app and about 100 times as much memory, is replaced.
 */
const MAX_STATEMENT_LENGTH = 2000
const MAX_PREPARED_LENGTH = 40_000

/** The names of a connection's prepared statements, and the length of their texts. */
interface Prepared {
  names: Set<string>
  length: number
}

const preparedByClient = new WeakMap<PoolClient, Prepared>()

function isWorthPreparing(text: string): boolean {
  return text.length <= MAX_STATEMENT_LENGTH
}

/** Under the same name, a connection must always get the same text. */
function nameOf(text: string): string {
  return hash('sha1', text, 'base64url')
}

function preparedBy(client: PoolClient): Prepared {
  const prepared = preparedByClient.get(client) ?? { names: new Set(), length: 0 }
  preparedByClient.set(client, prepared)
  return prepared
}

/**
 * Records that the connection has prepared the statement. Returns whether it had done so before, and the statement has
 * failed because the schema has changed since: the types of its result or of its parameters are then outdated.
 */
function recordPrepared(client: PoolClient, { text }: Statement, error: unknown): boolean {
  if (!isWorthPreparing(text)) return false
  const prepared = preparedBy(client)
  const name = nameOf(text)
  if (prepared.names.has(name)) return isSchemaError(error)
  if (isSchemaError(error)) return false
  prepared.names.add(name)
  prepared.length += text.length
  return false
}

/** An error that a changed schema can cause, before the statement runs. 42501 is about privileges. */
function isSchemaError(error: unknown): boolean {
  return error instanceof DatabaseError && /^(?:0A000|42(?!501))/.test(error.code ?? '')
}
