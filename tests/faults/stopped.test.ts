import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signUp } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createRandom } from './random.ts'
import { signUpUser } from './simulated-user.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'

/** Seconds within which a server has to stop. */
const TIMEOUT = 10

let dataDir: string
let site: Site
let blocker: Client

beforeEach(async () => {
  dataDir = await makeFolder()
  site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
  blocker = new Client({ connectionString: embeddedUrl(dataDir) })
  // PostgreSQL closes this connection when it stops.
  blocker.on('error', () => {})
  await blocker.connect()
})

afterEach(async () => {
  await blocker.end()
  await site.process.end('SIGKILL')
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

/** Blocks writing categories until `release`. */
async function lockCategories(): Promise<void> {
  await blocker.query('begin')
  await blocker.query('lock table public.categories in share mode')
}

async function release(): Promise<void> {
  await blocker.query('commit')
}

function addCategories(token: string, count: number) {
  return Array.from({ length: count }, (_, index) =>
    send(site, '/categories', { method: 'POST', token, body: { name: 'Held', order: index + 1 } }).then(
      ({ status }) => status,
      () => null,
    ),
  )
}

/** Resolves when `count` statements wait for the lock. */
async function expectWaiting(count: number): Promise<void> {
  // On another connection than the blocker's: within a transaction the activity is read only once.
  const waiting = () =>
    query(embeddedUrl(dataDir), `select pid from pg_stat_activity where wait_event_type = 'Lock'`)
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(count)
}

/** New connections are rejected, and requests on existing ones get 503. */
async function isRejectingRequests(): Promise<boolean> {
  const response = await fetch(`${site.url}/auth/v1/health`).catch(() => null)
  return response === null || response.status === 503
}

/** Stops the server; resolves to the exit code and the seconds it took. */
async function end(signal: NodeJS.Signals): Promise<{ code: number | null; seconds: number }> {
  const since = performance.now()
  const code = await site.process.end(signal)
  return { code, seconds: (performance.now() - since) / 1000 }
}

async function countHeld(): Promise<number> {
  const rows = await query(embeddedUrl(dataDir), `select id from public.categories where name = 'Held'`)
  return rows.length
}

describe('a server that is stopped', { timeout: PROCESS_TIMEOUT }, () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'by %s completes the requests in progress, rejects new ones, and exits cleanly',
    async (signal) => {
      const { access_token: token } = await signUp(site, 'anna@example.org')
      await lockCategories()
      const inProgress = addCategories(token, 8)
      await expectWaiting(3)
      const ending = end(signal)
      await expect.poll(isRejectingRequests, { timeout: 3_000 }).toBe(true)
      await release()
      expect(await Promise.all(inProgress)).toEqual(inProgress.map(() => 201))
      const { code, seconds } = await ending
      expect(code).toBe(0)
      expect(seconds).toBeLessThan(TIMEOUT)
      await expectNoProcess(dataDir)
      site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
      expect(await countHeld()).toBe(8)
    },
  )

  it('does not wait forever for a request, which is then rolled back', async () => {
    const { access_token: token } = await signUp(site, 'anna@example.org')
    await lockCategories()
    const inProgress = addCategories(token, 3)
    await expectWaiting(3)
    const { code, seconds } = await end('SIGTERM')
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(TIMEOUT)
    expect(await Promise.all(inProgress)).not.toContain(201)
    await expectNoProcess(dataDir)
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
    expect(await countHeld()).toBe(0)
  })

  it('stops in time under load, and keeps every acknowledged change', async () => {
    const users = await Promise.all(
      ['anna', 'ben', 'carl'].map((name, index) =>
        signUpUser(site, `${name}@example.org`, createRandom(index)),
      ),
    )
    let acknowledged = 0
    const writing = users.map((user) =>
      user.sendChanges(
        site,
        () => {
          acknowledged += 1
        },
        () => false,
      ),
    )
    await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(50)
    const { code, seconds } = await end('SIGTERM')
    await Promise.all(writing)
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(TIMEOUT)
    await expectNoProcess(dataDir)
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
    for (const user of users) {
      const { stored, expected } = await user.compare(site)
      expect(stored).toEqual(expected)
    }
  })
})
