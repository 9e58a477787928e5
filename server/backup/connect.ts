import { Client, DatabaseError } from 'pg'
import { reasonOf } from '../db/connection-failure.ts'
import { BackupError } from '../errors/operator-errors.ts'

/** Seconds. */
const CONNECT_TIMEOUT = 10

/**
 * One connection on which statements may take their time, and on which values are written as text in one way only,
 * whatever the server is set to. Row security is never to hide a row: a role that it applies to is refused instead.
 */
const SETTINGS = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  row_security: 'off',
  client_encoding: 'UTF8',
  datestyle: 'ISO, YMD',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  extra_float_digits: '3',
  bytea_output: 'hex',
}

/** Runs `work` on a connection of its own. Rejects with a `BackupError` when the database says no. */
export async function withConnection<Value>(
  url: string,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = new Client({
    connectionString: url,
    application_name: 'intercede backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT * 1000,
    keepAlive: true,
  })
  // A connection that is lost fails the statement that waits on it; that is enough.
  client.on('error', () => {})
  try {
    await client.connect().catch(failToConnect)
    for (const [name, value] of Object.entries(SETTINGS)) {
      await client.query('select set_config($1, $2, false)', [name, value])
    }
    return await work(client)
  } catch (error) {
    throw inOneSentence(error)
  } finally {
    await client.end()
  }
}

/** The same pieces; a failure of the database among them is told as one. */
export async function* fromDatabase<Piece>(pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } catch (error) {
    throw inOneSentence(error)
  }
}

function inOneSentence(error: unknown): unknown {
  if (error instanceof DatabaseError)
    return new BackupError(`The database refused: ${error.message}.`, { cause: error })
  if (error instanceof Error && ('syscall' in error || error.message.startsWith('Connection terminated')))
    return unreachable(error)
  return error
}

/** Whatever goes wrong on the way to a connection lies there: address, network, certificate, password. */
function failToConnect(error: unknown): never {
  throw error instanceof DatabaseError ? error : unreachable(error)
}

function unreachable(cause: unknown): BackupError {
  return new BackupError(`The database can't be reached: ${reasonOf(cause)}.`, { cause })
}
