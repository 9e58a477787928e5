import { readConfig } from './config.ts'
import { StartupError } from './errors/operator-errors.ts'
import { createLogger } from './logger.ts'
import { startServer, type RunningServer } from './start-server.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** With npm, Ctrl+C sends two signals, one from the terminal and one from npm. Only a later one is a second request. */
const DUPLICATE_SIGNAL_MILLISECONDS = 500

/** Starts the server, and ends the process with it. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  // The program that reads the log may have exited, or the disk may be full: neither ends the server.
  process.stdout.on('error', () => {})
  const logger = createLogger(config.logLevel)
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'the server crashed')
    process.exit(1)
  })
  const starting = startServer({ config, logger })
  stopOnSignal(starting)
  const server = await starting
  process.stdout.write(`Intercede is ready at ${server.siteUrl}\n`)
}

/** The first signal stops the server cleanly, during the start as soon as that is complete; a second one at once. */
function stopOnSignal(starting: Promise<RunningServer>): void {
  let stoppingSince: number | null = null
  const stop = async (): Promise<void> => {
    const server = await starting.catch(() => null)
    // `main` reports a failed start.
    if (server === null) return
    await server.stop()
    process.exit(0)
  }
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === null) {
        stoppingSince = Date.now()
        stop().catch(exitWithError)
      } else if (Date.now() - stoppingSince > DUPLICATE_SIGNAL_MILLISECONDS) process.exit(1)
    })
  }
}

/** Known reasons are one sentence, without a stack trace. The embedded database stops when this process ends. */
function exitWithError(error: unknown): void {
  const reason = error instanceof StartupError ? error.message : `Intercede stopped: ${describe(error)}`
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch(exitWithError)
