import { readConfig } from './config.ts'
import { StartupError } from './errors/operator-errors.ts'
import { createLogger } from './logger.ts'
import type { RunningServer } from './start-server.ts'

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** With npm, Ctrl+C sends two signals, one from the terminal and one from npm. Only a later one is a second request. */
const DUPLICATE_SIGNAL_MILLISECONDS = 500

/** Starts the server, and ends the process with it. */
async function main(): Promise<void> {
  requireAddressSpace()
  const config = readConfig(process.env)
  // The program that reads the log may have exited, or the disk may be full: neither ends the server.
  process.stdout.on('error', () => {})
  const logger = createLogger(config.logLevel)
  process.on('uncaughtException', (err) => {
    if (isOutOfAddressSpace(err)) exitWithError(addressSpaceError(err))
    logger.fatal({ err }, 'the server crashed')
    process.exit(1)
  })
  // Loaded after the check above, because its libraries end the process where there is too little address space.
  const starting = import('./start-server.ts').then(({ startServer }) => startServer({ config, logger }))
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
        return
      }
      // When a terminal is closed, or npm has ended, SIGHUP may follow another signal: no one has asked again.
      if (signal !== 'SIGHUP' && Date.now() - stoppingSince > DUPLICATE_SIGNAL_MILLISECONDS) process.exit(1)
    })
  }
}

/** Part of Node.js 20, but not of its types. */
declare const WebAssembly: { Memory: new (size: { initial: number }) => unknown }

/**
 * Throws a `StartupError` if a limit on address space leaves too little for Node.js, which reserves about 10 GB of it, without
 * using them, for each memory of WebAssembly. Its HTTP client has one.
 */
function requireAddressSpace(): void {
  try {
    void new WebAssembly.Memory({ initial: 1 })
  } catch (cause) {
    throw addressSpaceError(cause)
  }
}

/** Other parts of the server may have taken the last of it since the check at the start. */
function isOutOfAddressSpace(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith('WebAssembly.')
}

function addressSpaceError(cause: unknown): StartupError {
  return new StartupError(
    'There is too little address space for Node.js: remove its limit (ulimit -v, LimitAS= in a unit of systemd), or set it to ' +
      '16 GB or more.',
    { cause },
  )
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
