import { createLogger } from './logger.ts'
import { readConfig } from './config.ts'
import { StartupError } from './errors/operator-errors.ts'
import { startServer, type RunningServer } from './start-server.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** Ctrl+C under npm arrives twice, from the terminal and from npm; that is not impatience. */
const ECHO_MILLISECONDS = 500

/** Starts the server and ends the process with it. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  // Whoever reads it may be gone, and the disk it goes to full: that ends no server.
  process.stdout.on('error', () => {})
  const logger = createLogger(config.logLevel)
  process.on('uncaughtException', (err) => {
    logger.fatal({ err }, 'an error that nobody expected')
    process.exit(1)
  })
  const starting = startServer({ config, logger })
  stopOnSignal(starting)
  const server = await starting
  process.stdout.write(`Intercede is ready at ${server.siteUrl}\n`)
}

/** The first signal stops in good order, at once or when the start is through; a second one does not wait. */
function stopOnSignal(starting: Promise<RunningServer>): void {
  let stoppingSince: number | null = null
  const stop = async (): Promise<void> => {
    const server = await starting.catch(() => null)
    // A start that failed has said so itself.
    if (server === null) return
    await server.stop()
    process.exit(0)
  }
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (stoppingSince === null) {
        stoppingSince = Date.now()
        stop().catch(giveUp)
      } else if (Date.now() - stoppingSince > ECHO_MILLISECONDS) process.exit(1)
    })
  }
}

/** One sentence where the reason is known; the database that we started ends by itself when we do. */
function giveUp(error: unknown): void {
  const reason = error instanceof StartupError ? error.message : `Intercede stopped: ${describe(error)}`
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

main().catch(giveUp)
