import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { fieldsOf } from '#shared/fields.ts'
import { StartupError } from '../../errors/operator-errors.ts'
import { OWNER_SETTING } from './server-settings.ts'

const SHUTDOWN_PATIENCE = 30_000
const POLL_INTERVAL = 20

/**
 * Makes sure that no PostgreSQL is using `cluster`. One whose server is alive is left alone and the start refused; one
 * whose server is gone is shut down in good order; the lock of one that is itself gone is removed.
 */
export async function claimCluster(cluster: string): Promise<void> {
  const lock = await readLock(cluster)
  if (lock === null) return
  const commandLine = await commandLineOf(lock.pid, cluster)
  if (commandLine !== null && (await worksIn(lock.pid, commandLine, cluster))) {
    const owner = ownerOf(commandLine)
    if (owner === null || isAlive(owner)) throw inUse(cluster, owner, lock.pid)
    // Windows has no signal that asks, and no proof that this process is still PostgreSQL: pg_ctl finds out.
    if (process.platform !== 'win32') await shutDown(lock.pid, cluster)
    return
  }
  // A process that we can't see, as in another container, still answers on its socket.
  if (await answers(lock.socket)) throw inUse(cluster, null, lock.pid)
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

interface Lock {
  pid: number
  /** Of the socket's name, or of the loopback address. */
  port: number
  /** Folder of the socket; null where none is used. */
  socketFolder: string | null
  /** Path of the socket; null where none is used. */
  socket: string | null
}

/** Lines of postmaster.pid: process, folder, start, port, socket folder, … */
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

/** The process id of the PostgreSQL that holds the folder, if any. */
export async function readServerPid(cluster: string): Promise<number | null> {
  return (await readLock(cluster))?.pid ?? null
}

async function commandLineOf(pid: number, cluster: string): Promise<string | null> {
  if (!isAlive(pid)) return null
  // Windows doesn't tell; PostgreSQL has written down how it was started.
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

/** A process id is soon given to another program: only one that works in this very folder is its PostgreSQL. */
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
    return fieldsOf(error)['code'] === 'EPERM'
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
  const deadline = Date.now() + SHUTDOWN_PATIENCE
  signal(pid, 'SIGINT')
  while (isAlive(pid)) {
    if (Date.now() > deadline) {
      throw new StartupError(
        `The PostgreSQL that an earlier run left in ${cluster} (process ${String(pid)}) doesn't end: end it, then start again.`,
      )
    }
    await delay(POLL_INTERVAL)
  }
}

/** Sends a signal to a process that may have ended by itself in the meantime, as one does that is being shut down. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (fieldsOf(error)['code'] !== 'ESRCH') throw error
  }
}

function answers(socket: string | null): Promise<boolean> {
  if (socket === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const connection = connect(socket)
    const settle = (answered: boolean) => {
      connection.destroy()
      resolve(answered)
    }
    connection.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}
