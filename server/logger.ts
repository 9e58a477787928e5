import { DatabaseError } from 'pg'
import pino, { type Logger } from 'pino'
import type { LogLevel } from './config.ts'

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
/** Data and constraint errors quote what somebody typed. */
const QUOTING_CLASSES = /^2[23]/

/** One JSON line per event on standard output. */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: HIDDEN.flatMap(atEveryDepth), censor: '(hidden)' },
    serializers: { err: describeError },
  })
}

function atEveryDepth(name: string): string[] {
  const member = `["${name}"]`
  return [member, `*${member}`, `*.*${member}`]
}

/** What is worth knowing of an error, without the rows and values that PostgreSQL puts into its own. */
export function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  if (!(error instanceof DatabaseError)) return pino.stdSerializers.err(error)
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
