import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { expectNothingLost, expectServed, failuresOf, ROUNDS, signUpUsers, startLoad } from './load.ts'
import { createRandom } from './random.ts'
import { findIncompleteAccounts, SignUps } from './sign-ups.ts'
import { embeddedUrl, query, type Site, startSite } from './site.ts'

const USERS = ['anna', 'ben', 'carl', 'dora', 'erin']
const SEED = 20_261_121

let dataDir: string
let databaseUrl: string
let site: Site

beforeEach(async () => {
  dataDir = await makeDataFolder()
  databaseUrl = embeddedUrl(dataDir)
  await start()
})

afterEach(async () => {
  await expectCleanExit()
  await rm(dataDir, { recursive: true, force: true })
})

async function expectCleanExit(): Promise<void> {
  expect(await site.process.end('SIGTERM')).toBe(0)
  await expectNoProcess(dataDir)
}

async function start(): Promise<void> {
  site = await startSite({ DATA_DIR: dataDir }, databaseUrl)
}

async function killPostgres(): Promise<void> {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
}

async function killConnection(): Promise<void> {
  const connections = await query<{ pid: number }>(
    databaseUrl,
    `select pid from pg_stat_activity where application_name = 'intercede' order by state limit 1`,
  )
  for (const { pid } of connections) process.kill(pid, 'SIGKILL')
}

async function killServer(): Promise<void> {
  await site.process.end('SIGKILL')
}

/** What is killed, and whether the server has to be started again. One round for each. */
const FAULTS = [
  { kill: killConnection, endsServer: false },
  { kill: killServer, endsServer: true },
  { kill: killPostgres, endsServer: false },
  { kill: () => killPostgres().then(killServer), endsServer: true },
]

/**
 * Whether the server is only started again when the previous PostgreSQL has ended, which may take a moment. Both happen
 * after each of the two faults that end the server.
 */
const WAITS = [true, false, false, true]

it(
  'keeps every acknowledged change, and no other in part, whatever is killed under load',
  async ({ annotate }) => {
    const random = createRandom(SEED)
    const signUps = new SignUps()
    const users = await signUpUsers(site, USERS)
    let changes = 0
    let restarts = 0
    for (let round = 0; round < Math.max(ROUNDS, FAULTS.length); round += 1) {
      const { kill, endsServer } = FAULTS[round % FAULTS.length] ?? { kill: killServer, endsServer: true }
      const load = startLoad(site, users, signUps)
      await load.reach(20 + random.below(150))
      await kill()
      await load.stop()
      changes += load.acknowledged()
      if (endsServer) {
        if (WAITS[restarts % WAITS.length]) await expectNoProcess(dataDir)
        restarts += 1
        await start()
      }
      await expectServed(site, users)
      await expectNothingLost(site, users)
      expect(await signUps.countLost(site)).toBe(0)
      expect(await findIncompleteAccounts(databaseUrl)).toEqual([])
    }
    expect([null, 503]).toEqual(expect.arrayContaining(failuresOf(users)))
    await annotate(`${String(changes)} acknowledged changes, none lost`)
  },
  // Each round waits for a restart, on a busy machine.
  Math.max(ROUNDS, FAULTS.length) * 60_000,
)
