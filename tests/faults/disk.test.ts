import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#server/db/free-port.ts'
import { sendSignal } from '#server/db/processes.ts'
import { call, refresh, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { copyDatabaseInto, makeFolder } from '#tests/support/data-folder.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { expectNoProcess, failToStart, launchIntercede } from '#tests/support/intercede-process.ts'
import { POOLER } from '#tests/support/pgbouncer.ts'
import { startTestServer } from '#tests/support/server.ts'
import { expectNothingLost, expectServed, failuresOf, signUpUsers, startLoad } from './load.ts'
import type { SimulatedUser } from './simulated-user.ts'
import { embeddedUrl, query, type Site, startSite } from './site.ts'
import { canMakeDisks, makeSmallDisk, type SmallDisk } from './small-disk.ts'

const UNAVAILABLE = { code: 'PGRST000', message: 'Database connection error. Retrying the connection.' }
const FULL = { code: '53100', message: 'The disk of the database is full. Nothing was changed.' }

// The disk is mounted in a user namespace, which not all systems allow.
describe.skipIf(!canMakeDisks())('the disk', () => {
  let dataDir: string
  let disk: SmallDisk
  let site: Site

  beforeAll(async () => {
    dataDir = await makeFolder()
    disk = await makeSmallDisk(dataDir)
    await copyDatabaseInto(disk.outsidePath)
    await start()
  })
  afterEach(async () => {
    await disk.clear()
    await disk.allowWriting(true)
  })
  afterAll(async () => {
    await expectCleanExit()
    await disk.remove()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** The server has survived all faults and stops cleanly. */
  async function expectCleanExit(): Promise<void> {
    expect(await site.process.end('SIGTERM')).toBe(0)
    await expectNoProcess(dataDir)
  }

  async function start(): Promise<void> {
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(disk.outsidePath), disk.within)
  }

  /** Signs up two users with some data each. */
  async function signUpWithData(...names: string[]): Promise<SimulatedUser[]> {
    const users = await signUpUsers(site, names)
    await sendChanges(users)
    return users
  }

  async function sendChanges(users: readonly SimulatedUser[]): Promise<void> {
    const load = startLoad(site, users)
    await load.reach(20)
    await load.stop()
  }

  /** Sends changes until one of each user has failed. */
  async function sendUntilFailure(users: readonly SimulatedUser[]): Promise<void> {
    await Promise.all(
      users.map((user) =>
        user.sendChanges(
          site,
          () => {},
          () => false,
        ),
      ),
    )
    expect(failuresOf(users)).toEqual([503])
  }

  async function killPostgres(): Promise<void> {
    const file = join(disk.outsidePath, 'postgres', 'postmaster.pid')
    const lock = await readFile(file, 'utf8').catch(() => null)
    // A PostgreSQL that was killed leaves its lock.
    if (lock !== null) sendSignal(Number(lock.split('\n')[0]), 'SIGKILL')
  }

  /** Starts new segments of the write-ahead log, some of which may have been created before, until there is no space. */
  async function useUpLog(): Promise<void> {
    const isDone = () =>
      startLogSegment().then(
        () => false,
        () => true,
      )
    await expect.poll(isDone).toBe(true)
  }

  async function startLogSegment(): Promise<void> {
    const superuser = embeddedUrl(disk.outsidePath).replace('user=intercede', 'user=postgres')
    await query(superuser, `select pg_logical_emit_message(false, 'test', 'a record'), pg_switch_wal()`)
  }

  async function expectFailedStart(reason: RegExp): Promise<void> {
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir }, disk.within)
    expect(sentence).toMatch(/^[^\n]+\n$/)
    expect(sentence).toMatch(reason)
    expect(code).toBe(1)
  }

  it('is full: data can be read, and changes fail with a clear error until there is space', async () => {
    // The rest of the segment might not suffice for what this test and PostgreSQL itself write.
    await startLogSegment()
    const users = await signUpWithData('anna', 'ben')
    const { access_token: token } = await signUp(site, 'carl@example.org')
    await disk.fill()
    await sendUntilFailure(users)
    const body = Array.from({ length: 100 }, (_, index) => ({ name: 'n'.repeat(100), order: index + 1 }))
    const addMany = () => send(site, '/categories', { method: 'POST', token, body })
    const failed = await addMany()
    expect(failed.status).toBe(503)
    expect(failed.json()).toEqual({ ...FULL, details: null, hint: null })
    await expectNothingLost(site, users)
    expect((await send(site, '/categories', { token })).json()).toEqual([])

    await disk.clear()
    expect((await addMany()).status).toBe(201)
    await sendChanges(users)
    expect(users.flatMap(({ failures }) => failures)).toEqual([503, 503])
    await expectNothingLost(site, users)
  })

  it('is full for the write-ahead log: the database is unavailable, and recovers by itself when there is space', async () => {
    const users = await signUpWithData('dora', 'erin')
    const session = await signUp(site, 'fred@example.org')
    await disk.fill()
    await useUpLog()
    await sendUntilFailure(users)
    expect((await send(site, '/categories', { token: session.access_token })).json()).toMatchObject(
      UNAVAILABLE,
    )
    expect(await refresh(site, session.refresh_token)).toMatchObject({
      status: 503,
      body: { code: 'unexpected_failure' },
    })
    await disk.clear()
    await expectServed(site, users)
    await expectNothingLost(site, users)
    await sendChanges(users)
    await expectNothingLost(site, users)
    expect((await refresh(site, session.refresh_token)).status).toBe(200)
  })

  it('becomes read-only: the database is unavailable, and recovers by itself when the disk is writable', async () => {
    const users = await signUpWithData('gina', 'hans')
    // Impossible while PostgreSQL has files open. It restarts at once, then after longer and longer pauses.
    const makeReadOnly = async () => {
      await killPostgres()
      return disk.allowWriting(false)
    }
    await expect.poll(makeReadOnly).toBe(true)
    await sendUntilFailure(users)
    expect((await signIn(site, 'gina@example.org')).status).toBe(503)
    expect(await disk.allowWriting(true)).toBe(true)
    await expectServed(site, users)
    await expectNothingLost(site, users)
  })

  it('is full or read-only before the start: the server reports it and exits, and later starts with all data', async () => {
    const users = await signUpWithData('ida', 'jan')
    expect(await site.process.end('SIGTERM')).toBe(0)
    await disk.fill()
    await expectFailedStart(/No space left on device/)
    await disk.clear()
    expect(await disk.allowWriting(false)).toBe(true)
    await expectFailedStart(new RegExp(`${dataDir}.*read-only file system`, 'i'))
    expect(await disk.allowWriting(true)).toBe(true)
    await start()
    await expectNothingLost(site, users)
  })
})

/** A device of Linux to which writing always fails for lack of space. */
const FULL_FILE = '/dev/full'

it.skipIf(!existsSync(FULL_FILE))(
  'the disk of the log is full: lines are lost, and users notice nothing',
  async () => {
    const database = await createTestDatabase()
    const port = String(await findFreePort('127.0.0.1'))
    const env = { DATA_DIR: '/nonexistent', ...database.env, PORT: port, LOG_LEVEL: 'trace' }
    const server = launchIntercede(env, ['sh', '-c', `exec "$@" > ${FULL_FILE}`, 'sh'])
    const request = async () => {
      const response = await fetch(`http://localhost:${port}/auth/v1/health`).catch(() => null)
      return response?.status
    }
    await expect.poll(request).toBe(401)
    const responses = await Promise.all(Array.from({ length: 100 }, request))
    expect(responses.filter((status) => status !== 401)).toEqual([])
    expect(await server.end('SIGTERM')).toBe(0)
    await database.drop()
  },
)

it('a read-only database can be read, and changes fail with a clear error until it is writable', async () => {
  const database = await createTestDatabase()
  const server = await startTestServer({ database })
  const name = new URL(database.url).pathname.slice(1)
  const { access_token: token } = await signUp(server, 'anna@example.org')
  const body = { name: 'Family', order: 1 }
  const add = () => send(server, '/categories', { method: 'POST', token, body })
  const readOnly = 'The database can only be read at the moment. Nothing was changed.'
  await query(database.url, `alter database "${name}" set default_transaction_read_only = on`)
  const terminate = () =>
    query(
      database.url,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
  await terminate()
  expect(await signIn(server, 'anna@example.org')).toMatchObject({ status: 503, body: { message: readOnly } })
  const failed = await add()
  expect(failed.status).toBe(503)
  expect(failed.json()).toMatchObject({ code: '25006', message: readOnly })
  expect((await send(server, '/categories', { token })).json()).toEqual([])
  expect((await call(server, 'GET', '/user', { token })).status).toBe(200)
  // Existing connections remain read-only until the server discards them, each after a failed change.
  await query(database.url, `begin read write; alter database "${name}" reset all; commit`)
  // A pooler keeps its own.
  if (POOLER) await terminate()
  await expect.poll(async () => (await add()).status).toBe(201)
  await server.close()
})
