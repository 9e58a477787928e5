import { once } from 'node:events'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, isAbsolute, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '../../errors/operator-errors.ts'
import { errorCode } from '../../errors/system-error.ts'
import { commandLineOf, isAlive, isOtherNodeProcess, sendSignal } from '../processes.ts'
import { ofAnotherUser } from './database-errors.ts'
import { socketFolderIn, socketIn } from './endpoint.ts'

/** A setting of ours on PostgreSQL's command line: the id of the server process that it belongs to. */
export const OWNER_SETTING = 'intercede.server_pid'
/** Milliseconds. */
const SHUTDOWN_TIMEOUT = 30_000
const POLL_INTERVAL = 20

/**
 * Makes sure that no PostgreSQL is using `cluster`. If one is, and the server it belongs to is alive, rejects with a
 * `StartupError`; if that server has exited, shuts PostgreSQL down cleanly.
 *
 * Then removes the lock files. PostgreSQL itself does not start if one is empty or damaged, or if the process id in it
 * belongs to any program or to a zombie, all of which a power cut may leave.
 */
export async function claimCluster(cluster: string): Promise<void> {
  const lock = await readLock(cluster)
  const postgres = lock === null ? null : await findPostgres(lock.pid, cluster)
  if (postgres !== null) {
    await rejectIfOwned(postgres, cluster)
    // On Windows a signal would kill the process, which may not even be PostgreSQL; pg_ctl deals with it at the start.
    if (process.platform === 'win32') return
    await shutDown(postgres.pid, cluster)
  }
  // A process that isn't visible from here, such as one in another container, still accepts connections.
  const usualSocket = socketIn(socketFolderIn(dirname(cluster)))
  for (const socket of new Set([lock?.socket ?? usualSocket, usualSocket]))
    await rejectIfListening(socket, cluster)
  await removeStale(join(cluster, 'postmaster.pid'), cluster)
  await removeStale(`${usualSocket}.lock`, cluster)
}

interface Lock {
  pid: number
  /** The port number in the socket's name, or the port of the loopback address. */
  port: number
  /** Folder of the socket; null if there is none. */
  socketFolder: string | null
  /** Path of the socket; null if there is none. */
  socket: string | null
}

/** Reads postmaster.pid, whose lines are: process, folder, start time, port, socket folder, … Null if it is damaged. */
export async function readLock(cluster: string): Promise<Lock | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = lockedPid(text)
  if (pid === null) return null
  const [, , , port, folder = ''] = text.split('\n')
  const socketFolder = isAbsolute(folder) && !folder.includes('\0') ? folder : null
  return {
    pid,
    port: Number(port ?? '5432'),
    socketFolder,
    socket: socketFolder === null ? null : join(socketFolder, `.s.PGSQL.${port ?? '5432'}`),
  }
}

/** The process id in a lock file of PostgreSQL, which is negative if it was started for a single user. */
function lockedPid(text: string): number | null {
  const [, digits] = /^-?(\d{1,10})\n/.exec(text) ?? []
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}

interface FoundPostgres {
  pid: number
  commandLine: string
}

/** Process ids are reused: the process is this folder's PostgreSQL only if it is one and works in this folder. */
async function findPostgres(pid: number, cluster: string): Promise<FoundPostgres | null> {
  const commandLine = await commandLineOfPostgres(pid, cluster)
  if (commandLine === null || !/(?:^|[/\\])postgres(?:\.exe)?(?=[ ":]|$)/.test(commandLine)) return null
  if (`${commandLine} `.includes(` -D ${cluster} `) || process.platform === 'win32')
    return { pid, commandLine }
  const current = await readlink(`/proc/${String(pid)}/cwd`).catch(() => null)
  const folder = await realpath(cluster).catch(() => cluster)
  return current === folder ? { pid, commandLine } : null
}

async function commandLineOfPostgres(pid: number, cluster: string): Promise<string | null> {
  if (process.platform !== 'win32') return await commandLineOf(pid)
  // Windows has no simple way to read it, but PostgreSQL stores how it was started.
  return isAlive(pid) ? await readFile(join(cluster, 'postmaster.opts'), 'utf8').catch(() => null) : null
}

/** Rejects if the server that started this PostgreSQL is alive, or if it was started in another way. */
async function rejectIfOwned({ pid, commandLine }: FoundPostgres, cluster: string): Promise<void> {
  const [, owner] = new RegExp(`${OWNER_SETTING.replace('.', '\\.')}=(\\d+)`).exec(commandLine) ?? []
  if (owner === undefined) throw inUse(cluster, `a PostgreSQL (process ${String(pid)})`)
  if (await isOtherNodeProcess(Number(owner))) throw inUse(cluster, `another Intercede (process ${owner})`)
}

function inUse(cluster: string, user: string): StartupError {
  return new StartupError(
    `The folder ${cluster} is in use by ${user}: stop that one first, or set DATA_DIR to another folder.`,
  )
}

async function shutDown(pid: number, cluster: string): Promise<void> {
  const deadline = Date.now() + SHUTDOWN_TIMEOUT
  sendSignal(pid, 'SIGINT')
  while ((await findPostgres(pid, cluster)) !== null) {
    if (Date.now() > deadline) {
      throw new StartupError(
        `The PostgreSQL that an earlier run left in ${cluster} (process ${String(pid)}) does not exit: stop it, then start again.`,
      )
    }
    await delay(POLL_INTERVAL)
  }
}

/** What connecting fails with where no process listens: the socket or its folder doesn't exist, or can't exist. */
const NOT_LISTENING: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ECONNREFUSED',
  'ENOTSOCK',
  'ENAMETOOLONG',
  'EINVAL',
])

/** Any other error may mean that a process listens and can't accept a connection at the moment. */
async function rejectIfListening(socket: string, cluster: string): Promise<void> {
  const connection = connect(socket)
  const code = await once(connection, 'connect').then(() => '', errorCode)
  connection.destroy()
  if (code === 'EACCES') throw ofAnotherUser(cluster)
  if (!NOT_LISTENING.has(code)) throw inUse(cluster, 'a PostgreSQL')
}

/** Another server may have started since the checks: then the lock file names its PostgreSQL, and stays. */
async function removeStale(file: string, cluster: string): Promise<void> {
  const pid = lockedPid(await readFile(file, 'utf8').catch(() => ''))
  const postgres = pid === null ? null : await findPostgres(pid, cluster)
  if (postgres !== null) throw inUse(cluster, `a PostgreSQL (process ${String(postgres.pid)})`)
  await rm(file, { force: true })
}
