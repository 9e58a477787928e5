import { DatabaseError } from 'pg'
import pino, { type LevelWithSilent, type Logger, type LoggerOptions } from 'pino'

/** Members that are never written, wherever in a logged object they stand. */
const HIDDEN = [
  'authorization',
  'apikey',
  'cookie',
  'password',
  'access_token',
  'refresh_token',
  'set-cookie',
]
const STANDARD_OUTPUT = 1
/** Of lines that could not be written yet. */
const KEPT_BYTES = 1024 * 1024
/** Data and constraint errors quote what somebody typed. */
const QUOTING_CLASSES = /^2[23]/

/** One JSON line per event, on standard output unless told otherwise. */
export function createLogger(level: LevelWithSilent, stream?: pino.DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: HIDDEN.flatMap(atEveryDepth), censor: '(hidden)' },
    serializers: { err: describeError },
  }
  return pino(options, stream ?? lossyDestination(STANDARD_OUTPUT))
}

/**
 * Writes to a file descriptor for as long as that works: on a disk that is full a log loses lines, and nobody waits for
 * it. The last ones are kept, and written when there is room.
 */
function lossyDestination(fd: number): pino.DestinationStream {
  const destination = pino.destination({ fd, sync: true, maxLength: KEPT_BYTES })
  destination.on('error', () => {})
  // Not its `flushSync`, with which a fatal error would be tried for ever. What is written is written at once.
  return { write: (line) => void destination.write(line) }
}

function atEveryDepth(name: string): string[] {
  const member = `["${name}"]`
  return [member, `*${member}`, `*.*${member}`]
}

/**
 * What is worth knowing of an error and of what caused it, without the rows and values that PostgreSQL puts into its
 * own. Nothing else that hangs on an error is written: libraries hang requests and answers there, as they were sent.
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
  const quotes = code === undefined || QUOTING_CLASSES.test(code)
  return {
    type: 'DatabaseError',
    message: quotes ? '(hidden)' : error.message,
    code,
    severity,
    routine,
    schema,
    table,
    constraint,
  }
}
