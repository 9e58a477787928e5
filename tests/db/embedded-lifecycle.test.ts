import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { withConnection, withExistingDatabase } from '#server/backup/connect.ts'
import { claimCluster } from '#server/db/embedded/cluster-lock.ts'
import { copyDatabaseInto, makeFolder } from '#tests/support/data-folder.ts'
import { expectNoProcess, launchIntercede } from '#tests/support/intercede-process.ts'

let dataDir: string
let started: EmbeddedPostgres[]

beforeEach(async () => {
  dataDir = await makeFolder()
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((postgres) => postgres.stop()))
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder })
  started.push(postgres)
  return postgres
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

// On Windows, there are neither sockets nor signals (loopback.test.ts).
describe.skipIf(process.platform === 'win32')('starting and stopping', () => {
  it('creates a private folder at the first start, after an interrupted one, and finds the data at the next', async () => {
    await mkdir(join(dataDir, 'postgres.unfinished-Ab12Cd', 'base'), { recursive: true })
    const first = await start()
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'socket'])
    expect(await modeOf(join(dataDir, 'postgres'))).toBe(0o700)
    expect(await modeOf(join(dataDir, 'socket'))).toBe(0o700)
    await withConnection(first.url, async (client) => {
      // It listens on its socket only, and the server is no superuser.
      const { rows } = await client.query(
        `select current_setting('listen_addresses') as addresses,
                (select rolsuper from pg_roles where rolname = current_user) as superuser,
                current_setting('data_checksums') as checksums,
                current_setting('fsync') || current_setting('synchronous_commit') as durable`,
      )
      expect(rows).toEqual([{ addresses: '', superuser: false, checksums: 'on', durable: 'onon' }])
      await client.query(`create table public.notes as select 'kept' as text`)
    })
    await first.stop()
    await expectNoProcess(dataDir)
    await withConnection((await start()).url, async (client) => {
      expect((await client.query('select text from public.notes')).rows).toEqual([{ text: 'kept' }])
    })
  })

  it.runIf(process.platform === 'linux')('keeps no connection large after an import', async () => {
    await copyDatabaseInto(dataDir)
    const postgres = await start()
    const category = { id: randomUUID(), name: 'Family', order: 1 }
    const prayers = Array.from({ length: 1300 }, () => ({
      id: randomUUID(),
      category_id: category.id,
      person_name: 'Ruth',
      note: 'x'.repeat(7500),
      created_at: '2026-01-01T00:00:00Z',
    }))
    const memory = await withConnection(postgres.url, async (client) => {
      // As the server calls it, which takes more than 150 MB.
      await client.query(
        `select i.* from json_to_record($1::json) as b(data json), lateral public.import_prayers(b.data, true) as i`,
        [JSON.stringify({ data: { categories: [category], prayers } })],
      )
      return await memoryOf(client)
    })
    expect(memory).toBeLessThan(50 * 1024)
  })

  /** KiB that the connection's process has for itself. */
  async function memoryOf(client: Client): Promise<number> {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const status = await readFile(`/proc/${String(rows[0]?.pid)}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1])
  }

  it('exits cleanly when it is stopped during the start', async () => {
    const server = launchIntercede({ DATA_DIR: dataDir })
    await expect.poll(() => readdir(dataDir)).not.toEqual([])
    expect(await server.end('SIGINT')).toBe(0)
  })

  it('creates a temporary folder for the socket if its path would be too long, and removes it', async () => {
    const deep = join(dataDir, 'x'.repeat(100))
    await mkdir(deep)
    await copyDatabaseInto(deep)
    const postgres = await start(deep)
    const lock = await readFile(join(deep, 'postgres', 'postmaster.pid'), 'utf8')
    const socketFolder = lock.split('\n')[4] ?? ''
    expect(await modeOf(socketFolder)).toBe(0o700)
    await postgres.stop()
    await expect(stat(socketFolder)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe.skipIf(process.platform === 'win32')('a folder of another user', () => {
  const isRoot = process.getuid?.() === 0

  // Root becomes another user; anybody else loses access to their own folder.
  beforeEach(async () => {
    if (isRoot) process.seteuid?.(65_534)
    else await chmod(dataDir, 0)
  })
  afterEach(async () => {
    if (isRoot) process.seteuid?.(0)
    else await chmod(dataDir, 0o700)
  })

  it('is not taken for one in use, or for one without a database', async () => {
    await expect(claimCluster(join(dataDir, 'postgres'))).rejects.toThrow(
      `The folder ${dataDir}/postgres belongs to another user: start Intercede as that user`,
    )
    await expect(withExistingDatabase({ databaseUrl: null, dataDir }, async () => {})).rejects.toThrow(
      `This user has no access to the database in ${dataDir} (DATA_DIR).`,
    )
  })
})

describe.runIf(process.platform === 'linux')('as root where user namespaces are forbidden', () => {
  /** A PATH without `unshare`. */
  async function pathWithoutNamespaces(): Promise<string> {
    const folder = join(dataDir, 'bin')
    await mkdir(folder)
    const folders = (process.env['PATH'] ?? '').split(delimiter)
    for (const tool of ['sh', 'sleep', 'rm']) {
      const found = folders.map((entry) => join(entry, tool)).find((file) => existsSync(file))
      if (found !== undefined) await symlink(found, join(folder, tool))
    }
    return folder
  }

  /** Whether the user `nobody` can access the programs, unlike in a clone below root’s home. */
  function canNobodyAccessPrograms(): boolean {
    const { status } = spawnSync('sh', ['-c', 'test -x "$0"', join(PACKAGE_ROOT, 'node_modules')], {
      ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      cwd: '/',
    })
    return status === 0
  }

  const isRoot = process.getuid?.() === 0

  it.each([
    [
      'runs PostgreSQL as another user, or reports that this user has no access to the programs',
      0o711,
      () => (canNobodyAccessPrograms() ? 'started' : "PostgreSQL can't run as root"),
    ],
    [
      'reports that no other user has access to the folder',
      0o700,
      () => (isRoot ? 'start Intercede as an ordinary user' : 'started'),
    ],
  ])('%s', async (_what, mode, expected) => {
    await chmod(dataDir, mode)
    const server = launchIntercede({ DATA_DIR: join(dataDir, 'data'), PATH: await pathWithoutNamespaces() })
    const outcome = await server.ready.then(() => 'started', String)
    await server.end('SIGTERM')
    expect(outcome).toContain(expected())
  })
})
