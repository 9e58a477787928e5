import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '#tests/support/database.ts'
import { expectNoProcess, failToStart } from '#tests/support/intercede-process.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, startSite } from './site.ts'

/** The lock that a server holds while it migrates (server/db/migrations/migrate.ts). */
const MIGRATION_LOCK = '7596518402916152'
/** Milliseconds for a server to get to the migration, on a busy machine. */
const TIMEOUT = 30_000

let folder: string

beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(async () => {
  await expectNoProcess(folder)
  await rm(folder, { recursive: true, force: true })
})

/** Expects exit code 1 and one sentence, which it returns. */
async function expectFailedStart(
  env: Record<string, string>,
  within: readonly string[] = [],
): Promise<string> {
  const { code, sentence } = await failToStart({ DATA_DIR: folder, ...env }, 'production build', within)
  expect(sentence).toMatch(/^[^\n]+\n$/)
  expect(code).toBe(1)
  return sentence
}

/** A server on a port of the loopback address that passes every connection to `handle`. */
async function listen(handle: Parameters<typeof createServer>[1]): Promise<{ port: string; server: Server }> {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { port: String(address.port), server }
}

describe('the production build exits with an error', { timeout: PROCESS_TIMEOUT }, () => {
  it('when the port is in use', async () => {
    const { port, server } = await listen((socket) => socket.destroy())
    const sentence = await expectFailedStart({ PORT: port })
    server.close()
    expect(sentence).toContain(`PORT is ${port}, but another program is using it`)
  })

  it.each([
    ['PORT', 'eighty', 'a whole number from 0 to 65535'],
    ['SITE_URL', 'intercede.example.org', 'https://'],
    ['RATE_LIMIT_FACTOR', '-1', 'a number above 0'],
  ])('when %s=%s, with name, value and what is accepted', async (name, value, accepted) => {
    const sentence = await expectFailedStart({ [name]: value })
    expect(sentence).toContain(name)
    expect(sentence).toContain(value)
    expect(sentence).toContain(accepted)
  })

  it('when an invalid value may contain a password, without repeating it', async () => {
    const sentence = await expectFailedStart({ DATABASE_URL: 'mysql://app:hush@localhost/app' })
    expect(sentence).toMatch(/^DATABASE_URL is \(hidden\), but must be .*postgresql:/)
    expect(sentence).not.toContain('hush')
  })

  it('when the database closes the connection, with its location and without the password', async () => {
    const { port, server } = await listen((socket) => socket.destroy())
    const sentence = await expectFailedStart({
      DATABASE_URL: `postgresql://app:hush@127.0.0.1:${port}/prayers`,
    })
    server.close()
    expect(sentence).toContain(`DATABASE_URL leads to the database "prayers" on 127.0.0.1 port ${port}`)
    expect(sentence).not.toContain('hush')
  })

  it('when the database becomes unavailable during the start', async () => {
    const database = await createEmptyDatabase()
    const { pool, url } = database
    const holder = await pool.connect()
    await holder.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    const failedStart = expectFailedStart({ DATABASE_URL: url })
    const terminate = async () => {
      const { rows } = await pool.query<{ terminated: boolean }>(
        `select pg_terminate_backend(pid) as terminated from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows
    }
    await expect.poll(terminate, { timeout: TIMEOUT }).toEqual([{ terminated: true }])
    expect(await failedStart).toBe(
      'The connection to the database was lost while Intercede started (terminating connection due to administrator command): ' +
        'start it again when the database is back.\n',
    )
    holder.release(true)
    await database.drop()
  })

  it('when the database is too old, without changing it', async () => {
    const database = await createEmptyDatabase()
    const { pool } = database
    // A function that shadows PostgreSQL's own makes the database report an old version.
    await pool.query(`create schema old_version`)
    await pool.query(
      `create function old_version.current_setting(name text) returns text language sql stable as $$
         select case name when 'server_version' then '14.9' when 'server_version_num' then '140009'
                else pg_catalog.current_setting(name) end $$`,
    )
    const name = new URL(database.url).pathname.slice(1)
    await pool.query(`alter database "${name}" set search_path = old_version, pg_catalog, public`)
    expect(await expectFailedStart({ DATABASE_URL: database.url })).toBe(
      'DATABASE_URL leads to PostgreSQL 14.9, and Intercede needs 15 or newer.\n',
    )
    const { rows } = await pool.query(
      `select nspname from pg_namespace where nspname in ('auth', 'intercede')`,
    )
    expect(rows).toEqual([])
    await database.drop()
  })

  it('when another server uses the folder, with the folder and the process', async () => {
    const site = await startSite({ DATA_DIR: folder }, embeddedUrl(folder))
    const sentence = await expectFailedStart({})
    expect(sentence).toContain(folder)
    expect(sentence).toContain(`process ${String(site.process.pid)}`)
    expect((await fetch(`${site.url}/auth/v1/health`)).status).toBeLessThan(500)
    expect(await site.process.end('SIGTERM')).toBe(0)
  })
})

/** KiB. With less than the first, Node.js itself ends, before any of its programs runs. */
it.each(['1000000', '4000000', '10000000'])(
  'the production build exits with an error when there are only %s KiB of address space',
  { timeout: PROCESS_TIMEOUT },
  async (limit) => {
    const within = ['sh', '-c', `ulimit -v ${limit}; exec "$@"`, 'sh']
    expect(await expectFailedStart({}, within)).toContain('There is too little address space for Node.js')
  },
)

/** A folder in which nothing can be created: by ordinary users for lack of permission, by root in the kernel's. */
async function unwritableFolder(): Promise<string> {
  if (process.getuid?.() === 0) return '/sys/kernel'
  const unwritable = join(folder, 'unwritable')
  await mkdir(unwritable)
  await chmod(unwritable, 0o500)
  return unwritable
}

describe('an unwritable folder', { timeout: PROCESS_TIMEOUT }, () => {
  it('is rejected when DATA_DIR would have to be created in it', async () => {
    const dataDir = join(await unwritableFolder(), 'new')
    expect(await expectFailedStart({ DATA_DIR: dataDir })).toContain(
      `The folder ${dataDir} (DATA_DIR) can't be used`,
    )
  })

  it('is rejected as DATA_DIR', async () => {
    const dataDir = await unwritableFolder()
    expect(await expectFailedStart({ DATA_DIR: dataDir })).toContain(
      `The folder ${dataDir} (DATA_DIR) can't be used`,
    )
  })

  it('is rejected, without an endless loop, in a file system that does not support new folders', async () => {
    const dataDir = '/proc/intercede/data'
    expect(await expectFailedStart({ DATA_DIR: dataDir })).toContain(
      `The folder ${dataDir} (DATA_DIR) can't be used`,
    )
  })
})
