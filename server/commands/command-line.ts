import { resolve } from 'node:path'
import { BackupError, CommandError, StartupError } from '../errors/operator-errors.ts'
import type { BackupContents } from '../backup/read-backup.ts'

/**
 * Runs a command that takes a file name and resolves to the text to print, and ends the process with 0 or 1. Expected
 * errors are printed as one sentence, others with their stack. `usage` is how npm is asked for it.
 */
export function runFileCommand(
  usage: string,
  args: readonly string[],
  work: (file: string) => Promise<string>,
): void {
  const [file, ...rest] = args
  if (file === undefined || file === '' || file.startsWith('-') || rest.length > 0) {
    fail(new BackupError(`Name one file: npm run ${usage}`))
    return
  }
  // npm runs scripts in the package's folder; INIT_CWD is the folder in which it was called.
  work(resolve(process.env['INIT_CWD'] ?? '', file)).then((text) => {
    process.stdout.write(`${text}\n`)
    process.exit(0)
  }, fail)
}

/** Aborted by the first SIGINT (Ctrl+C) or SIGTERM, and by SIGHUP, which may follow them when a terminal or npm ends. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  process.on('SIGHUP', () => controller.abort())
  return controller.signal
}

/** A summary from which the operator can judge whether the backup is complete. */
export function describeContents({ header, footer }: BackupContents): string {
  const rowsOf = (schema: string, name: string) =>
    footer.rows[header.tables.findIndex((table) => table.schema === schema && table.name === name)] ?? 0
  const total = footer.rows.reduce((sum, rows) => sum + rows, 0)
  return (
    `${counted(rowsOf('auth', 'users'), 'account', 'accounts')}, ` +
    `${counted(rowsOf('public', 'categories'), 'category', 'categories')} and ` +
    `${counted(rowsOf('public', 'prayers'), 'prayer', 'prayers')} ` +
    `(${counted(total, 'row', 'rows')} in ${counted(header.tables.length, 'table', 'tables')})`
  )
}

function counted(number: number, singular: string, plural: string): string {
  return `${String(number)} ${number === 1 ? singular : plural}`
}

/** Ends the process with 1. Expected errors are printed as they are, others with their stack. */
export function fail(error: unknown): void {
  process.stderr.write(`${describeError(error)}\n`)
  process.exit(1)
}

function describeError(error: unknown): string {
  const isExpected =
    error instanceof BackupError || error instanceof CommandError || error instanceof StartupError
  if (isExpected) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
