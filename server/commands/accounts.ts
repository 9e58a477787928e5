import { createInterface } from 'node:readline'
import type { Pool } from 'pg'
import type { AdminServices } from '../auth/administration-log.ts'
import { createMailer } from '../mail/mailers.ts'
import { withExistingDatabase } from '../backup/connect.ts'
import { readConfig } from '../config.ts'
import { connectionErrorMessage } from '../db/connection-errors.ts'
import { createPool } from '../db/pool.ts'
import { ApiError } from '../errors/api-error.ts'
import { CommandError } from '../errors/operator-errors.ts'
import { createLogger } from '../logger.ts'
import { runAccountCommand } from './account-commands.ts'
import { fail } from './command-line.ts'

/** Asks on the terminal, beside the output. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question)
  const lines: AsyncIterable<string> = createInterface({ input: process.stdin })
  for await (const line of lines) return line
  return ''
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function warn(text: string): void {
  process.stderr.write(`${text}\n`)
}

const IS_MIGRATED = `select to_regclass('intercede.account_actions') is not null as yes`

async function requireMigrated(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ yes: boolean }>(IS_MIGRATED).catch((cause: unknown) => {
    throw new CommandError(`The database can't be reached: ${connectionErrorMessage(cause)}.`, { cause })
  })
  if (rows[0]?.yes === true) return
  throw new CommandError('The database is that of an older version, or empty: start the server once.')
}

/** Calls `work` with the configured database, which a running server may be using. */
async function withServices<Value>(work: (services: AdminServices) => Promise<Value>): Promise<Value> {
  const config = readConfig(process.env)
  return withExistingDatabase(config, async (url) => {
    const pool = createPool({ url, isPooler: config.dataDatabaseUrl !== null, max: 1 })
    const clock = { now: () => new Date() }
    const logger = createLogger('silent')
    const mailer = createMailer({ config, clock, logger })
    try {
      await requireMigrated(pool)
      return await work({ config, pool, clock, logger, mailer })
    } finally {
      mailer.close()
      await pool.end()
    }
  })
}

/** `npm run accounts -- COMMAND`. */
runAccountCommand(process.argv.slice(2), { ask, print, warn, withServices }).then(
  ({ isIncomplete }) => process.exit(isIncomplete ? 1 : 0),
  (error: unknown) => fail(error instanceof ApiError ? new CommandError(error.message) : error),
)
