// GET /health and GET /ready: what watches over an installation asks.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { runAlone } from '#tests/support/postgres.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

async function ask(path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${server.url}${path}`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return { status: answer.status, body: await answer.json() }
}

/** Locks everybody out of the database, and ends the connections that there are. */
async function letNobodyIn(): Promise<void> {
  const { rows } = await server.database.pool.query<{ name: string }>('select current_database() as name')
  const name = rows[0]?.name ?? ''
  const { url } = inject('testPostgres')
  await runAlone(url, `alter database "${name}" allow_connections false`)
  await runAlone(url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
}

async function letPeopleIn(): Promise<void> {
  const name = new URL(server.database.url).pathname.slice(1)
  await runAlone(inject('testPostgres').url, `alter database "${name}" allow_connections true`)
}

describe('an installation that is watched', () => {
  it('says that it is alive and ready, to anybody, without a key', async () => {
    expect(await ask('/health')).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await ask('/ready')).toEqual({ status: 200, body: { status: 'ready' } })
  })

  it('asks the database once, however many want to know', async () => {
    const before = server.services.pool.totalCount
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/ready')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(server.services.pool.totalCount).toBeLessThanOrEqual(Math.max(before, 2))
  })

  it('is alive and not ready while its database lets nobody in, and ready when it does again', async () => {
    await letNobodyIn()
    expect(await ask('/health')).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await ask('/ready')).toEqual({ status: 503, body: { status: 'database unavailable' } })
    await letPeopleIn()
    await expect.poll(async () => (await ask('/ready')).status).toBe(200)
  })

  it('is not ready while no connection is to be had, and does not keep whoever asks waiting', async () => {
    const { pool } = server.services
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    expect(await Promise.all([ask('/ready'), ask('/ready')])).toMatchObject([
      { status: 503 },
      { status: 503 },
    ])
    expect(pool.waitingCount).toBe(1)
    for (const client of held) client.release()
    await expect.poll(async () => (await ask('/ready')).status).toBe(200)
  })
})
