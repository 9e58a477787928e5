import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '#server/db/free-port.ts'
import { call, refresh, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import {
  expectNoProcess,
  failToStart,
  type IntercedeProcess,
  launchIntercede,
} from '#tests/support/intercede-process.ts'
import { createChance } from './chance.ts'
import { type PersonAtWork, signUpPerson } from './person-at-work.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'
import { canMakeDisks, makeSmallDisk, type SmallDisk } from './small-disk.ts'

const AWAY = { code: 'PGRST000', message: 'Database connection error. Retrying the connection.' }
const FULL = { code: '53100', message: 'The disk of the database is full. Nothing was changed.' }
/** Milliseconds for PostgreSQL to be started again, between tries that are at most ten seconds apart. */
const PATIENCE = 30_000

let dataDir: string
let disk: SmallDisk
let site: Site

// The disk is mounted where nobody else sees it, which takes Linux, and a system that allows user namespaces.
describe.skipIf(!canMakeDisks())('the disk', { timeout: PROCESS_TIMEOUT }, () => {
  beforeEach(async () => {
    dataDir = await makeFolder()
    disk = await makeSmallDisk(dataDir)
    await start()
  })

  afterEach(async () => {
    await expectGoodEnd()
    await disk.remove()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** It has lived through it all. */
  async function expectGoodEnd(): Promise<void> {
    expect(await site.process.end('SIGTERM')).toBe(0)
    await expectNoProcess(dataDir)
  }

  async function start(): Promise<void> {
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(disk.seenFrom), disk.within)
  }

  /** Two who have kept something each. */
  async function signUpPeople(): Promise<PersonAtWork[]> {
    const people = await Promise.all(
      ['anna', 'ben'].map((name, index) => signUpPerson(site, `${name}@example.org`, createChance(index))),
    )
    await work(people, 20)
    return people
  }

  /** They change one thing after another until `count` are acknowledged, or one is refused to each of them. */
  async function work(people: readonly PersonAtWork[], count: number): Promise<void> {
    let acknowledged = 0
    const add = () => {
      acknowledged += 1
    }
    await Promise.all(people.map((person) => person.work(site, add, () => acknowledged >= count)))
  }

  async function expectNothingLost(people: readonly PersonAtWork[]): Promise<void> {
    for (const person of people) {
      const { stored, promised } = await person.settle(site)
      expect(stored).toEqual(promised)
    }
  }

  async function expectServed(people: readonly PersonAtWork[]): Promise<void> {
    const isServed = () => Promise.all(people.map((person) => person.isServed(site)))
    await expect.poll(isServed, { timeout: PATIENCE }).not.toContain(false)
  }

  async function killPostgres(): Promise<void> {
    const lock = await readFile(join(disk.seenFrom, 'postgres', 'postmaster.pid'), 'utf8').catch(() => null)
    if (lock !== null) process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
  }

  it('is full: what is there is shown, what is new is refused in clear words, until there is room', async () => {
    const people = await signUpPeople()
    const { access_token: token } = await signUp(site, 'carl@example.org')
    await disk.fill()
    await work(people, 10_000)
    expect(people.flatMap(({ refusals }) => refusals)).toEqual([503, 503])
    const note = 'n'.repeat(10_000)
    const body = Array.from({ length: 100 }, (_, order) => ({ name: note.slice(0, 100), order: order + 1 }))
    const refused = await send(site, '/categories', { method: 'POST', token, body })
    expect(refused.status).toBe(503)
    expect(refused.json()).toEqual({ ...FULL, details: null, hint: null })
    await expectNothingLost(people)
    expect((await send(site, '/categories', { token })).json()).toEqual([])

    await disk.clear()
    expect((await send(site, '/categories', { method: 'POST', token, body })).status).toBe(201)
    await work(people, 20)
    expect(people.flatMap(({ refusals }) => refusals)).toEqual([503, 503])
    await expectNothingLost(people)
  })

  it('has no room for the journal: the database is away, and comes back by itself when there is room', async () => {
    const people = await signUpPeople()
    const session = await signUp(site, 'carl@example.org')
    await disk.fill()
    // What fills a journal by and by, at once.
    const superuser = embeddedUrl(disk.seenFrom).replace('user=intercede', 'user=postgres')
    await query(superuser, 'select pg_switch_wal()').catch(() => [])
    await work(people, 10_000)
    expect(people.flatMap(({ refusals }) => refusals)).toEqual([503, 503])
    expect((await send(site, '/categories', { token: session.access_token })).json()).toMatchObject(AWAY)
    expect(await refresh(site, session.refresh_token)).toMatchObject({
      status: 503,
      body: { message: AWAY.message },
    })

    await disk.clear()
    await expectServed(people)
    await expectNothingLost(people)
    await work(people, 20)
    await expectNothingLost(people)
    expect((await refresh(site, session.refresh_token)).status).toBe(200)
  })

  it('is full before the start: says so and does not start, and starts with everything there is', async () => {
    const people = await signUpPeople()
    expect(await site.process.end('SIGTERM')).toBe(0)
    await disk.fill()
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir }, 'production build', disk.within)
    expect(sentence).toMatch(/^[^\n]*No space left on device[^\n]*\n$/)
    expect(code).toBe(1)
    await disk.clear()
    await start()
    await expectNothingLost(people)
  })

  it('can only be read: the database is away, and comes back by itself when it can be written', async () => {
    const people = await signUpPeople()
    // Not while PostgreSQL has files open. It is started again at once, then after pauses that get longer.
    await expect
      .poll(
        async () => {
          await killPostgres()
          return disk.allowWriting(false)
        },
        { timeout: PATIENCE },
      )
      .toBe(true)
    await work(people, 10_000)
    expect(people.flatMap(({ refusals }) => refusals)).toEqual([503, 503])
    expect((await signIn(site, 'anna@example.org')).status).toBe(503)
    expect(await disk.allowWriting(true)).toBe(true)
    await expectServed(people)
    await expectNothingLost(people)
  })

  it('can only be read before the start: says so and does not start', async () => {
    const people = await signUpPeople()
    expect(await site.process.end('SIGTERM')).toBe(0)
    expect(await disk.allowWriting(false)).toBe(true)
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir }, 'production build', disk.within)
    expect(sentence).toMatch(/^[^\n]*read-only file system[^\n]*\n$/i)
    expect(sentence).toContain(dataDir)
    expect(code).toBe(1)
    expect(await disk.allowWriting(true)).toBe(true)
    await start()
    await expectNothingLost(people)
  })
})

/** A file that never has room, which Linux has for tests like this. */
const FULL_FILE = '/dev/full'

describe.skipIf(!existsSync(FULL_FILE))('the disk of the log', { timeout: PROCESS_TIMEOUT }, () => {
  it('is full: lines are lost, and nobody notices', async () => {
    dataDir = await makeFolder()
    const port = String(await findFreePort('127.0.0.1'))
    const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'trace' }
    const server = launchIntercede(env, 'production build', ['sh', '-c', `exec "$@" > ${FULL_FILE}`, 'sh'])
    endAfterTest(server)
    const ask = async () => {
      const answer = await fetch(`http://localhost:${port}/auth/v1/health`).catch(() => null)
      return answer?.status
    }
    await expect.poll(ask, { timeout: PATIENCE }).toBe(401)
    const answers = await Promise.all(Array.from({ length: 100 }, ask))
    expect(answers.filter((status) => status !== 401)).toEqual([])
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

describe('a database that can only be read', { timeout: PROCESS_TIMEOUT }, () => {
  it('is read, and everything else is refused in clear words, until it can be written', async () => {
    dataDir = await makeFolder()
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
    endAfterTest(site.process)
    const superuser = embeddedUrl(dataDir).replace('user=intercede', 'user=postgres')
    const set = (value: 'on' | 'off') =>
      query(superuser, `alter role intercede set default_transaction_read_only = ${value}`)
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const add = () => send(site, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })
    const readOnly = 'The database can only be read at the moment. Nothing was changed.'
    await set('on')
    await query(
      superuser,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'intercede'`,
    )
    expect(await signIn(site, 'anna@example.org')).toMatchObject({ status: 503, body: { message: readOnly } })
    const refused = await add()
    expect(refused.status).toBe(503)
    expect(refused.json()).toMatchObject({ code: '25006', message: readOnly })
    expect((await send(site, '/categories', { token })).json()).toEqual([])
    expect((await call(site, 'GET', '/user', { token })).status).toBe(200)
    // Connections from before still can only read. The first to find out gives its own up.
    await set('off')
    await expect.poll(async () => (await add()).status, { timeout: PATIENCE }).toBe(201)
    expect(await site.process.end('SIGTERM')).toBe(0)
  })
})

/** However the test ends. */
function endAfterTest(server: IntercedeProcess): void {
  onTestFinished(async () => {
    await server.end('SIGTERM')
    await expectNoProcess(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  })
}
