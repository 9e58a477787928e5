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
import { createRandom } from './random.ts'
import { type SimulatedUser, signUpUser } from './simulated-user.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'
import { canMakeDisks, makeSmallDisk, type SmallDisk } from './small-disk.ts'

const UNAVAILABLE = { code: 'PGRST000', message: 'Database connection error. Retrying the connection.' }
const FULL = { code: '53100', message: 'The disk of the database is full. Nothing was changed.' }
/** Milliseconds for PostgreSQL to be restarted, with attempts at most ten seconds apart. */
const TIMEOUT = 30_000

let dataDir: string
let disk: SmallDisk
let site: Site

// The disk is mounted in a user namespace, which not all systems allow.
describe.skipIf(!canMakeDisks())('the disk', { timeout: PROCESS_TIMEOUT }, () => {
  beforeEach(async () => {
    dataDir = await makeFolder()
    disk = await makeSmallDisk(dataDir)
    await start()
  })

  afterEach(async () => {
    await expectCleanExit()
    await disk.remove()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** The server has survived the fault and stops cleanly. */
  async function expectCleanExit(): Promise<void> {
    expect(await site.process.end('SIGTERM')).toBe(0)
    await expectNoProcess(dataDir)
  }

  async function start(): Promise<void> {
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(disk.outsidePath), disk.within)
  }

  /** Signs up two users with some data each. */
  async function signUpUsers(): Promise<SimulatedUser[]> {
    const users = await Promise.all(
      ['anna', 'ben'].map((name, index) => signUpUser(site, `${name}@example.org`, createRandom(index))),
    )
    await sendChanges(users, 20)
    return users
  }

  /** Sends changes until `count` are acknowledged, or one of each user has failed. */
  async function sendChanges(users: readonly SimulatedUser[], count: number): Promise<void> {
    let acknowledged = 0
    const add = () => {
      acknowledged += 1
    }
    await Promise.all(users.map((user) => user.sendChanges(site, add, () => acknowledged >= count)))
  }

  async function expectNothingLost(users: readonly SimulatedUser[]): Promise<void> {
    for (const user of users) {
      const { stored, expected } = await user.compare(site)
      expect(stored).toEqual(expected)
    }
  }

  async function expectServed(users: readonly SimulatedUser[]): Promise<void> {
    const isServed = () => Promise.all(users.map((user) => user.isServed(site)))
    await expect.poll(isServed, { timeout: TIMEOUT }).not.toContain(false)
  }

  async function killPostgres(): Promise<void> {
    const lock = await readFile(join(disk.outsidePath, 'postgres', 'postmaster.pid'), 'utf8').catch(
      () => null,
    )
    if (lock !== null) process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
  }

  it('is full: data can be read, and changes fail with a clear error until there is space', async () => {
    const users = await signUpUsers()
    const { access_token: token } = await signUp(site, 'carl@example.org')
    await disk.fill()
    await sendChanges(users, 10_000)
    expect(users.flatMap(({ failures }) => failures)).toEqual([503, 503])
    const note = 'n'.repeat(10_000)
    const body = Array.from({ length: 100 }, (_, order) => ({ name: note.slice(0, 100), order: order + 1 }))
    const failed = await send(site, '/categories', { method: 'POST', token, body })
    expect(failed.status).toBe(503)
    expect(failed.json()).toEqual({ ...FULL, details: null, hint: null })
    await expectNothingLost(users)
    expect((await send(site, '/categories', { token })).json()).toEqual([])

    await disk.clear()
    expect((await send(site, '/categories', { method: 'POST', token, body })).status).toBe(201)
    await sendChanges(users, 20)
    expect(users.flatMap(({ failures }) => failures)).toEqual([503, 503])
    await expectNothingLost(users)
  })

  it('is full for the write-ahead log: the database is unavailable, and recovers by itself when there is space', async () => {
    const users = await signUpUsers()
    const session = await signUp(site, 'carl@example.org')
    await disk.fill()
    // Starts a new segment of the write-ahead log, for which there is no space.
    const superuser = embeddedUrl(disk.outsidePath).replace('user=intercede', 'user=postgres')
    await query(superuser, 'select pg_switch_wal()').catch(() => [])
    await sendChanges(users, 10_000)
    expect(users.flatMap(({ failures }) => failures)).toEqual([503, 503])
    expect((await send(site, '/categories', { token: session.access_token })).json()).toMatchObject(
      UNAVAILABLE,
    )
    expect(await refresh(site, session.refresh_token)).toMatchObject({
      status: 503,
      body: { message: UNAVAILABLE.message },
    })

    await disk.clear()
    await expectServed(users)
    await expectNothingLost(users)
    await sendChanges(users, 20)
    await expectNothingLost(users)
    expect((await refresh(site, session.refresh_token)).status).toBe(200)
  })

  it('is full before the start: the server reports it and exits, and later starts with all data', async () => {
    const users = await signUpUsers()
    expect(await site.process.end('SIGTERM')).toBe(0)
    await disk.fill()
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir }, 'production build', disk.within)
    expect(sentence).toMatch(/^[^\n]*No space left on device[^\n]*\n$/)
    expect(code).toBe(1)
    await disk.clear()
    await start()
    await expectNothingLost(users)
  })

  it('becomes read-only: the database is unavailable, and recovers by itself when the disk is writable', async () => {
    const users = await signUpUsers()
    // Impossible while PostgreSQL has files open. It restarts at once, then after longer and longer pauses.
    await expect
      .poll(
        async () => {
          await killPostgres()
          return disk.allowWriting(false)
        },
        { timeout: TIMEOUT },
      )
      .toBe(true)
    await sendChanges(users, 10_000)
    expect(users.flatMap(({ failures }) => failures)).toEqual([503, 503])
    expect((await signIn(site, 'anna@example.org')).status).toBe(503)
    expect(await disk.allowWriting(true)).toBe(true)
    await expectServed(users)
    await expectNothingLost(users)
  })

  it('is read-only before the start: the server reports it and exits', async () => {
    const users = await signUpUsers()
    expect(await site.process.end('SIGTERM')).toBe(0)
    expect(await disk.allowWriting(false)).toBe(true)
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir }, 'production build', disk.within)
    expect(sentence).toMatch(/^[^\n]*read-only file system[^\n]*\n$/i)
    expect(sentence).toContain(dataDir)
    expect(code).toBe(1)
    expect(await disk.allowWriting(true)).toBe(true)
    await start()
    await expectNothingLost(users)
  })
})

/** A device of Linux to which writing always fails for lack of space. */
const FULL_FILE = '/dev/full'

describe.skipIf(!existsSync(FULL_FILE))('the disk of the log', { timeout: PROCESS_TIMEOUT }, () => {
  it('is full: lines are lost, and users notice nothing', async () => {
    dataDir = await makeFolder()
    const port = String(await findFreePort('127.0.0.1'))
    const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: 'trace' }
    const server = launchIntercede(env, 'production build', ['sh', '-c', `exec "$@" > ${FULL_FILE}`, 'sh'])
    stopAfterTest(server)
    const request = async () => {
      const response = await fetch(`http://localhost:${port}/auth/v1/health`).catch(() => null)
      return response?.status
    }
    await expect.poll(request, { timeout: TIMEOUT }).toBe(401)
    const responses = await Promise.all(Array.from({ length: 100 }, request))
    expect(responses.filter((status) => status !== 401)).toEqual([])
    expect(await server.end('SIGTERM')).toBe(0)
  })
})

describe('a read-only database', { timeout: PROCESS_TIMEOUT }, () => {
  it('can be read, and changes fail with a clear error until it is writable', async () => {
    dataDir = await makeFolder()
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
    stopAfterTest(site.process)
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
    const failed = await add()
    expect(failed.status).toBe(503)
    expect(failed.json()).toMatchObject({ code: '25006', message: readOnly })
    expect((await send(site, '/categories', { token })).json()).toEqual([])
    expect((await call(site, 'GET', '/user', { token })).status).toBe(200)
    // Existing connections remain read-only until the server discards them, each after a failed change.
    await set('off')
    await expect.poll(async () => (await add()).status, { timeout: TIMEOUT }).toBe(201)
    expect(await site.process.end('SIGTERM')).toBe(0)
  })
})

/** Stops the server and removes its folder, whether the test succeeds or not. */
function stopAfterTest(server: IntercedeProcess): void {
  onTestFinished(async () => {
    await server.end('SIGTERM')
    await expectNoProcess(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  })
}
