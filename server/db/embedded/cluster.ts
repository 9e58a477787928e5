import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../../errors/operator-errors.ts'
import { errorCode } from '../../errors/system-error.ts'
import { syncFolder } from '../folders.ts'
import { damagedDatabase } from './database-errors.ts'
import { authenticationArguments, type Endpoint } from './endpoint.ts'
import type { NativeBinaries } from './native-binaries.ts'
import { commandAs, handOver, type OperatingUser } from './operating-user.ts'

/** The version in `native-binaries.ts`, which can't open the files of another one. */
const MAJOR_VERSION = '18'
export const SUPERUSER = 'postgres'
/** The name of an incomplete folder ends with this, `-` and six characters. */
const UNFINISHED = '.unfinished'

/** What is needed to create PostgreSQL's files. */
export interface ClusterPlan {
  /** PostgreSQL's data directory. */
  cluster: string
  endpoint: Endpoint
  binaries: NativeBinaries
  user: OperatingUser
}

/**
 * Makes sure that `cluster` is a complete data directory of our version. A new one is created beside its place and
 * moved there once it is complete and on disk, so an interruption leaves nothing incomplete there.
 */
export async function ensureCluster(plan: ClusterPlan): Promise<void> {
  const { cluster } = plan
  const version = await readVersion(cluster)
  if (version === MAJOR_VERSION) return
  if (version !== null && !/^\d\d$/.test(version))
    throw damagedDatabase(cluster, 'its file PG_VERSION is invalid')
  if (version !== null) {
    throw new StartupError(
      `The folder ${cluster} holds a database of PostgreSQL ${version}, and this is PostgreSQL ${MAJOR_VERSION}: ` +
        'with the version of Intercede that made it, run npm run backup -- FILE, then with this one and DATA_DIR set to ' +
        'a new folder, npm run restore -- FILE.',
    )
  }
  const files = await readFolder(cluster)
  if (files?.length === 0) {
    throw new StartupError(
      `The folder ${cluster} is empty, as if its database had been deleted: restore a backup into a new folder, with DATA_DIR set ` +
        'to it and npm run restore -- FILE, or remove the empty folder to begin with a new database.',
    )
  }
  if (files !== null) {
    throw new StartupError(
      `The folder ${cluster} holds files but no complete database: move it away, or set DATA_DIR to another folder.`,
    )
  }
  await removeUnfinished(cluster)
  await createCluster(plan)
}

async function readVersion(cluster: string): Promise<string | null> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  return text === null ? null : text.trim()
}

/** The names in a folder; null if there is none. */
async function readFolder(folder: string): Promise<string[] | null> {
  return await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
}

/** Removes what interrupted first starts left. If another process is creating one right now, its start fails. */
async function removeUnfinished(cluster: string): Promise<void> {
  const parent = dirname(cluster)
  const prefix = basename(cluster) + UNFINISHED
  const entries = await readdir(parent)
  const left = entries.filter((entry) => entry.startsWith(prefix))
  await Promise.all(left.map((entry) => rm(join(parent, entry), { recursive: true, force: true })))
}

async function createCluster(plan: ClusterPlan): Promise<void> {
  const unfinished = await mkdtemp(`${plan.cluster}${UNFINISHED}-`)
  await handOver(unfinished, plan.user)
  await runInitdb(unfinished, plan)
  await moveIntoPlace(unfinished, plan.cluster)
}

async function runInitdb(folder: string, { binaries, user, endpoint }: ClusterPlan): Promise<void> {
  const command = commandAs(user, binaries.initdb, [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    ...authenticationArguments(endpoint),
    '--no-instructions',
  ])
  try {
    await promisify(execFile)(command.file, command.args, {
      ...command.identity,
      cwd: '/',
      env: { PATH: process.env['PATH'], ...binaries.environment },
    })
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw new StartupError(`The database could not be created in ${dirname(folder)}: ${initdbError(cause)}`, {
      cause,
    })
  }
}

/** The last error that initdb printed; if it couldn't even be started, there is none. */
function initdbError(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  const lines = output.split('\n').filter((line) => line.includes('error:') || line.includes('FATAL'))
  return lines.at(-1) ?? (error instanceof Error ? error.message : String(error))
}

async function moveIntoPlace(unfinished: string, cluster: string): Promise<void> {
  try {
    await rename(unfinished, cluster)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another server may have been faster; `claimCluster` will then find its folder in use.
    if ((await readVersion(cluster)) === null) throw error
    return
  }
  await syncFolder(dirname(cluster))
}
