import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signUp } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'
import { createChance } from './chance.ts'
import { signUpPerson } from './person-at-work.ts'
import { embeddedUrl, makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'

/** Seconds that an operator gives a server to end. */
const PATIENCE = 10

let dataDir: string
let site: Site
let blocker: Client

beforeEach(async () => {
  dataDir = await makeFolder()
  site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
  blocker = new Client({ connectionString: embeddedUrl(dataDir) })
  // PostgreSQL ends this connection together with itself.
  blocker.on('error', () => {})
  await blocker.connect()
})

afterEach(async () => {
  await blocker.end()
  await site.process.end('SIGKILL')
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

/** From here on no category is written until `release`. */
async function holdCategories(): Promise<void> {
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

/** Resolves when that many statements wait for the lock. */
async function expectWaiting(count: number): Promise<void> {
  // Not asked of the blocker: within a transaction the answer stays what it was.
  const waiting = () =>
    query(embeddedUrl(dataDir), `select pid from pg_stat_activity where wait_event_type = 'Lock'`)
  await expect.poll(waiting, { timeout: 10_000 }).toHaveLength(count)
}

/** A connection of its own is refused; one that is open already is told that the service is unavailable. */
async function isTurnedAway(): Promise<boolean> {
  const answer = await fetch(`${site.url}/auth/v1/health`).catch(() => null)
  return answer === null || answer.status === 503
}

/** The exit code, and how long it took in seconds. */
async function end(signal: NodeJS.Signals): Promise<{ code: number | null; seconds: number }> {
  const since = performance.now()
  const code = await site.process.end(signal)
  return { code, seconds: (performance.now() - since) / 1000 }
}

async function countHeld(): Promise<number> {
  const rows = await query(embeddedUrl(dataDir), `select id from public.categories where name = 'Held'`)
  return rows.length
}

describe('told to stop', { timeout: PROCESS_TIMEOUT }, () => {
  it('answers the requests that are under way, turns new ones away, and ends in good order', async () => {
    const { access_token: token } = await signUp(site, 'anna@example.org')
    await holdCategories()
    const underWay = addCategories(token, 8)
    await expectWaiting(8)
    const ending = end('SIGTERM')
    await expect.poll(isTurnedAway, { timeout: 3_000 }).toBe(true)
    await release()
    expect(await Promise.all(underWay)).toEqual(underWay.map(() => 201))
    const { code, seconds } = await ending
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(PATIENCE)
    await expectNoProcess(dataDir)
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
    expect(await countHeld()).toBe(8)
  })

  it('does not wait for ever for a request that never ends, and leaves nothing of it', async () => {
    const { access_token: token } = await signUp(site, 'anna@example.org')
    await holdCategories()
    const underWay = addCategories(token, 3)
    await expectWaiting(3)
    const { code, seconds } = await end('SIGTERM')
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(PATIENCE)
    expect(await Promise.all(underWay)).not.toContain(201)
    await expectNoProcess(dataDir)
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
    expect(await countHeld()).toBe(0)
  })

  it('while people write, ends within its time, with everything that was acknowledged', async () => {
    const people = await Promise.all(
      ['anna', 'ben', 'carl'].map((name, index) =>
        signUpPerson(site, `${name}@example.org`, createChance(index)),
      ),
    )
    let acknowledged = 0
    const working = people.map((person) =>
      person.work(
        site,
        () => {
          acknowledged += 1
        },
        () => false,
      ),
    )
    await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(50)
    const { code, seconds } = await end('SIGTERM')
    await Promise.all(working)
    expect(code).toBe(0)
    expect(seconds).toBeLessThan(PATIENCE)
    await expectNoProcess(dataDir)
    site = await startSite({ DATA_DIR: dataDir }, embeddedUrl(dataDir))
    for (const person of people) {
      const { stored, promised } = await person.settle(site)
      expect(stored).toEqual(promised)
    }
  })
})
