import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sendSignal } from '#server/db/processes.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'

const READY = 'Intercede is ready at '

let dataDir: string
let npm: ChildProcess

beforeAll(async () => {
  dataDir = await makeDataFolder()
})
afterEach(async () => {
  // A test that fails leaves the server running.
  sendSignal(-Number(npm.pid), 'SIGKILL')
  await expectNoProcess(dataDir)
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

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

// npm passes on SIGINT to its shell, which ignores it while a script runs; Ctrl+C reaches the whole process group.
it.each([
  ['SIGTERM', 'npm'],
  ['SIGHUP', 'npm'],
  ['SIGKILL', 'npm'],
  ['SIGTERM', 'the process group of npm'],
  ['SIGINT', 'the process group of npm'],
  ['SIGHUP', 'the process group of npm'],
] as const)('a %s to %s ends the server and PostgreSQL, too', async (signal, receiver) => {
  const server = await npmStart()
  const ended = once(npm, 'exit')
  process.kill(receiver === 'npm' ? Number(npm.pid) : -Number(npm.pid), signal)
  await ended
  const commandLine = () => readFile(`/proc/${String(server)}/cmdline`, 'utf8').catch(() => '')
  await expect.poll(commandLine).toBe('')
  await expectNoProcess(dataDir)
  // A clean shutdown of PostgreSQL removes its lock.
  const isLocked = existsSync(join(dataDir, 'postgres', 'postmaster.pid'))
  expect(receiver !== 'npm' && isLocked).toBe(false)
})
