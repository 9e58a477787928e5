import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createRandom } from './random.ts'
import { findIncompleteAccounts, SignUps } from './sign-ups.ts'
import { type SimulatedUser, signUpUser } from './simulated-user.ts'
import { embeddedUrl, makeFolder, query, type Site, startSite } from './site.ts'

/** How often something is killed. For more: `FAULT_ROUNDS=50 npx vitest run tests/faults`. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 8)
const USERS = 5
const SEED = 20_261_121
/** Milliseconds for the restart, including recovery. */
const TIMEOUT = 30_000

let dataDir: string
let databaseUrl: string
let site: Site

beforeEach(async () => {
  dataDir = await makeFolder()
  databaseUrl = embeddedUrl(dataDir)
  await start()
})

afterEach(async () => {
  await expectCleanExit()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  site = await startSite({ DATA_DIR: dataDir }, databaseUrl)
}

async function expectCleanExit(): Promise<void> {
  expect(await site.process.end('SIGTERM')).toBe(0)
  await expectNoProcess(dataDir)
}

async function postgresPid(): Promise<number> {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(lock.split('\n')[0])
}

/** What is killed, and whether the server has to be started again. */
interface Fault {
  kill(): Promise<void>
  endsServer: boolean
}

const oneConnection: Fault = {
  kill: async () => {
    const connections = await query<{ pid: number }>(
      databaseUrl,
      `select pid from pg_stat_activity where application_name = 'intercede' order by state limit 1`,
    )
    for (const { pid } of connections) process.kill(pid, 'SIGKILL')
  },
  endsServer: false,
}

const postgres: Fault = {
  kill: async () => void process.kill(await postgresPid(), 'SIGKILL'),
  endsServer: false,
}

const server: Fault = {
  kill: async () => void (await site.process.end('SIGKILL')),
  endsServer: true,
}

const both: Fault = {
  kill: async () => {
    const pid = await postgresPid()
    process.kill(pid, 'SIGKILL')
    await site.process.end('SIGKILL')
  },
  endsServer: true,
}

const FAULTS = [oneConnection, server, postgres, both]

/** `reached` resolves when `count` has been called `goal` times. */
function countTo(goal: number): { count: () => void; reached: Promise<void> } {
  let counted = 0
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const count = () => {
    counted += 1
    if (counted === goal) reach()
  }
  return { count, reached }
}

/** Causes the fault after some changes, while users send changes and sign up. */
async function causeUnderLoad(fault: Fault, after: number, users: SimulatedUser[], signUps: SignUps) {
  let isOver = false
  const { count, reached } = countTo(after)
  const running = [
    ...users.map((user) => user.sendChanges(site, count, () => isOver)),
    signUps.run(site, () => isOver),
  ]
  await reached
  await fault.kill()
  isOver = true
  await Promise.all(running)
}

async function recover({ endsServer }: Fault, atOnce: boolean, users: SimulatedUser[]): Promise<void> {
  if (endsServer) {
    if (!atOnce) await expectNoProcess(dataDir)
    await start()
  }
  const isServed = () => Promise.all(users.map((user) => user.isServed(site)))
  await vi.waitFor(async () => expect(await isServed()).not.toContain(false), { timeout: TIMEOUT })
}

it(
  'keeps every acknowledged change, and no other in part, whatever is killed under load',
  async ({ annotate }) => {
    const random = createRandom(SEED)
    const signUps = new SignUps()
    const users = await Promise.all(
      Array.from({ length: USERS }, (_, index) =>
        signUpUser(site, `user${String(index)}@example.org`, createRandom(SEED + index)),
      ),
    )
    let changes = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const fault = FAULTS[round % FAULTS.length] ?? server
      const after = 20 + random.below(150)
      await causeUnderLoad(fault, after, users, signUps)
      // If the server is started again at once, the previous PostgreSQL may still be shutting down.
      await recover(fault, Math.floor(round / FAULTS.length) % 2 === 1, users)
      for (const user of users) {
        const { stored, expected } = await user.compare(site)
        expect(stored).toEqual(expected)
      }
      expect(await signUps.countLost(site)).toBe(0)
      expect(await findIncompleteAccounts(databaseUrl)).toEqual([])
      changes += after
    }
    const failures = new Set(users.flatMap((user) => user.failures))
    expect([...failures].filter((status) => status !== null && status !== 503)).toEqual([])
    await annotate(`${String(ROUNDS)} rounds, more than ${String(changes)} acknowledged changes, none lost`)
  },
  30_000 + ROUNDS * 20_000,
)
