import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PACKAGE_ROOT } from '#server/package-root.ts'

/** The production build, which operators run, in a process of its own. */
export interface IntercedeProcess {
  pid: number
  /** Resolves to the address when the server is ready; rejects with its output if it exits before. */
  ready: Promise<string>
  /** Sends a signal and resolves to the exit code, or to null if the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const BUNDLE = join(PACKAGE_ROOT, 'dist', 'server', 'main.js')

const READY = /^Intercede is ready at (\S+)$/m

/**
 * Starts the server on a free port, and waits until it is ready. `within` is a command that replaces itself by another
 * one, such as `nsenter`.
 */
export async function startIntercede(
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<IntercedeProcess> {
  const server = launchIntercede(env, within)
  await server.ready
  return server
}

/** Starts the server on a free port, without waiting. */
export function launchIntercede(
  env: Record<string, string>,
  within: readonly string[] = [],
): IntercedeProcess {
  const { child, output, ended } = spawnServer(env, within)
  if (child.pid === undefined) throw new Error('Intercede has no process.')
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, siteUrl] = READY.exec(output()) ?? []
      if (siteUrl !== undefined) resolve(siteUrl)
    })
    void ended.then(() => reject(new Error(`Intercede did not start: ${output()}`)))
  })
  // Not an unhandled rejection for a test that doesn't wait for it.
  ready.catch(() => {})
  return {
    pid: child.pid,
    ready,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts a server that is expected to fail; resolves to its exit code and what it wrote to standard error. */
export async function failToStart(
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<{ code: number | null; sentence: string }> {
  const { child, ended } = spawnServer(env, within)
  let sentence = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    sentence += chunk.toString()
  })
  return { code: await ended, sentence: withoutWarnings(sentence) }
}

/** Without the warnings that Node.js writes about experimental and deprecated features. */
function withoutWarnings(text: string): string {
  const lines = text.split('\n')
  return lines.filter((line) => !/^\(node:\d+\)|^\(Use `node --trace/.test(line)).join('\n')
}

function spawnServer(
  env: Record<string, string>,
  within: readonly string[],
): {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
} {
  if (!existsSync(BUNDLE)) throw new Error('There is no production build. Run `npm run build` first.')
  const [file, ...args] = [...within, process.execPath, BUNDLE]
  const child = spawn(file, args, {
    cwd: PACKAGE_ROOT,
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const ended = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null))
  return { child, output: () => output, ended }
}

/** Ids of the processes whose command line contains `text`, other than this one. None on other systems than Linux. */
export async function processesNaming(text: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const entries = await readdir('/proc')
  const pids = entries.map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid)
  const found = await Promise.all(
    pids.map(async (pid) => ((await commandLine(pid)).includes(text) ? [pid] : [])),
  )
  return found.flat()
}

/** Milliseconds: far more than PostgreSQL needs to stop, to name the processes that never end. */
const HANG = 60_000

/** Waits until no command line contains `text`; rejects if one never ends. */
export async function expectNoProcess(text: string): Promise<void> {
  const deadline = performance.now() + HANG
  for (;;) {
    const pids = await processesNaming(text)
    if (pids.length === 0) return
    if (performance.now() > deadline) throw new Error(`Still running: ${pids.join(', ')}`)
    await delay(50)
  }
}

function commandLine(pid: number): Promise<string> {
  // The process may have exited in the meantime.
  return readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '')
}
