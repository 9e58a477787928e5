import { DatabaseError } from 'pg'
import pino, { type LevelWithSilent, type Logger, type LoggerOptions } from 'pino'

/** Properties that are never written, up to two levels deep in a logged object. */
const REDACTED = [
  'authorization',
  'apikey',
  'cookie',
  'password',
  'access_token',
  'refresh_token',
  'set-cookie',
]
const STANDARD_OUTPUT = 1
/** Bytes of lines that could not be written yet. */
const BUFFER_LIMIT = 1024 * 1024
/** SQLSTATE classes of data and constraint errors, whose messages quote what a user typed. */
const CLASSES_WITH_USER_DATA = /^2[23]/

/** One JSON line per event, on standard output unless a stream is given. */
export function createLogger(level: LevelWithSilent, stream?: pino.DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: REDACTED.flatMap(pathsToProperty), censor: '(hidden)' },
    serializers: { err: describeError },
  }
  return pino(options, stream ?? lossyDestination(STANDARD_OUTPUT))
}

/**
 * Writes to a file descriptor and drops lines while that fails, so that a full disk doesn't block the server. The last
 * lines are buffered and written when there is space again.
 */
function lossyDestination(fd: number): pino.DestinationStream {
  const destination = pino.destination({ fd, sync: true, maxLength: BUFFER_LIMIT })
  destination.on('error', () => {})
  // Hides `flushSync`, with which pino would try to write a fatal error for ever. Lines are written at once anyway.
  return { write: (line) => void destination.write(line) }
}

function pathsToProperty(name: string): string[] {
  const property = `["${name}"]`
  return [property, `*${property}`, `*.*${property}`]
}

/**
 * Describes an error and its causes for the log, without the rows and values that PostgreSQL adds to its errors. Other
 * properties are dropped: libraries attach requests and responses to their errors.
 */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  if (error instanceof DatabaseError) return describeDatabaseError(error)
  return {
    type: error.name,
    message: error.message,
    code: 'code' in error ? error.code : undefined,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}

function describeDatabaseError(error: DatabaseError): object {
  const { code, severity, routine, schema, table, constraint } = error
  const quotesUserData = code === undefined || CLASSES_WITH_USER_DATA.test(code)
  return {
    type: 'DatabaseError',
    message: quotesUserData ? '(hidden)' : error.message,
    code,
    severity,
    routine,
    schema,
    table,
    constraint,
  }
}
