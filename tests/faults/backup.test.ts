import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { PASSWORD, refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { createEmptyDatabase } from '#tests/support/database.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createRandom } from './random.ts'
import { type SimulatedUser, signUpUser } from './simulated-user.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'

const NAMES = ['anna', 'ben', 'carl']
/** Changes of each user where a fixed number is enough. */
const CHANGES = 40

let folder: string
let dataDir: string
let file: string
let site: Site

beforeEach(async () => {
  folder = await makeFolder()
  dataDir = join(folder, 'data')
  file = join(folder, 'backup.sql.gz')
  site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
})

afterEach(async () => {
  await site.process.end('SIGKILL')
  await expectNoProcess(folder)
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command of the production build as an operator does. */
function run(command: 'backup' | 'restore', name: string, env: Record<string, string>) {
  return launch(command, name, env).ended
}

/** Starts a command and does not wait. */
function launch(command: 'backup' | 'restore', name: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [join(PACKAGE_ROOT, 'dist', 'server', `${command}.js`), name], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, output }))
  return { child, ended }
}

/** Runs `work` while users send changes; resolves to its value. */
async function whileUsersWrite<Value>(
  users: readonly SimulatedUser[],
  work: () => Promise<Value>,
): Promise<Value> {
  let acknowledged = 0
  let isOver = false
  const count = () => {
    acknowledged += 1
  }
  const writing = users.map((user) => user.sendChanges(site, count, () => isOver))
  try {
    await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(30)
    const before = acknowledged
    const value = await work()
    expect(acknowledged).toBeGreaterThan(before)
    return value
  } finally {
    isOver = true
    await Promise.all(writing)
  }
}

/** Categories and prayers of all users. */
function rowsOf(url: string): Promise<object[]> {
  return query(
    url,
    `select id::text, user_id::text, name, "order" from public.categories
     union all select id::text, user_id::text, person_name, resolved::int from public.prayers order by 1`,
  )
}

describe('backing up a server', { timeout: 2 * PROCESS_TIMEOUT }, () => {
  it('under load contains the data of one moment, with which everyone can sign in on another machine', async () => {
    const users = await Promise.all(
      NAMES.map((name, index) => signUpUser(site, `${name}@example.org`, createRandom(index))),
    )
    const dora = await signUp(site, 'dora@example.org')
    const changes = () => users.map((user) => user.changes)
    const { code, output, before, after } = await whileUsersWrite(users, async () => {
      const early = changes()
      const outcome = await run('backup', file, { DATA_DIR: dataDir })
      return { ...outcome, before: early, after: changes() }
    })
    expect(output).toContain('Backed up 4 accounts')
    expect(code).toBe(0)

    const elsewhere = join(folder, 'elsewhere')
    const restored = await run('restore', file, { DATA_DIR: elsewhere })
    expect(restored).toMatchObject({ code: 0 })
    expect(restored.output).toContain('Restored 4 accounts')
    const copy = await startSite({ DATA_DIR: elsewhere }, embeddedUrl(elsewhere))
    try {
      // Sessions and passwords are in the backup too.
      expect((await refresh(copy, dora.refresh_token)).status).toBe(200)
      expect(copy.services.keys.anonKey).toBe(site.services.keys.anonKey)
      for (const name of NAMES) {
        expect(sessionOf(await signIn(copy, `${name}@example.org`, PASSWORD)).user.email).toContain(name)
      }
      // The backup has all changes of each user up to one of them, and none after it.
      for (const [index, user] of users.entries()) {
        const restoredChanges = await user.changesIn(copy)
        expect(restoredChanges).toBeGreaterThanOrEqual(before[index] ?? Infinity)
        // One more may have been executed and not yet acknowledged.
        expect(restoredChanges).toBeLessThanOrEqual((after[index] ?? 0) + 1)
      }
    } finally {
      await copy.process.end('SIGTERM')
    }
  })

  it('without load contains everything, restored into an external PostgreSQL and back', async () => {
    const users = await Promise.all(
      NAMES.map((name, index) => signUpUser(site, `${name}@example.org`, createRandom(index))),
    )
    await Promise.all(
      users.map((user) =>
        user.sendChanges(
          site,
          () => {},
          () => user.changes >= CHANGES,
        ),
      ),
    )
    const rows = await rowsOf(embeddedUrl(dataDir))
    expect(rows.length).toBeGreaterThan(20)
    // With the server stopped, the command starts and stops the database itself.
    expect(await site.process.end('SIGTERM')).toBe(0)
    expect(await run('backup', 'backup.sql.gz', { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    await expectNoProcess(dataDir)

    const external = await createEmptyDatabase()
    expect(await run('restore', file, { DATABASE_URL: external.url })).toMatchObject({ code: 0 })
    expect(await rowsOf(external.url)).toEqual(rows)
    const back = join(folder, 'back.sql.gz')
    expect(await run('backup', back, { DATABASE_URL: external.url })).toMatchObject({ code: 0 })
    await external.drop()
    const elsewhere = join(folder, 'elsewhere')
    expect(await run('restore', back, { DATA_DIR: elsewhere })).toMatchObject({ code: 0 })
    site = await startSite({ DATA_DIR: elsewhere }, embeddedUrl(elsewhere))
    expect(await rowsOf(embeddedUrl(elsewhere))).toEqual(rows)
    expect((await signIn(site, 'anna@example.org', PASSWORD)).status).toBe(200)
  })

  it('reports in one sentence why it failed, and does not disturb the server', async () => {
    await signUp(site, 'anna@example.org')
    expect(await run('backup', '', { DATA_DIR: dataDir })).toEqual({
      code: 1,
      output: 'Name one file: npm run backup -- FILE\n',
    })
    const nowhere = join(folder, 'nowhere')
    expect(await run('backup', file, { DATA_DIR: nowhere })).toEqual({
      code: 1,
      output: `There is no database in ${nowhere} (DATA_DIR): there is nothing to back up.\n`,
    })
    await writeFile(file, 'no backup')
    expect((await run('restore', file, { DATA_DIR: nowhere })).output).toContain('not an Intercede backup')
    expect(await readdir(folder)).not.toContain('nowhere')
    await rm(file)
    expect(await run('backup', file, { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    const used = await run('restore', file, { DATA_DIR: dataDir })
    expect(used.code).toBe(1)
    expect(used.output).toContain(`is in use by another Intercede (process ${String(site.process.pid)})`)
    expect((await signIn(site, 'anna@example.org', PASSWORD)).status).toBe(200)
  })
})

describe('temporary files', { timeout: 2 * PROCESS_TIMEOUT }, () => {
  const unfinished = async () => (await readdir(folder)).filter((name) => name.includes('.unfinished-'))

  /** Runs `work` while backups in progress have to wait. */
  async function whileBackupsWait<Value>(work: () => Promise<Value>): Promise<Value> {
    const blocker = new Client({ connectionString: embeddedUrl(dataDir) })
    await blocker.connect()
    try {
      await blocker.query('begin')
      await blocker.query('lock table public.prayers')
      return await work()
    } finally {
      await blocker.end()
    }
  }

  it('of a killed backup are removed by the next one', async () => {
    await whileBackupsWait(async () => {
      const { child, ended } = launch('backup', file, { DATA_DIR: dataDir })
      await expect.poll(unfinished, { timeout: 10_000 }).toHaveLength(1)
      child.kill('SIGKILL')
      await ended
    })
    expect(await unfinished()).toHaveLength(1)
    const next = join(folder, 'next.sql.gz')
    expect(await run('backup', next, { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    expect(await readdir(folder)).toEqual(['data', 'next.sql.gz'])
  })

  it('of a backup in progress, or of another machine, are left alone', async () => {
    const elsewhere = 'backup.sql.gz.unfinished-elsewhere-1234'
    await writeFile(join(folder, elsewhere), '')
    const { first, second } = await whileBackupsWait(async () => {
      const launched = launch('backup', file, { DATA_DIR: dataDir })
      await expect.poll(unfinished, { timeout: 10_000 }).toHaveLength(2)
      const next = launch('backup', join(folder, 'next.sql.gz'), { DATA_DIR: dataDir })
      await expect.poll(unfinished, { timeout: 10_000 }).toHaveLength(3)
      return { first: launched, second: next }
    })
    expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(await unfinished()).toEqual([elsewhere])
  })
})
