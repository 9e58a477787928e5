import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { StartupError } from '../../errors/operator-errors.ts'
import { makePrivateFolder } from '../folders.ts'
import { claimCluster, readLock } from './cluster-lock.ts'
import { ensureCluster, SUPERUSER } from './cluster.ts'
import { explainLog } from './database-errors.ts'
import { endpointUrl, makeLoopback, makeSocket, passwordFileIn, type Endpoint } from './endpoint.ts'
import { findNativeBinaries } from './native-binaries.ts'
import { chooseOperatingUser, handOver } from './operating-user.ts'
import { keepRunning, launch } from './postgres-process.ts'
import { SERVER_SETTINGS, type LaunchPlan } from './supervisor.ts'

export interface EmbeddedPostgresOptions {
  /** Absolute path of the folder that the database is in, or is created in. */
  dataDir: string
  /** Settings that replace `SERVER_SETTINGS`. */
  settings?: Readonly<Record<string, string>>
  /** Listen on a port of the loopback address; by default only where there are no unix sockets. */
  loopback?: boolean
  /** Called with each line that PostgreSQL logs. */
  onLogLine?: (line: string) => void
  /** Called when an attempt to restart PostgreSQL, which had exited by itself, failed. */
  onRestartFailed?: (error: unknown) => void
}

export interface EmbeddedPostgres {
  /** URL of the database, for the role that owns it. */
  url: string
  /** URL of the same database for the superuser. */
  superuserUrl: string
  stop(): Promise<void>
}

const DATABASE = 'intercede'
const OWNER = 'intercede'
/** Milliseconds for a fast shutdown. */
const SHUTDOWN_TIMEOUT = 6_000

/**
 * Starts the PostgreSQL that comes with Intercede in `dataDir`/postgres, which is created if necessary. It listens on a
 * unix socket only, stops when this process ends for any reason, and is restarted if it exits by itself.
 * Rejects with a `StartupError` if the folder can't be used.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const plan = await prepare(options).catch((error: unknown) => {
    throw folderError(error, options.dataDir)
  })
  const running = await keepRunning(() => launch(plan), {
    shutdownTimeout: SHUTDOWN_TIMEOUT,
    onRestartFailed: options.onRestartFailed ?? (() => {}),
  })
  try {
    await prepareDatabase(plan)
    return {
      url: endpointUrl(plan.endpoint, OWNER, DATABASE),
      superuserUrl: endpointUrl(plan.endpoint, SUPERUSER, DATABASE),
      stop: () => running.stop(),
    }
  } catch (error) {
    await running.stop()
    throw error instanceof DatabaseError ? explainLog(plan.cluster, error.message) : error
  }
}

/**
 * URL of the database in `dataDir`, for the role that owns it, if a server is running on it and accepts connections;
 * otherwise null.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null)
  if (folder === null) return null
  const cluster = join(folder, 'postgres')
  const endpoint = await readEndpoint(folder, cluster)
  if (endpoint === null || !(await isServing(endpoint, cluster))) return null
  return endpointUrl(endpoint, OWNER, DATABASE)
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

/** All system calls while preparing concern the chosen folder. */
function folderError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error
  return new StartupError(`The folder ${dataDir} (DATA_DIR) can't be used: ${error.message}`, {
    cause: error,
  })
}

/** Confirms that the server uses this folder, and creates role and database at the first start. */
async function prepareDatabase({ cluster, endpoint }: LaunchPlan): Promise<void> {
  const client = new Client({ connectionString: endpointUrl(endpoint, SUPERUSER, 'postgres') })
  await client.connect()
  try {
    const folder = await readDataDirectory(client)
    if (folder !== cluster) {
      throw new StartupError(
        `Another PostgreSQL, which uses ${folder}, responded instead of the one in ${cluster}.`,
      )
    }
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await createDatabase(client, endpoint.kind === 'loopback' ? endpoint.password : '')
  } finally {
    await client.end()
  }
}

async function readDataDirectory(client: Client): Promise<string> {
  const { rows } = await client.query<{ folder: string }>(
    `select current_setting('data_directory') as folder`,
  )
  return resolve(rows[0]?.folder ?? '')
}

/** The owner is not a superuser, so a vulnerability of the server doesn't give access to the machine. */
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

/** An interrupted first start may have created the role and not the database. */
async function createDatabase(client: Client, password: string): Promise<void> {
  await client.query(`select set_config('intercede.password', $1, false)`, [password])
  await client.query(CREATE_OWNER)
  await client.query(CREATE_DATABASE)
}

/** Where the PostgreSQL that wrote the lock file listens, or listened if it was killed. */
async function readEndpoint(dataDir: string, cluster: string): Promise<Endpoint | null> {
  const lock = await readLock(cluster)
  if (lock === null) return null
  const { port, socketFolder } = lock
  if (socketFolder !== null) return { kind: 'socket', folder: socketFolder, temporary: false }
  const passwordFile = passwordFileIn(dataDir)
  const password = await readFile(passwordFile, 'utf8').catch(() => null)
  return password === null ? null : { kind: 'loopback', port, password, passwordFile }
}

/** Whether the server there uses `cluster`; by now it may be another one. */
async function isServing(endpoint: Endpoint, cluster: string): Promise<boolean> {
  const client = new Client({ connectionString: endpointUrl(endpoint, SUPERUSER, 'postgres') })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await readDataDirectory(client)) === cluster
  } catch {
    return false
  } finally {
    await client.end()
  }
}
