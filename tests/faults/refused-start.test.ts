import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '#tests/support/database.ts'
import { expectNoProcess, failToStart } from '#tests/support/intercede-process.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, startSite } from './site.ts'

/** The lock under which servers take turns to migrate (server/db/migrations/migrate.ts). */
const MIGRATION_LOCK = '7596518402916152'
/** Milliseconds for a server to come that far, on a machine that has other things to do. */
const PATIENCE = 30_000

let folder: string

beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(async () => {
  await expectNoProcess(folder)
  await rm(folder, { recursive: true, force: true })
})

/** Expects exit code 1 and one sentence, which it gives. */
async function expectRefusal(env: Record<string, string>): Promise<string> {
  const { code, sentence } = await failToStart({ DATA_DIR: folder, ...env }, 'production build')
  expect(sentence).toMatch(/^[^\n]+\n$/)
  expect(code).toBe(1)
  return sentence
}

/** A server on a port of the loopback address that treats every connection the same. */
async function listen(greet: Parameters<typeof createServer>[1]): Promise<{ port: string; server: Server }> {
  const server = createServer(greet)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return { port: String(address.port), server }
}

describe('the production build does not start', { timeout: PROCESS_TIMEOUT }, () => {
  it('on a busy port', async () => {
    const { port, server } = await listen((socket) => socket.destroy())
    const sentence = await expectRefusal({ PORT: port })
    server.close()
    expect(sentence).toContain(`PORT is ${port}, which another program is using`)
  })

  it.each([
    ['PORT', 'eighty', 'a whole number from 0 to 65535'],
    ['SITE_URL', 'intercede.example.org', 'https://'],
    ['RATE_LIMIT_FACTOR', '-1', 'a number above 0'],
  ])('with %s=%s, and names variable, value and what is accepted', async (name, value, accepted) => {
    const sentence = await expectRefusal({ [name]: value })
    expect(sentence).toContain(name)
    expect(sentence).toContain(value)
    expect(sentence).toContain(accepted)
  })

  it('with a wrong value that may hold a password, and does not repeat it', async () => {
    const sentence = await expectRefusal({ DATABASE_URL: 'mysql://app:hush@localhost/app' })
    expect(sentence).toMatch(/^DATABASE_URL is \(hidden\), but must be .*postgresql:/)
    expect(sentence).not.toContain('hush')
  })

  it('on a database that hangs up, and names the place without the password', async () => {
    const { port, server } = await listen((socket) => socket.destroy())
    const sentence = await expectRefusal({ DATABASE_URL: `postgresql://app:hush@127.0.0.1:${port}/prayers` })
    server.close()
    expect(sentence).toContain(`DATABASE_URL leads to the database "prayers" on 127.0.0.1 port ${port}`)
    expect(sentence).not.toContain('hush')
  })

  it('on a database that goes away meanwhile', async () => {
    const database = await createEmptyDatabase()
    const { pool, url } = database
    const holder = await pool.connect()
    await holder.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
    const refusal = expectRefusal({ DATABASE_URL: url })
    const cut = async () => {
      const { rows } = await pool.query<{ cut: boolean }>(
        `select pg_terminate_backend(pid) as cut from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows
    }
    await expect.poll(cut, { timeout: PATIENCE }).toEqual([{ cut: true }])
    expect(await refusal).toBe(
      'The connection to the database was lost while Intercede started (terminating connection due to administrator command): ' +
        'start it again when the database is back.\n',
    )
    holder.release(true)
    await database.drop()
  })

  it('on a database that is too old, and leaves it as it is', async () => {
    const database = await createEmptyDatabase()
    const { pool } = database
    // What the server asks is looked up here first: this database says of itself that it is an old one.
    await pool.query(`create schema past`)
    await pool.query(
      `create function past.current_setting(name text) returns text language sql stable as $$
         select case name when 'server_version' then '14.9' when 'server_version_num' then '140009'
                else pg_catalog.current_setting(name) end $$`,
    )
    const name = new URL(database.url).pathname.slice(1)
    await pool.query(`alter database "${name}" set search_path = past, pg_catalog, public`)
    expect(await expectRefusal({ DATABASE_URL: database.url })).toBe(
      'DATABASE_URL leads to PostgreSQL 14.9, and Intercede needs 15 or newer.\n',
    )
    const { rows } = await pool.query(
      `select nspname from pg_namespace where nspname in ('auth', 'intercede')`,
    )
    expect(rows).toEqual([])
    await database.drop()
  })

  it('beside another one on the same folder, and names folder and process', async () => {
    const site = await startSite({ DATA_DIR: folder }, embeddedUrl(folder))
    const sentence = await expectRefusal({})
    expect(sentence).toContain(folder)
    expect(sentence).toContain(`process ${String(site.process.pid)}`)
    expect((await fetch(`${site.url}/auth/v1/health`)).status).toBeLessThan(500)
    expect(await site.process.end('SIGTERM')).toBe(0)
  })
})

/** Folders in which nothing can be made: for an ordinary user one that is closed, for root those of the kernel. */
async function closedFolder(): Promise<string> {
  if (process.getuid?.() === 0) return '/sys/kernel'
  const closed = join(folder, 'closed')
  await mkdir(closed)
  await chmod(closed, 0o500)
  return closed
}

describe('a folder that can not be written', { timeout: PROCESS_TIMEOUT }, () => {
  it('is refused when it is to be made there', async () => {
    const dataDir = join(await closedFolder(), 'new')
    expect(await expectRefusal({ DATA_DIR: dataDir })).toContain(
      `The folder ${dataDir} (DATA_DIR) can't be used`,
    )
  })

  it('is refused when it exists', async () => {
    const dataDir = await closedFolder()
    expect(await expectRefusal({ DATA_DIR: dataDir })).toContain(
      `The folder ${dataDir} (DATA_DIR) can't be used`,
    )
  })

  it('is refused, rather than tried for ever, by a file system that knows no new folders', async () => {
    const dataDir = '/proc/intercede/data'
    expect(await expectRefusal({ DATA_DIR: dataDir })).toContain(
      `The folder ${dataDir} (DATA_DIR) can't be used`,
    )
  })
})
