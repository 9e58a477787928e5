import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '#server/db/pool.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { refresh, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { readKeptRows } from '#tests/support/all-rows.ts'
import { makeDataFolder, makeFolder } from '#tests/support/data-folder.ts'
import { createEmptyDatabase } from '#tests/support/database.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { signUpUsers, startLoad } from './load.ts'
import { embeddedUrl, type Site, startSite } from './site.ts'

let folder: string
let dataDir: string
let file: string
let site: Site

/** One server for all tests, which use users of their own. */
beforeAll(async () => {
  dataDir = await makeDataFolder()
  site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
})
afterAll(async () => {
  await site.process.end('SIGKILL')
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

beforeEach(async () => {
  folder = await makeFolder()
  file = join(folder, 'backup.sql.gz')
})
afterEach(async () => {
  await expectNoProcess(folder)
  await rm(folder, { recursive: true, force: true })
})

/** Runs a command of the production build as an operator does. */
function run(command: 'backup' | 'restore', name: string, env: Record<string, string>, ...flags: string[]) {
  return launch(command, name, env, flags).ended
}

/** Starts a command and does not wait. */
function launch(
  command: 'backup' | 'restore',
  name: string,
  env: Record<string, string>,
  flags: readonly string[] = [],
) {
  const program = join(PACKAGE_ROOT, 'dist', 'server', `${command}.js`)
  const child = spawn(process.execPath, [program, name, ...flags], {
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

async function rowsOf(url: string): Promise<Record<string, string[]>> {
  const pool = createPool({ url })
  try {
    return await readKeptRows(pool)
  } finally {
    await pool.end()
  }
}

describe('backing up a server', () => {
  it('under load contains the data of one moment, with which everyone can sign in on another machine', async () => {
    const users = await signUpUsers(site, ['anna', 'ben', 'carl'])
    const dora = await signUp(site, 'dora@example.org')
    const changes = () => users.map((user) => user.changes)
    const load = startLoad(site, users)
    await load.reach(30)
    const before = changes()
    const { code, output } = await run('backup', file, { DATA_DIR: dataDir })
    const after = changes()
    await load.stop()
    expect(output).toContain('Backed up 4 accounts')
    expect(code).toBe(0)

    const elsewhere = join(folder, 'elsewhere')
    const restored = await run('restore', file, { DATA_DIR: elsewhere }, '--keep-sessions')
    expect(restored).toMatchObject({ code: 0 })
    expect(restored.output).toContain('Restored 4 accounts')
    expect(restored.output).toContain(` into ${elsewhere}.`)
    expect(restored.output).not.toContain('sign in again')
    const copy = await startSite({ DATA_DIR: elsewhere }, embeddedUrl(elsewhere))
    try {
      // Sessions and passwords are in the backup too.
      expect((await refresh(copy, dora.refresh_token)).status).toBe(200)
      expect(copy.services.keys.anonKey).toBe(site.services.keys.anonKey)
      expect((await signIn(copy, 'anna@example.org')).status).toBe(200)
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

  it('reports in one sentence why it failed, and does not disturb the server', async () => {
    expect(await run('backup', '', { DATA_DIR: dataDir })).toEqual({
      code: 1,
      output: 'Name one file: npm run backup -- FILE\n',
    })
    const nowhere = join(folder, 'nowhere')
    expect(await run('backup', file, { DATA_DIR: nowhere })).toEqual({
      code: 1,
      output: `There is no database in ${nowhere} (DATA_DIR).\n`,
    })
    await writeFile(file, 'no backup')
    expect((await run('restore', file, { DATA_DIR: nowhere })).output).toContain('not an Intercede backup')
    expect(await readdir(folder)).toEqual(['backup.sql.gz'])
    await rm(file)
    expect(await run('backup', file, { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    const used = await run('restore', file, { DATA_DIR: dataDir })
    expect(used.code).toBe(1)
    expect(used.output).toContain(`is in use by another Intercede (process ${String(site.process.pid)})`)
    await signUp(site, 'erin@example.org')
  })

  it('leaves the temporary files of backups in progress, or of another machine, and removes those of killed ones', async () => {
    const unfinished = async () =>
      (await readdir(folder)).filter((name) => name.includes('.unfinished-')).toSorted()
    const elsewhere = 'backup.sql.gz.unfinished-elsewhere-1234'
    await writeFile(join(folder, elsewhere), '')
    const start = (name: string) => launch('backup', join(folder, name), { DATA_DIR: dataDir })
    // Backups in progress wait until this connection ends.
    const blocker = new Client({ connectionString: embeddedUrl(dataDir) })
    await blocker.connect()
    await blocker.query('begin; lock table public.prayers')
    const killed = start('killed.sql.gz')
    await expect.poll(unfinished).toHaveLength(2)
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(await unfinished()).toHaveLength(2)
    const first = start('first.sql.gz')
    const ofFirst = expect.stringContaining('first.sql.gz')
    await expect.poll(unfinished).toEqual([elsewhere, ofFirst])
    const second = start('second.sql.gz')
    await expect.poll(unfinished).toEqual([elsewhere, ofFirst, expect.stringContaining('second.sql.gz')])
    await blocker.end()
    expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ code: 0 }, { code: 0 }])
    expect((await readdir(folder)).toSorted()).toEqual([elsewhere, 'first.sql.gz', 'second.sql.gz'])
  })

  it('that is stopped contains everything, restored into an external PostgreSQL and back', async () => {
    const users = await signUpUsers(site, ['fred', 'gina', 'hans'])
    const load = startLoad(site, users)
    await load.reach(100)
    await load.stop()
    const rows = await rowsOf(embeddedUrl(dataDir))
    expect(rows['public.prayers']?.length).toBeGreaterThan(20)
    // With the server stopped, the command starts and stops the database itself.
    expect(await site.process.end('SIGTERM')).toBe(0)
    expect(await run('backup', 'backup.sql.gz', { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    await expectNoProcess(dataDir)

    const external = await createEmptyDatabase()
    const name = new URL(external.url).pathname.slice(1)
    // As npm passes the option on that is given to it.
    const env = { ...external.env, npm_config_keep_sessions: 'true' }
    expect(await run('restore', file, env)).toMatchObject({
      code: 0,
      output: expect.stringContaining(` into the database "${name}" on `),
    })
    expect(await rowsOf(external.url)).toEqual(rows)
    const back = join(folder, 'back.sql.gz')
    expect(await run('backup', back, external.env)).toMatchObject({
      code: 0,
      output: expect.stringContaining(` from the database "${name}" on `),
    })
    await external.drop()
    const elsewhere = join(folder, 'elsewhere')
    expect(await run('restore', back, { DATA_DIR: elsewhere })).toMatchObject({
      code: 0,
      output: expect.stringContaining('Everyone has to sign in again.'),
    })
    const copy = await startSite({ DATA_DIR: elsewhere }, embeddedUrl(elsewhere))
    const noSessions = { 'auth.sessions': [], 'auth.refresh_tokens': [], 'auth.mfa_amr_claims': [] }
    expect(await rowsOf(embeddedUrl(elsewhere))).toEqual({ ...rows, ...noSessions })
    expect((await signIn(copy, 'fred@example.org')).status).toBe(200)
    await copy.process.end('SIGTERM')
  })
})
