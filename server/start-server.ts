import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { requireDataRole } from './db/data-role.ts'
import { type ReservedPort, reservePort } from './db/free-port.ts'
import { migrate } from './db/migrations/migrate.ts'
import { openDatabase, type Database } from './db/open-database.ts'
import { outageOf } from './errors/database-outage.ts'
import { StartupError } from './errors/operator-errors.ts'
import { errorCode } from './errors/system-error.ts'
import { loadTokenKeys } from './jwt/token-keys.ts'
import { PACKAGE_ROOT } from './package-root.ts'
import { scheduleReminders } from './reminders/scheduler.ts'
import { createBackgroundWork } from './services.ts'

export interface RunningServer {
  /** The address that users open. */
  siteUrl: string
  /** Lets requests in progress finish, then closes the connections and stops the embedded database. */
  stop(): Promise<void>
}

export interface StartOptions {
  config: Config
  logger: Logger
}

/** Starts database, application and port, in this order. If one of them fails, those before it are closed again. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { logger } = options
  const reserved = options.config.port === 0 ? await reservePort(options.config.host) : null
  const config = reserved === null ? options.config : withPort(options.config, reserved.port)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDatabaseUrl: config.dataDatabaseUrl,
    dataDir: config.dataDir,
    onConnectionLost: (err) => logger.warn({ err }, 'a connection to the database was lost'),
    onLogLine: (line) => logDatabase(logger, line),
    onRestartFailed: (err) => logger.error({ err }, 'the embedded database could not be restarted'),
  })
  try {
    const app = await serve({ config, database, logger, reserved })
    return {
      siteUrl: config.siteUrl,
      stop: async () => {
        await app.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw explainDatabaseOutage(error)
  }
}

interface ServeOptions extends StartOptions {
  database: Database
  /** The port, if it was chosen by the system. */
  reserved: ReservedPort | null
}

async function serve({ config, database, logger, reserved }: ServeOptions): Promise<FastifyInstance> {
  const { pool, dataPool, dataRole } = database
  const applied = await migrate(pool, PACKAGE_ROOT, dataRole)
  await requireDataRole(dataPool, dataRole)
  if (applied.length > 0) logger.info({ applied }, 'the database was migrated')
  const clock = { now: () => new Date() }
  const keys = await loadTokenKeys(pool, config, clock.now())
  const metrics = new Registry()
  const services = {
    config,
    pool,
    dataPool,
    keys,
    clock,
    logger,
    background: createBackgroundWork(),
    metrics,
  }
  const app = await buildApp(services, findWebRoot())
  scheduleReminders(app, services)
  try {
    await reserved?.release()
    await app.listen({ port: config.port, host: config.host })
    return app
  } catch (error) {
    await app.close()
    throw explainListenError(error, config)
  }
}

/** Replaces port 0 before the app is built, because the page contains the address. */
function withPort(config: Config, port: number): Config {
  const siteUrl =
    config.siteUrl === 'http://localhost:0' ? `http://localhost:${String(port)}` : config.siteUrl
  return { ...config, port, siteUrl }
}

function findWebRoot(): string | null {
  const folder = join(PACKAGE_ROOT, 'dist', 'web')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

/** The database may become unavailable after it was opened, for example because it is restarted. */
function explainDatabaseOutage(error: unknown): unknown {
  if (!(error instanceof Error) || outageOf(error) === null) return error
  return new StartupError(
    `The connection to the database was lost while Intercede started (${error.message}): start it again when the database is back.`,
    { cause: error },
  )
}

function explainListenError(error: unknown, { port, host }: Config): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartupError(
        `PORT is ${String(port)}, but another program is using it: stop that program, or set PORT to another number.`,
      )
    case 'EACCES':
      return new StartupError(
        `PORT is ${String(port)}, but this user may not listen on it: set PORT to a number above 1023.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(
        `HOST is "${host}", but this machine does not have that address: set HOST to 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return error
  }
}

function logDatabase(logger: Logger, line: string): void {
  const level = /\b(?:FATAL|PANIC):/.test(line) ? 'error' : 'debug'
  logger[level]({ postgres: line }, 'database log')
}
