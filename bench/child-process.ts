import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program of Node.js that said it is ready. */
export interface Child {
  pid: number
  /** What it called its address. */
  url: string
  /** Milliseconds from its start to that word. */
  readyAfter: number
  /** Ends it as Ctrl+C does. Rejects when it had ended before, or ends with an error. */
  stop(): Promise<void>
}

/** Starts a program and waits for the line that `ready` matches, whose first group is the address. */
export async function startChild(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<Child> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${args.join(' ')} could not be started.`)
  endWithUs(child)
  const url = await hear(child, ready)
  return { pid, url, readyAfter: performance.now() - started, stop: () => stop(child) }
}

function endWithUs(child: ChildProcess): void {
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

/** Keeps on reading afterwards: a full pipe would stop the program. */
function hear(child: ChildProcess, ready: RegExp): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000)
      const url = ready.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`A measured program ended:\n${output}`)))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  if (!child.kill('SIGTERM')) throw new Error('A measured program had ended by itself.')
  await ended
  const { exitCode, signalCode } = child
  if (exitCode !== 0 && signalCode !== 'SIGTERM') {
    throw new Error(`A measured program ended with ${String(exitCode ?? signalCode)}.`)
  }
}
