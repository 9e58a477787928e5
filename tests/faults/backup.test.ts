import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { PASSWORD, refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { createEmptyDatabase } from '#tests/support/database.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createChance } from './chance.ts'
import { type PersonAtWork, signUpPerson } from './person-at-work.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'

const NAMES = ['anna', 'ben', 'carl']
/** Of each, where a fixed number is enough. */
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
async function run(command: 'backup' | 'restore', name: string, env: Record<string, string>) {
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
  const [code]: unknown[] = await once(child, 'close')
  return { code, output }
}

/** Lets people work while `work` is done, and gives what it gives. */
async function whilePeopleWork<Value>(
  people: readonly PersonAtWork[],
  work: () => Promise<Value>,
): Promise<Value> {
  let acknowledged = 0
  let over = false
  const count = () => {
    acknowledged += 1
  }
  const working = people.map((person) => person.work(site, count, () => over))
  try {
    await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(30)
    const before = acknowledged
    const value = await work()
    expect(acknowledged).toBeGreaterThan(before)
    return value
  } finally {
    over = true
    await Promise.all(working)
  }
}

/** Categories and prayers of everybody, as the database has them. */
function rowsOf(url: string): Promise<object[]> {
  return query(
    url,
    `select id::text, user_id::text, name, "order" from public.categories
     union all select id::text, user_id::text, person_name, resolved::int from public.prayers order by 1`,
  )
}

describe('backing up a server at work', { timeout: 2 * PROCESS_TIMEOUT }, () => {
  it('takes one moment of it, and on another machine everybody signs in and finds everything', async () => {
    const people = await Promise.all(
      NAMES.map((name, index) => signUpPerson(site, `${name}@example.org`, createChance(index))),
    )
    const dora = await signUp(site, 'dora@example.org')
    const changes = () => people.map((person) => person.changes)
    const { code, output, before, after } = await whilePeopleWork(people, async () => {
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
      // Neither a session nor a password is lost.
      expect((await refresh(copy, dora.refresh_token)).status).toBe(200)
      expect(copy.services.keys.anonKey).toBe(site.services.keys.anonKey)
      for (const name of NAMES) {
        expect(sessionOf(await signIn(copy, `${name}@example.org`, PASSWORD)).user.email).toContain(name)
      }
      // The moment lay amid their work: all changes up to one, and none after it.
      for (const [index, person] of people.entries()) {
        const restoredChanges = await person.changesIn(copy)
        expect(restoredChanges).toBeGreaterThanOrEqual(before[index] ?? Infinity)
        // One more may have been carried out and not yet acknowledged.
        expect(restoredChanges).toBeLessThanOrEqual((after[index] ?? 0) + 1)
      }
    } finally {
      await copy.process.end('SIGTERM')
    }
  })

  it('with nobody at work is whole, into a PostgreSQL of another kind and back', async () => {
    const people = await Promise.all(
      NAMES.map((name, index) => signUpPerson(site, `${name}@example.org`, createChance(index))),
    )
    await Promise.all(
      people.map((person) =>
        person.work(
          site,
          () => {},
          () => person.changes >= CHANGES,
        ),
      ),
    )
    const rows = await rowsOf(embeddedUrl(dataDir))
    expect(rows.length).toBeGreaterThan(20)
    // Stopped: the command starts the database for itself, and stops it again.
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

  it('refuses in one sentence what can’t be done, and the server goes on', async () => {
    await signUp(site, 'anna@example.org')
    expect(await run('backup', '', { DATA_DIR: dataDir })).toEqual({
      code: 1,
      output: 'One file is to be named: npm run backup -- FILE\n',
    })
    const nowhere = join(folder, 'nowhere')
    expect(await run('backup', file, { DATA_DIR: nowhere })).toEqual({
      code: 1,
      output: `There is no database in ${nowhere} (DATA_DIR): there is nothing to back up.\n`,
    })
    await writeFile(file, 'no backup')
    expect((await run('restore', file, { DATA_DIR: nowhere })).output).toContain('no backup of Intercede')
    expect(await readdir(folder)).not.toContain('nowhere')
    await rm(file)
    expect(await run('backup', file, { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
    const used = await run('restore', file, { DATA_DIR: dataDir })
    expect(used.code).toBe(1)
    expect(used.output).toContain(`is in use by another Intercede (process ${String(site.process.pid)})`)
    expect((await signIn(site, 'anna@example.org', PASSWORD)).status).toBe(200)
  })
})
