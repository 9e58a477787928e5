import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { chooseOperatingUser, commandAs } from '#server/db/embedded/operating-user.ts'
import { ROUNDS } from '#tests/faults/load.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'

let dataDir: string
let cluster: string
let lockFiles: { cluster: string; socket: string }
let started: EmbeddedPostgres[]
let others: ChildProcess[]

/** One database for all tests, which end with it stopped. */
beforeAll(async () => {
  dataDir = await makeDataFolder()
  cluster = join(dataDir, 'postgres')
  lockFiles = {
    cluster: join(cluster, 'postmaster.pid'),
    socket: join(dataDir, 'socket', '.s.PGSQL.5432.lock'),
  }
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

beforeEach(() => {
  started = []
  others = []
})
afterEach(async () => {
  await Promise.all(started.map((postgres) => postgres.stop()))
  for (const other of others) other.kill('SIGKILL')
  await expectNoProcess(dataDir)
})

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir })
  started.push(postgres)
  return postgres
}

/** Starts another program, which ends with the test. */
function runOther(file: string, ...args: string[]): ChildProcess {
  const other = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  others.push(other)
  return other
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('The program has no process.')
  return pid
}

/** A process that has ended and whose parent, a `sleep`, never asks how. */
async function makeZombie(): Promise<number> {
  const parent = runOther('sh', '-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 600')
  if (parent.stdout === null) throw new Error('The shell has no output.')
  const [output]: unknown[] = await once(parent.stdout, 'data')
  const pid = Number(String(output))
  await expect.poll(() => readFile(`/proc/${String(pidOf(parent))}/comm`, 'utf8')).toBe('sleep\n')
  parent.stdin?.end()
  const state = async () => (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).split(' ')[2]
  await expect.poll(state).toBe('Z')
  return pid
}

/** A lock file of PostgreSQL, with all its lines. */
function lockOf(pid: number): string {
  return `${String(pid)}\n${cluster}\n1700000000\n5432\n${dataDir}/socket\n\n  1234567         8\nready   \n`
}

async function postgresPid(): Promise<number> {
  return Number((await readFile(lockFiles.cluster, 'utf8')).split('\n')[0])
}

async function isServing({ superuserUrl }: EmbeddedPostgres): Promise<boolean> {
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  const { rowCount } = await client.query('select 1')
  await client.end()
  return rowCount === 1
}

// They look into `/proc`.
describe.runIf(process.platform === 'linux')('stale lock files', () => {
  it('never prevent a start, whatever is in them', async () => {
    const contents = [
      '',
      'garbage\n',
      '\0'.repeat(64),
      String(process.pid),
      '99999999999999999999\n',
      lockOf(await makeZombie()),
      lockOf(pidOf(runOther('sleep', '600'))),
      lockOf(process.pid),
      lockOf(process.ppid),
      lockOf(1),
      lockOf(-pidOf(runOther('sleep', '600'))),
      lockOf(4_000_000),
    ]
    const files = [[lockFiles.cluster], [lockFiles.socket], [lockFiles.cluster, lockFiles.socket]]
    const cases = contents.flatMap((text) => files.map((names) => ({ text, names })))
    const failures: unknown[] = []
    // Each content once, in one of the files or both; with many rounds, in all three.
    const isChosen = (index: number) =>
      ROUNDS >= cases.length || index % files.length === Math.floor(index / files.length) % files.length
    for (const { text, names } of cases.filter((_, index) => isChosen(index))) {
      for (const name of names) await writeFile(name, text)
      await startEmbeddedPostgres({ dataDir }).then(
        (postgres) => postgres.stop(),
        (error: unknown) => failures.push({ text, names, error }),
      )
    }
    expect(failures).toEqual([])
  })

  it.each([
    ['empty', () => ''],
    ['damaged', () => '\0'.repeat(64)],
    ['of another program', () => lockOf(pidOf(runOther('sleep', '600')))],
  ])('do not hide a PostgreSQL that uses the folder: %s', async (_, text) => {
    const first = await start()
    await writeFile(lockFiles.cluster, text())
    await writeFile(lockFiles.socket, text())
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      `The folder ${cluster} is in use by a PostgreSQL: stop that one first, or set DATA_DIR to another folder.`,
    )
    expect(await isServing(first)).toBe(true)
  })
})

describe.runIf(process.platform === 'linux')('a PostgreSQL without supervisor', () => {
  /** Starts PostgreSQL as before, as if the process with the id `owner` had done so. */
  async function startFor(owner: number): Promise<number> {
    const postgres = await start()
    const commandLine = await readFile(`/proc/${String(await postgresPid())}/cmdline`, 'utf8')
    await postgres.stop()
    const [program = '', ...args] = commandLine
      .replace(/(intercede\.server_pid=)\d+/, `$1${String(owner)}`)
      .split('\0')
      .slice(0, -1)
    const user = await chooseOperatingUser({ program, dataDir, cluster })
    const command = commandAs(user, program, args)
    const child = spawn(command.file, command.args, { ...command.identity, cwd: '/', stdio: 'ignore' })
    others.push(child)
    await expect.poll(() => readFile(lockFiles.cluster, 'utf8').catch(() => '')).toContain('ready')
    return await postgresPid()
  }

  it.each([
    ['has ended', () => 4_000_000],
    ['belongs to another program', () => pidOf(runOther('sleep', '600'))],
    ['belongs to the new server', () => process.pid],
  ])('is stopped when the id of its server %s', async (_what, owner) => {
    const orphan = await startFor(owner())
    const postgres = await start()
    expect(await postgresPid()).not.toBe(orphan)
    expect(await isServing(postgres)).toBe(true)
  })

  it('is left alone while its server is alive', async () => {
    const server = runOther(process.execPath, '-e', 'setInterval(() => {}, 1000)')
    const orphan = await startFor(pidOf(server))
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
      `in use by another Intercede (process ${String(pidOf(server))})`,
    )
    expect(await postgresPid()).toBe(orphan)
    process.kill(orphan, 'SIGINT')
  })
})
