import { resolve } from 'node:path'
import { BackupError, StartupError } from '../errors/operator-errors.ts'
import type { BackupContents } from './read-backup.ts'

/**
 * Runs a command that takes one file, and ends the process with 0 or 1. What goes wrong is told in a sentence where
 * the reason is known.
 */
export function runFileCommand(
  name: string,
  args: readonly string[],
  work: (file: string) => Promise<string>,
): void {
  const [file, ...rest] = args
  if (file === undefined || file === '' || file.startsWith('-') || rest.length > 0) {
    giveUp(new BackupError(`One file is to be named: npm run ${name} -- FILE`))
    return
  }
  // npm works in the folder of the package; INIT_CWD is where it was called.
  work(resolve(process.env['INIT_CWD'] ?? '', file)).then((sentence) => {
    process.stdout.write(`${sentence}\n`)
    process.exit(0)
  }, giveUp)
}

/** Aborted by the first Ctrl+C, or when the process is told to end. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

/** How much of what, for a person to see whether it can be right. */
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

function counted(number: number, one: string, many: string): string {
  return `${String(number)} ${number === 1 ? one : many}`
}

function giveUp(error: unknown): void {
  const known = error instanceof BackupError || error instanceof StartupError
  const reason = known
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error)
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
