import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { StartupError } from '../../errors/operator-errors.ts'
import { ensureCluster, SUPERUSER } from './cluster.ts'
import { endpointUrl, makeLoopback, makeSocket } from './endpoint.ts'
import { claimCluster } from './folder-owner.ts'
import { findNativeBinaries } from './native-binaries.ts'
import { chooseOperatingUser, handOver } from './operating-user.ts'
import { launch } from './server-process.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { makePrivateFolder } from '../private-folder.ts'
import { SERVER_SETTINGS } from './server-settings.ts'
import { keepRunning } from './keep-running.ts'

export interface EmbeddedPostgresOptions {
  /** Absolute path of the folder that holds, or is to hold, the database. */
  dataDir: string
  /** Settings that replace those of `server-settings.ts`. */
  settings?: Readonly<Record<string, string>>
  /** Listen on a port of the loopback address; by default only where there are no unix sockets. */
  loopback?: boolean
  /** Told what PostgreSQL logs. */
  onLogLine?: (line: string) => void
  /** Told why PostgreSQL, which ended by itself, could not be started again yet. */
  onRestartFailed?: (error: unknown) => void
}

export interface EmbeddedPostgres {
  /** URL of the database, for the role that owns it. */
  url: string
  /** URL of the same database for the superuser. */
  superuserUrl: string
  stop(): Promise<void>
}

export const DATABASE = 'intercede'
export const OWNER = 'intercede'
/** Milliseconds for a fast shutdown. */
const SHUTDOWN_PATIENCE = 6_000

/**
 * Starts the PostgreSQL that comes with Intercede on `dataDir`/postgres, made if need be. It listens on a unix socket
 * only, ends with this process however that ends, and is started again if it ends by itself.
 * Rejects with a `StartupError` when the folder can't be used.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const plan = await prepare(options).catch((error: unknown) => {
    throw refusalOfFolder(error, options.dataDir)
  })
  const running = await keepRunning(() => launch(plan), {
    patience: SHUTDOWN_PATIENCE,
    onRestartFailed: options.onRestartFailed ?? (() => {}),
  })
  try {
    const urls = {
      url: endpointUrl(plan.endpoint, OWNER, DATABASE),
      superuserUrl: endpointUrl(plan.endpoint, SUPERUSER, DATABASE),
    }
    await prepareDatabase(plan)
    return { ...urls, stop: () => running.stop() }
  } catch (error) {
    await running.stop()
    throw error
  }
}

async function prepare(options: EmbeddedPostgresOptions): Promise<LaunchPlan> {
  await makePrivateFolder(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const cluster = join(dataDir, 'postgres')
  const binaries = await findNativeBinaries(join(dataDir, 'postgres-libraries'))
  await claimCluster(cluster)
  const user = await chooseOperatingUser({ program: binaries.postgres, dataDir, cluster })
  const endpoint = await ((options.loopback ?? process.platform === 'win32')
    ? makeLoopback(dataDir)
    : makeSocket(dataDir))
  await handOver(endpoint.kind === 'socket' ? endpoint.folder : endpoint.passwordFile, user)
  await ensureCluster({ cluster, endpoint, binaries, user })
  const settings = { ...SERVER_SETTINGS, ...options.settings }
  return { cluster, endpoint, binaries, user, settings, onLogLine: options.onLogLine ?? (() => {}) }
}

/** Whatever the system refuses while preparing is refused below the folder that was chosen. */
function refusalOfFolder(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return new StartupError(`The folder ${dataDir} (DATA_DIR) can't be used: ${error.message}`, {
    cause: error,
  })
}

/** Confirms that the answering server is the one for this folder, and makes role and database at the first start. */
async function prepareDatabase({ cluster, endpoint }: LaunchPlan): Promise<void> {
  const client = new Client({ connectionString: endpointUrl(endpoint, SUPERUSER, 'postgres') })
  await client.connect()
  try {
    const { rows } = await client.query<{ folder: string; exists: boolean }>({
      text: `select current_setting('data_directory') as folder,
                    exists (select from pg_database where datname = $1) as exists`,
      values: [DATABASE],
    })
    const [found] = rows
    if (found === undefined) throw new Error('PostgreSQL did not answer.')
    if (resolve(found.folder) !== cluster) {
      throw new StartupError(`The PostgreSQL that answered works in ${found.folder}, not in ${cluster}.`)
    }
    if (!found.exists) await createDatabase(client, endpoint.kind === 'loopback' ? endpoint.password : '')
  } finally {
    await client.end()
  }
}

/** The owner is no superuser, so that a hole in the server is not one in the machine. */
const CREATE_OWNER = `
  do $$
  begin
    if not exists (select from pg_roles where rolname = 'intercede') then
      create role intercede login createrole;
    end if;
    execute format('alter role intercede password %L', nullif(current_setting('intercede.password'), ''));
  end
  $$`
const CREATE_DATABASE = 'create database intercede owner intercede'

/** An interruption may have left the role without the database. */
async function createDatabase(client: Client, password: string): Promise<void> {
  await client.query(`select set_config('intercede.password', $1, false)`, [password])
  await client.query(CREATE_OWNER)
  await client.query(CREATE_DATABASE)
}
