import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { fieldsOf } from '#shared/fields.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { findFreePort } from './db/free-port.ts'
import { migrate } from './db/migrations/migrate.ts'
import { openDatabase, requireDataRole, type Database } from './db/open-database.ts'
import { outageOf } from './errors/database-outage.ts'
import { StartupError } from './errors/operator-errors.ts'
import { loadTokenKeys } from './jwt/token-keys.ts'
import { PACKAGE_ROOT } from './package-root.ts'

export interface RunningServer {
  /** Where people open it. */
  siteUrl: string
  /** The public key that the web app sends with every request. */
  anonKey: string
  /** Lets requests that are under way finish, then ends the connections and the embedded database. */
  stop(): Promise<void>
}

export interface StartOptions {
  config: Config
  logger: Logger
}

/** Milliseconds for requests that are under way when the server stops. */
const REQUEST_PATIENCE = 4_000

/** Database, migrations, keys, application, port. When one of them fails, those before it are ended again. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const config = await settlePort(options.config)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    onConnectionLost: (err) => options.logger.warn({ err }, 'a connection to the database was lost'),
    onLogLine: (line) => logDatabase(options.logger, line),
    onRestartFailed: (err) => options.logger.error({ err }, 'the database could not be started again yet'),
  })
  try {
    const { app, anonKey } = await serve(config, database, options.logger)
    return {
      siteUrl: config.siteUrl,
      anonKey,
      stop: async () => {
        await closeApp(app)
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw refusalOfDatabase(error)
  }
}

interface ServedApp {
  app: FastifyInstance
  anonKey: string
}

async function serve(config: Config, database: Database, logger: Logger): Promise<ServedApp> {
  const { pool, dataPool } = database
  const applied = await migrate(pool, PACKAGE_ROOT)
  await requireDataRole(dataPool)
  if (applied.length > 0) logger.info({ applied }, 'the database was migrated')
  const clock = { now: () => new Date() }
  const keys = await loadTokenKeys(pool, config, clock.now())
  const metrics = new Registry()
  const app = await buildApp({ config, pool, dataPool, keys, clock, logger, metrics }, findWebRoot())
  try {
    await app.listen({ port: config.port, host: config.host })
    return { app, anonKey: keys.anonKey }
  } catch (error) {
    await app.close()
    throw refusalToListen(error, config)
  }
}

/** Port 0 means any: it has to be known before the first page is made, which names the address. */
async function settlePort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await findFreePort(config.host)
  const siteUrl =
    config.siteUrl === 'http://localhost:0' ? `http://localhost:${String(port)}` : config.siteUrl
  return { ...config, port, siteUrl }
}

function findWebRoot(): string | null {
  const folder = join(PACKAGE_ROOT, 'dist', 'web')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

/** A database may go away after it was found, as one that is being restarted does. */
function refusalOfDatabase(error: unknown): unknown {
  const trouble = outageOf(error)
  if (trouble === null || !(error instanceof Error)) return error
  return new StartupError(
    `The database went away while Intercede started (${error.message}): start it again when the database is back.`,
    { cause: error },
  )
}

function refusalToListen(error: unknown, { port, host }: Config): unknown {
  switch (fieldsOf(error)['code']) {
    case 'EADDRINUSE':
      return new StartupError(
        `PORT is ${String(port)}, which another program is using: end that one, or set PORT to another number.`,
      )
    case 'EACCES':
      return new StartupError(
        `PORT is ${String(port)}, which this user may not listen on: set PORT to a number above 1023.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(
        `HOST is "${host}", which is no address of this machine: set HOST to 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return error
  }
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), REQUEST_PATIENCE)
  await app.close()
  clearTimeout(timer)
}

function logDatabase(logger: Logger, line: string): void {
  const log = /\b(?:FATAL|PANIC):/.test(line) ? logger.error.bind(logger) : logger.debug.bind(logger)
  log({ postgres: line }, 'database log')
}
