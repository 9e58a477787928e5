import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signUp } from '#tests/contract/auth/auth-client.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { createTestDatabase, waitForLocks } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { expectNothingLost, signUpUsers, startLoad } from './load.ts'
import { embeddedUrl, query, type Site, startSite } from './site.ts'

const COUNT_HELD = `select count(*)::integer as held from public.categories where name = 'Held'`

function addCategories(site: Site, token: string, count: number) {
  return Array.from({ length: count }, (_, index) =>
    send(site, '/categories', { method: 'POST', token, body: { name: 'Held', order: index + 1 } }).then(
      ({ status }) => status,
      () => null,
    ),
  )
}

/** Whether it has begun to stop. */
async function isRejecting({ url }: Site): Promise<boolean> {
  const response = await fetch(`${url}/auth/v1/health`).catch(() => null)
  return response === null || response.status === 503
}

it('a server that gets a SIGTERM completes the requests in progress, rejects new ones, and exits cleanly', async () => {
  const database = await createTestDatabase()
  // Without limits, so that no request fails while a slow machine gets to the signal.
  const limits = 'lock_timeout=600000&statement_timeout=600000&query_timeout=600000'
  const site = await startSite(
    { DATA_DIR: '/nonexistent', DATABASE_URL: `${database.url}&${limits}` },
    database.url,
  )
  const { access_token: token } = await signUp(site, 'anna@example.org')
  const blocker = await database.pool.connect()
  await blocker.query('begin; lock table public.categories in share mode')
  // As many as an account has at a time, so that each of them has arrived once it waits for the lock.
  const inProgress = addCategories(site, token, 3)
  await waitForLocks(database.pool, 3)
  const ended = site.process.end('SIGTERM')
  await expect.poll(() => isRejecting(site)).toBe(true)
  await blocker.query('commit')
  blocker.release()
  expect(await Promise.all(inProgress)).toEqual(inProgress.map(() => 201))
  expect(await ended).toBe(0)
  expect((await database.pool.query(COUNT_HELD)).rows).toEqual([{ held: 3 }])
  await database.drop()
})

describe('a server that is stopped, with its database,', () => {
  let dataDir: string
  let site: Site

  beforeEach(async () => {
    dataDir = await makeDataFolder()
    await start()
  })
  afterEach(async () => {
    await site.process.end('SIGKILL')
    await expectNoProcess(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  })

  async function start(): Promise<void> {
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
  }

  it('by a SIGINT answers a request that cannot finish with 503, and rolls it back', async () => {
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const blocker = new Client({ connectionString: embeddedUrl(dataDir) })
    // PostgreSQL closes this connection when it stops.
    blocker.on('error', () => {})
    await blocker.connect()
    await blocker.query('begin; lock table public.categories in share mode')
    const changes = addCategories(site, token, 1)
    const waiting = () =>
      query(embeddedUrl(dataDir), `select from pg_stat_activity where wait_event_type = 'Lock'`)
    await expect.poll(waiting).toHaveLength(1)
    const ended = site.process.end('SIGINT')
    await expect.poll(() => isRejecting(site)).toBe(true)
    // As at the end of the time for which it may wait, before the server's own limit (server/http/connections.test.ts).
    await query(
      embeddedUrl(dataDir),
      `select pg_cancel_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'`,
    )
    expect(await Promise.all(changes)).toEqual([503])
    expect(await ended).toBe(0)
    await blocker.end()
    await expectNoProcess(dataDir)
    await start()
    expect(await query(embeddedUrl(dataDir), COUNT_HELD)).toEqual([{ held: 0 }])
  })

  it('by a SIGHUP under load keeps every acknowledged change', async () => {
    const users = await signUpUsers(site, ['anna', 'ben', 'carl'])
    const load = startLoad(site, users)
    await load.reach(50)
    expect(await site.process.end('SIGHUP')).toBe(0)
    await load.stop()
    await expectNoProcess(dataDir)
    await start()
    await expectNothingLost(site, users)
  })
})
