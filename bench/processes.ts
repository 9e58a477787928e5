import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A Node.js process that has reported that it is ready. */
export interface RunningProcess {
  pid: number
  /** The address that it printed. */
  url: string
  /** Milliseconds from its start until it was ready. */
  readyAfter: number
  /** Stops it as Ctrl+C does. Rejects when it had exited before, or exits with an error. */
  stop(): Promise<void>
}

/** Starts a process and waits for the line that `ready` matches; its first group is the address. */
export async function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<RunningProcess> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${args.join(' ')} could not be started.`)
  killOnExit(child)
  const url = await readUntil(child, ready)
  return { pid, url, readyAfter: performance.now() - started, stop: () => stop(child) }
}

function killOnExit(child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
}

/** Keeps reading afterwards: a full pipe would block the process. */
function readUntil(child: ChildProcess, ready: RegExp): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000)
      const url = ready.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`A measured process exited:\n${output}`)))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  if (!child.kill('SIGTERM')) throw new Error('A measured process had exited by itself.')
  await exited
  const { exitCode, signalCode } = child
  if (exitCode !== 0 && signalCode !== 'SIGTERM') {
    throw new Error(`A measured process exited with ${String(exitCode ?? signalCode)}.`)
  }
}

const SERVER_READY = /^Intercede is ready at http:\/\/localhost:(\d+)$/m
/** What `npm start` runs. */
export const START = join(import.meta.dirname, '../scripts/start.mjs')

/**
 * Starts Intercede as `npm start` does, on any free port, without rate limits. Without DATABASE_URL it uses the embedded
 * PostgreSQL in DATA_DIR.
 */
export async function startIntercede(settings: {
  DATA_DIR: string
  DATABASE_URL?: string
}): Promise<RunningProcess> {
  const env = { ...settings, PORT: '0', RATE_LIMIT_FACTOR: '1000000' }
  const server = await startProcess([START], env, SERVER_READY)
  return { ...server, url: `http://127.0.0.1:${server.url}` }
}

/** The embedded PostgreSQL of a running Intercede. */
export interface EmbeddedDatabase {
  pid: number
  /** For the role that owns the tables. */
  url: string
  superuserUrl: string
}

/** Finds it through the file that PostgreSQL writes: process id in line 1, folder of the socket in line 5. */
export async function findEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const lines = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const [pid, , , , socket = ''] = lines
  const urlFor = (user: string) =>
    `postgresql:///intercede?${new URLSearchParams({ host: socket, user, options: '-c TimeZone=UTC' }).toString()}`
  return { pid: Number(pid), url: urlFor('intercede'), superuserUrl: urlFor('postgres') }
}

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100
const USER_TICKS = 11
const SYSTEM_TICKS = 12

/** Whether CPU time and memory of other processes can be read. */
export const CAN_READ_USAGE = process.platform === 'linux'

/** Seconds of CPU time that a process has used. */
export async function cpuTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/stat`, 'utf8')
  // The process name in parentheses may contain anything; the numbers follow it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND
}

/** Seconds of CPU time that a process and its running children have used. */
export async function cpuTimeWithChildren(pid: number): Promise<number> {
  return await sumWithChildren(pid, cpuTime)
}

/** Memory of a process and its running children, in megabytes (10^6 bytes). What they share counts once. */
export async function memoryWithChildren(pid: number): Promise<number> {
  return await sumWithChildren(pid, async (each) => {
    const text = await readFile(`/proc/${String(each)}/smaps_rollup`, 'utf8')
    return (Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024) / 1e6
  })
}

async function sumWithChildren(pid: number, read: (pid: number) => Promise<number>): Promise<number> {
  const children = await readFile(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)]
  // A child may exit between the two reads.
  const values = await Promise.all(pids.map((each) => read(each).catch(() => 0)))
  return values.reduce((sum, value) => sum + value, 0)
}

/** The highest memory use of a process so far, in megabytes (10^6 bytes). */
export async function peakMemory(pid: number): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/status`, 'utf8')
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1]
  if (kibibytes === undefined) throw new Error('The memory use of a process could not be read.')
  return (Number(kibibytes) * 1024) / 1e6
}
