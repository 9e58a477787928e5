import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartupError } from '../../errors/operator-errors.ts'
import { errorCode } from '../../errors/system-error.ts'

/** A setting of ours on PostgreSQL's command line: the id of the server process that it belongs to. */
export const OWNER_SETTING = 'intercede.server_pid'
/** Milliseconds. */
const SHUTDOWN_TIMEOUT = 30_000
const POLL_INTERVAL = 20

/**
 * Makes sure that no PostgreSQL is using `cluster`. If one is, and the server it belongs to is alive, rejects with a
 * `StartupError`; if that server has exited, shuts PostgreSQL down cleanly. A stale lock file is removed.
 */
export async function claimCluster(cluster: string): Promise<void> {
  const lock = await readLock(cluster)
  if (lock === null) return
  const commandLine = await commandLineOf(lock.pid, cluster)
  if (commandLine !== null && (await worksIn(lock.pid, commandLine, cluster))) {
    const owner = ownerOf(commandLine)
    if (owner === null || isAlive(owner)) throw inUse(cluster, owner, lock.pid)
    // On Windows a signal would kill the process, which may not even be PostgreSQL; pg_ctl deals with it at the start.
    if (process.platform !== 'win32') await shutDown(lock.pid, cluster)
    return
  }
  // A process that isn't visible from here, such as one in another container, still accepts connections.
  if (await acceptsConnections(lock.socket)) throw inUse(cluster, null, lock.pid)
  await rm(join(cluster, 'postmaster.pid'), { force: true })
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

/** Reads postmaster.pid, whose lines are: process, folder, start time, port, socket folder, … */
export async function readLock(cluster: string): Promise<Lock | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null)
  if (text === null) return null
  const [pid, , , port, folder] = text.split('\n')
  if (!Number.isInteger(Number(pid)) || Number(pid) <= 0) return null
  return {
    pid: Number(pid),
    port: Number(port ?? '5432'),
    socketFolder: folder === undefined || folder === '' ? null : folder,
    socket: folder === undefined || folder === '' ? null : join(folder, `.s.PGSQL.${port ?? '5432'}`),
  }
}

async function commandLineOf(pid: number, cluster: string): Promise<string | null> {
  if (!isAlive(pid)) return null
  // Windows has no simple way to read it, but PostgreSQL stores how it was started.
  if (process.platform === 'win32')
    return await readFile(join(cluster, 'postmaster.opts'), 'utf8').catch(() => null)
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => null)
    return text === null ? null : text.split('\0').join(' ')
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'args=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return stdout.trim() === '' ? null : stdout.trim()
}

/** Process ids are reused: the process is this folder's PostgreSQL only if it works in this folder. */
async function worksIn(pid: number, commandLine: string, cluster: string): Promise<boolean> {
  const folder = await realpath(cluster)
  if (commandLine.includes(folder)) return commandLine.includes('postgres')
  const current = await readlink(`/proc/${String(pid)}/cwd`).catch(() => null)
  return current === folder
}

function ownerOf(commandLine: string): number | null {
  const match = new RegExp(`${OWNER_SETTING.replace('.', '\\.')}=(\\d+)`).exec(commandLine)
  return match === null ? null : Number(match[1])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function inUse(cluster: string, owner: number | null, postgres: number): StartupError {
  const user =
    owner === null
      ? `a PostgreSQL (process ${String(postgres)})`
      : `another Intercede (process ${String(owner)})`
  return new StartupError(
    `The folder ${cluster} is in use by ${user}: stop that one first, or set DATA_DIR to another folder.`,
  )
}

async function shutDown(pid: number, cluster: string): Promise<void> {
  const deadline = Date.now() + SHUTDOWN_TIMEOUT
  sendSignal(pid, 'SIGINT')
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new StartupError(
        `The PostgreSQL that an earlier run left in ${cluster} (process ${String(pid)}) does not exit: stop it, then start again.`,
      )
    }
    await delay(POLL_INTERVAL)
  }
}

/** Sends a signal to a process that may have exited in the meantime. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

function acceptsConnections(socket: string | null): Promise<boolean> {
  if (socket === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const connection = connect(socket)
    const settle = (isConnected: boolean) => {
      connection.destroy()
      resolve(isConnected)
    }
    connection.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}
