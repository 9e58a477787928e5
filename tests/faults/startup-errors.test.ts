import { once } from 'node:events'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyDatabaseInto, makeFolder } from '#tests/support/data-folder.ts'
import { createEmptyDatabase, createTestDatabase, waitForLocks } from '#tests/support/database.ts'
import { expectNoProcess, failToStart } from '#tests/support/intercede-process.ts'
import { replacing, tapWire } from '#tests/support/wire-tap.ts'
import { embeddedUrl, query, startSite } from './site.ts'

/** The lock that a server holds while it migrates (server/db/migrations/migrate.ts). */
const MIGRATION_LOCK = '7596518402916152'

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
  const { code, sentence } = await failToStart({ DATA_DIR: folder, ...env }, within)
  expect(sentence).toMatch(/^[^\n]+\n$/)
  expect(code).toBe(1)
  return sentence.trimEnd()
}

/** A server on a port of the loopback address that closes every connection. */
async function takePort(): Promise<{ port: string; server: Server }> {
  const server = createServer((socket) => socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { port: String(address.port), server }
}

/** A folder in which nothing can be created: by ordinary users for lack of permission, by root in the kernel's. */
async function unwritableFolder(): Promise<string> {
  if (process.getuid?.() === 0) return '/sys/kernel'
  const unwritable = join(folder, 'unwritable')
  await mkdir(unwritable)
  await chmod(unwritable, 0o500)
  return unwritable
}

describe('a server does not start, and says why in one sentence,', () => {
  it.each([
    ['JWT_EXPIRY', 'soon', 'JWT_EXPIRY is "soon", but must be a whole number from 120 to 604800.'],
    // The value may contain a password.
    [
      'DATABASE_URL',
      'mysql://app:hush@localhost/app',
      /^(?!.*hush)DATABASE_URL is \(hidden\), but must be .*postgresql:/,
    ],
    // By a call that matters for what it throws, which the build must keep.
    ['SMTP_URL', 'smtp://a:b%zz@mail', /^SMTP_URL is \(hidden\), but must be .*%25/],
  ])('when %s is %s', async (name, value, sentence) => {
    expect(await expectFailedStart({ PORT: '3999', [name]: value })).toMatch(sentence)
  })

  it('when the machine does not have the address', async () => {
    await copyDatabaseInto(folder)
    expect(await expectFailedStart({ PORT: '3999', HOST: '192.0.2.1' })).toContain(
      'HOST is "192.0.2.1", but this machine does not have that address',
    )
  })

  it('when the port is in use', async () => {
    await copyDatabaseInto(folder)
    const { port, server } = await takePort()
    expect(await expectFailedStart({ PORT: port })).toBe(
      `PORT is ${port}, but another program is using it: stop that program, or set PORT to another number.`,
    )
    server.close()
  })

  it('when the database closes the connection or does not respond, without the password', async () => {
    const { port, server } = await takePort()
    const place = `DATABASE_URL leads to the database "prayers" on 127.0.0.1 port ${port}`
    const env = { DATABASE_URL: `postgresql://app:hush@127.0.0.1:${port}/prayers` }
    const sentence = await expectFailedStart(env)
    expect(sentence).toContain(place)
    expect(sentence).not.toContain('hush')
    server.close()
    // Unlike a port that was just released, this one is not given to another program.
    expect(await expectFailedStart({ DATABASE_URL: 'postgresql://app:hush@127.0.0.1:1/prayers' })).toBe(
      `DATABASE_URL leads to the database "prayers" on 127.0.0.1 port 1, which can't be used: connect ECONNREFUSED 127.0.0.1:1.`,
    )
  })

  it('when a connection pooler ignores the role of data connections', async () => {
    const database = await createTestDatabase()
    const option = '-c role=intercede_data'
    const pooler = await tapWire(database.url, replacing(option, ' '.repeat(option.length)))
    expect(await expectFailedStart({ DATABASE_URL: pooler.url })).toMatch(
      /^DATABASE_URL leads to a connection pooler that ignores connection options \(connections start as ".+", not as "intercede_data"\)\. For a connection pooler, set DATA_DATABASE_URL as well \(see docs\/hosting\.md\)\.$/,
    )
    await pooler.close()
    await database.drop()
  })

  it('when the tables belong to another role, or the database lacks the encryption that was asked for', async () => {
    const database = await createTestDatabase()
    const connectAs = (name: string, value: string) => {
      const url = new URL(database.url)
      url.searchParams.set(name, value)
      return expectFailedStart({ DATABASE_URL: url.href })
    }
    const role = `intercede_other_${new URL(database.url).pathname.slice(-12)}`
    await database.pool.query(`create role ${role} login createrole`)
    expect(await connectAs('user', role)).toMatch(
      new RegExp(
        `^DATABASE_URL: the tables in the database ".+" belong to the role ".+", and "${role}" may not change`,
      ),
    )
    await database.pool.query(`drop role ${role}`)
    expect(await connectAs('sslmode', 'require')).toMatch(
      /^DATABASE_URL leads to .+, which can't be used: The server does not support SSL connections\.$/,
    )
    await database.drop()
  })

  it('when the database becomes unavailable during the start', async () => {
    const database = await createEmptyDatabase()
    const { pool, url, env } = database
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    const failedStart = expectFailedStart(env)
    await waitForLocks(pool, 1)
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    expect(await failedStart).toBe(
      'The connection to the database was lost while Intercede started (terminating connection due to administrator command): ' +
        'start it again when the database is back.',
    )
    await holder.end()
    await database.drop()
  })

  it('when the database is too old, without changing it', async () => {
    const database = await createEmptyDatabase()
    // A function that shadows PostgreSQL's own makes the database report an old version.
    const name = new URL(database.url).pathname.slice(1)
    await database.pool.query(
      `create schema old_version;
       create function old_version.current_setting(name text) returns text language sql stable as $$
         select case name when 'server_version' then '14.9' when 'server_version_num' then '140009'
                else pg_catalog.current_setting(name) end $$;
       alter database "${name}" set search_path = old_version, pg_catalog, public`,
    )
    expect(await expectFailedStart({ DATABASE_URL: database.url })).toBe(
      'DATABASE_URL leads to PostgreSQL 14.9, and Intercede needs 15 or newer.',
    )
    const ours = `select nspname from pg_namespace where nspname in ('auth', 'intercede')`
    expect(await query(database.url, ours)).toEqual([])
    await database.drop()
  })

  it('when another server uses the folder, and does not disturb it', async () => {
    await copyDatabaseInto(folder)
    const site = await startSite({ DATA_DIR: folder }, embeddedUrl(folder))
    expect(await expectFailedStart({})).toBe(
      `The folder ${folder}/postgres is in use by another Intercede (process ${String(site.process.pid)}): ` +
        'stop that one first, or set DATA_DIR to another folder.',
    )
    expect((await fetch(`${site.url}/auth/v1/health`)).status).toBeLessThan(500)
    expect(await query(embeddedUrl(folder), 'select 1 as undisturbed')).toEqual([{ undisturbed: 1 }])
    expect(await site.process.end('SIGTERM')).toBe(0)
  })

  // With less than the first, Node.js itself ends, before any of its programs runs.
  it.each(['1000000', '4000000', '10000000'])(
    'when there are only %s KiB of address space',
    async (limit) => {
      const within = ['sh', '-c', `ulimit -v ${limit}; exec "$@"`, 'sh']
      expect(await expectFailedStart({}, within)).toContain('There is too little address space for Node.js')
    },
  )

  it.each([
    ['would have to be created in an unwritable folder', async () => join(await unwritableFolder(), 'new')],
    ['is unwritable', unwritableFolder],
    [
      'would have to be created in a file',
      async () => {
        await writeFile(join(folder, 'letter.txt'), 'dear')
        return join(folder, 'letter.txt', 'data')
      },
    ],
    // Without an endless loop.
    ['is in a file system that does not support new folders', () => Promise.resolve('/proc/intercede/data')],
  ])('when DATA_DIR %s', async (_what, choose) => {
    const dataDir = await choose()
    expect(await expectFailedStart({ DATA_DIR: dataDir })).toContain(
      `The folder ${dataDir} (DATA_DIR) can't be used`,
    )
  })
})
