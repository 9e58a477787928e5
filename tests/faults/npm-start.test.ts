import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sendSignal } from '#server/db/processes.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { makeFolder, PROCESS_TIMEOUT } from './site.ts'

const READY = 'Intercede is ready at '
/** Milliseconds for the server to end, on a busy machine. */
const TIMEOUT = 20_000

let dataDir: string
let npm: ChildProcess

beforeEach(async () => {
  dataDir = await makeFolder()
})
afterEach(async () => {
  // A test that fails leaves the server running.
  sendSignal(-Number(npm.pid), 'SIGKILL')
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs `npm start` in a process group of its own; resolves to the process id of the server. */
async function npmStart(): Promise<number> {
  npm = spawn('npm', ['start'], {
    cwd: PACKAGE_ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  if (npm.stdout === null) throw new Error('npm has no output.')
  const lines = createInterface({ input: npm.stdout })
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => line.startsWith(READY) && resolve())
    lines.once('close', () => reject(new Error('npm start ended.')))
  })
  const [postgres = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const commandLine = await readFile(`/proc/${postgres}/cmdline`, 'utf8')
  return Number(/intercede\.server_pid=(\d+)/.exec(commandLine)?.[1])
}

function expectEnded(pid: number): Promise<void> {
  const commandLine = () => readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => '')
  return expect.poll(commandLine, { timeout: TIMEOUT }).toBe('')
}

// npm passes on SIGINT to its shell, which ignores it while a script runs; Ctrl+C reaches the whole process group.
it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a %s to npm ends the server and PostgreSQL, too',
  { timeout: PROCESS_TIMEOUT },
  async (signal) => {
    const server = await npmStart()
    const ended = once(npm, 'exit')
    npm.kill(signal)
    await ended
    await expectEnded(server)
    await expectNoProcess(dataDir)
  },
)

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a %s to the whole process group shuts PostgreSQL down cleanly',
  { timeout: PROCESS_TIMEOUT },
  async (signal) => {
    const server = await npmStart()
    const ended = once(npm, 'exit')
    process.kill(-Number(npm.pid), signal)
    await ended
    await expectEnded(server)
    await expectNoProcess(dataDir)
    await expect(readFile(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT')
  },
)
