import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createChance } from './chance.ts'
import { findHalfAccounts, Newcomers } from './newcomers.ts'
import { type PersonAtWork, signUpPerson } from './person-at-work.ts'
import { embeddedUrl, makeFolder, query, type Site, startSite } from './site.ts'

/** How often something is killed. More are a matter of patience: `FAULT_ROUNDS=50 npx vitest run --project=faults`. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 8)
const PEOPLE = 5
const SEED = 20_261_121
/** Milliseconds for coming back, recovery included. */
const PATIENCE = 30_000

let dataDir: string
let databaseUrl: string
let site: Site

beforeEach(async () => {
  dataDir = await makeFolder()
  databaseUrl = embeddedUrl(dataDir)
  await start()
})

afterEach(async () => {
  await expectGoodEnd()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  site = await startSite({ DATA_DIR: dataDir }, databaseUrl)
}

async function expectGoodEnd(): Promise<void> {
  expect(await site.process.end('SIGTERM')).toBe(0)
  await expectNoProcess(dataDir)
}

async function postgresPid(): Promise<number> {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(lock.split('\n')[0])
}

/** What is killed, and whether somebody has to start the server again. */
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

/** Resolves when `count` has been called often enough. */
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

/** People change things and sign up, it is killed under them, and comes back by itself or is started again. */
async function suffer(fault: Fault, after: number, people: PersonAtWork[], newcomers: Newcomers) {
  let isOver = false
  const { count, reached } = countTo(after)
  const working = [
    ...people.map((person) => person.work(site, count, () => isOver)),
    newcomers.arrive(site, () => isOver),
  ]
  await reached
  await fault.kill()
  isOver = true
  await Promise.all(working)
}

async function comeBack({ endsServer }: Fault, atOnce: boolean, people: PersonAtWork[]): Promise<void> {
  if (endsServer) {
    if (!atOnce) await expectNoProcess(dataDir)
    await start()
  }
  const isServed = () => Promise.all(people.map((person) => person.isServed(site)))
  await vi.waitFor(async () => expect(await isServed()).not.toContain(false), { timeout: PATIENCE })
}

it(
  'whatever is killed while people write: every acknowledged change is there, and no other by half',
  async ({ annotate }) => {
    const chance = createChance(SEED)
    const newcomers = new Newcomers()
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, (_, index) =>
        signUpPerson(site, `person${String(index)}@example.org`, createChance(SEED + index)),
      ),
    )
    let changes = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const fault = FAULTS[round % FAULTS.length] ?? server
      const after = 20 + chance.below(150)
      await suffer(fault, after, people, newcomers)
      // Started again at once, it meets a PostgreSQL that is still ending.
      await comeBack(fault, Math.floor(round / FAULTS.length) % 2 === 1, people)
      for (const person of people) {
        const { stored, promised } = await person.settle(site)
        expect(stored).toEqual(promised)
      }
      expect(await newcomers.countLost(site)).toBe(0)
      expect(await findHalfAccounts(databaseUrl)).toEqual([])
      changes += after
    }
    const refusals = new Set(people.flatMap((person) => person.refusals))
    expect([...refusals].filter((status) => status !== null && status !== 503)).toEqual([])
    await annotate(`${String(ROUNDS)} rounds, more than ${String(changes)} acknowledged changes, none lost`)
  },
  30_000 + ROUNDS * 20_000,
)
