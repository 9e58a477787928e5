import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '#server/db/pool.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import {
  expectNoProcess,
  failToStart,
  launchIntercede,
  processesNaming,
  startIntercede,
  type IntercedeProcess,
} from '#tests/support/intercede-process.ts'

let dataDir: string
let started: IntercedeProcess[]
let pools: Pool[]

beforeEach(async () => {
  dataDir = await realpath(await mkdtemp(join(tmpdir(), 'intercede-life-')))
  started = []
  pools = []
})

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await Promise.all(started.map((server) => server.end('SIGTERM')))
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

async function start(folder = dataDir): Promise<IntercedeProcess> {
  const server = await startIntercede({ DATA_DIR: folder })
  started.push(server)
  return server
}

/** Connections to the database in the folder, with the server's role. */
function connectTo(folder = dataDir): Pool {
  const pool = createPool({ url: `postgresql:///intercede?host=${folder}/socket&user=intercede`, max: 4 })
  pools.push(pool)
  return pool
}

async function addNote(pool: Pool, text: string): Promise<void> {
  await pool.query('create table if not exists public.notes (text text)')
  await pool.query('insert into public.notes values ($1)', [text])
}

async function notes(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>('select text from public.notes order by text')
  return rows.map((row) => row.text)
}

async function postgresPid(): Promise<number> {
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(lock.split('\n')[0])
}

describe('starting and stopping', () => {
  it('creates a private folder at the first start, and finds the data at the next', async () => {
    const first = await start()
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'socket'))).mode & 0o777).toBe(0o700)
    await addNote(connectTo(), 'kept')
    expect(await first.end('SIGTERM')).toBe(0)
    await expectNoProcess(dataDir)
    await start()
    expect(await notes(connectTo())).toEqual(['kept'])
  })

  it('listens on its socket only, and the server is no superuser', async () => {
    await start()
    const { rows } = await connectTo().query(
      `select current_setting('listen_addresses') as addresses,
              (select rolsuper from pg_roles where rolname = current_user) as superuser,
              current_setting('data_checksums') as checksums,
              current_setting('fsync') || current_setting('synchronous_commit') as durable`,
    )
    expect(rows).toEqual([{ addresses: '', superuser: false, checksums: 'on', durable: 'onon' }])
  })

  it.runIf(process.platform === 'linux')('keeps no connection large after an import', async () => {
    await start()
    const client = await connectTo().connect()
    const category = { id: randomUUID(), name: 'Family', order: 1 }
    const prayers = Array.from({ length: 1300 }, () => ({
      id: randomUUID(),
      category_id: category.id,
      person_name: 'Ruth',
      note: 'x'.repeat(7500),
      created_at: '2026-01-01T00:00:00Z',
    }))
    // As the server calls it, which takes more than 150 MB.
    await client.query(
      `select i.* from json_to_record($1::json) as b(data json), lateral public.import_prayers(b.data, true) as i`,
      [JSON.stringify({ data: { categories: [category], prayers } })],
    )
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    client.release()
    const status = await readFile(`/proc/${String(rows[0]?.pid)}/status`, 'utf8')
    const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? []
    expect(Number(kibibytes)).toBeLessThan(50 * 1024)
  })

  it('exits cleanly when it is stopped during the start', async () => {
    const server = launchIntercede({ DATA_DIR: dataDir })
    started.push(server)
    await expect.poll(() => readdir(dataDir), { timeout: 20_000 }).not.toEqual([])
    expect(await server.end('SIGINT')).toBe(0)
  })

  it('creates a temporary folder for the socket if its path would be too long, and removes it', async () => {
    const deep = join(dataDir, 'x'.repeat(100))
    const server = await start(deep)
    const lock = await readFile(join(deep, 'postgres', 'postmaster.pid'), 'utf8')
    const socketFolder = lock.split('\n')[4] ?? ''
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700)
    expect(await server.end('SIGTERM')).toBe(0)
    await expect(stat(socketFolder)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('as root where user namespaces are forbidden', () => {
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

  it('runs PostgreSQL as another user, or reports that this user has no access to the programs', async () => {
    await chmod(dataDir, 0o711)
    const server = launchIntercede({ DATA_DIR: join(dataDir, 'data'), PATH: await pathWithoutNamespaces() })
    started.push(server)
    const outcome = await server.ready.then(
      () => 'started',
      (error: unknown) => String(error),
    )
    expect(outcome).toContain(canNobodyAccessPrograms() ? 'started' : "PostgreSQL can't run as root")
  })

  it('reports that no other user has access to the folder', async () => {
    const server = launchIntercede({ DATA_DIR: join(dataDir, 'data'), PATH: await pathWithoutNamespaces() })
    started.push(server)
    const outcome = await server.ready.then(
      () => 'started',
      (error: unknown) => String(error),
    )
    const isRoot = process.getuid?.() === 0
    expect(outcome).toContain(isRoot ? 'start Intercede as an ordinary user' : 'started')
  })
})

describe('after a SIGKILL', () => {
  it('of the server during writes, no process is left, and the next start has every acknowledged write', async () => {
    const server = await start()
    const pool = connectTo()
    await addNote(pool, 'first')
    const acknowledged: string[] = ['first']
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 0; ; turn += 1) {
        const text = `${String(writer)}-${String(turn)}`
        await pool.query('insert into public.notes values ($1)', [text])
        acknowledged.push(text)
      }
    })
    const stopped = Promise.allSettled(writers)
    await expect.poll(() => acknowledged.length).toBeGreaterThan(100)
    await server.end('SIGKILL')
    await stopped
    await expectNoProcess(dataDir)
    await start()
    const stored = new Set(await notes(connectTo()))
    expect(acknowledged.filter((text) => !stored.has(text))).toEqual([])
  })

  it('of PostgreSQL, the server restarts it with all data', async () => {
    const server = await start()
    const pool = connectTo()
    await addNote(pool, 'kept')
    const before = await postgresPid()
    process.kill(before, 'SIGKILL')
    await expect.poll(() => postgresPid().catch(() => before), { timeout: 20_000 }).not.toBe(before)
    await expect.poll(() => notes(pool).catch(() => 'unavailable'), { timeout: 20_000 }).toEqual(['kept'])
    const response = await fetch(`${await server.ready}/auth/v1/health`)
    expect(response.status).toBeLessThan(500)
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('of server and supervisor, the next start stops the PostgreSQL that is left', async () => {
    const server = await start()
    await addNote(connectTo(), 'kept')
    const orphan = await postgresPid()
    // The name of the supervisors' shells.
    const shells = await processesNaming('intercede-postgres')
    const ours = new Set(await processesNaming(dataDir))
    const supervisors = shells.filter((pid) => ours.has(pid))
    expect(supervisors).not.toEqual([])
    for (const pid of supervisors) process.kill(pid, 'SIGKILL')
    await server.end('SIGKILL')
    process.kill(orphan, 0)
    await start()
    expect(await postgresPid()).not.toBe(orphan)
    expect(await notes(connectTo())).toEqual(['kept'])
  })
})

describe('a data folder', () => {
  it('is rejected while another server uses it, with the folder and the process', async () => {
    const first = await start()
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(sentence).toBe(
      `The folder ${dataDir}/postgres is in use by another Intercede (process ${String(first.pid)}): ` +
        'stop that one first, or set DATA_DIR to another folder.\n',
    )
    await addNote(connectTo(), 'undisturbed')
  })

  it('can be used when the process id in its lock belongs to another program', async () => {
    const first = await start()
    await first.end('SIGTERM')
    const lock = `${String(process.pid)}\n${dataDir}/postgres\n1700000000\n5432\n${dataDir}/socket\n\n0 0\nready\n`
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lock)
    await start()
    expect(await postgresPid()).not.toBe(process.pid)
  })

  it('can be used after an interrupted first start', async () => {
    await mkdir(join(dataDir, 'postgres.unfinished-Ab12Cd', 'base'), { recursive: true })
    await start()
    expect((await readdir(dataDir)).toSorted()).toEqual(['postgres', 'socket'])
  })

  it('is rejected when it contains something else', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear')
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(sentence).toContain(`The folder ${dataDir}/postgres holds files but no complete database`)
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['letter.txt'])
  })

  it('is rejected when it is from another version of PostgreSQL', async () => {
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    const { code, sentence } = await failToStart({ DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(sentence).toContain('holds a database of PostgreSQL 17, and this is PostgreSQL 18')
  })

  it('is rejected when it cannot be created', async () => {
    await writeFile(join(dataDir, 'file'), '')
    const { code, sentence } = await failToStart({ DATA_DIR: join(dataDir, 'file', 'data') })
    expect(code).toBe(1)
    expect(sentence).toContain(`The folder ${dataDir}/file/data (DATA_DIR) can't be used`)
  })
})
