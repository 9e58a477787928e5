// GET /health and GET /ready, for monitoring.
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { runAlone } from '#tests/support/postgres.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const server = useTestServer()

async function get(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}${path}`)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return { status: response.status, body: await response.json() }
}

/** Lets a request wait for the database, however slow it is at the moment. */
function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Forbids connections to the database, and terminates the existing ones. */
async function blockDatabase(): Promise<void> {
  const { rows } = await server.database.pool.query<{ name: string }>('select current_database() as name')
  const name = rows[0]?.name ?? ''
  const { url } = inject('testPostgres')
  await runAlone(url, `alter database "${name}" allow_connections false`)
  // Not PostgreSQL's own, such as autovacuum, which it may not terminate.
  await runAlone(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`,
  )
}

async function unblockDatabase(): Promise<void> {
  const name = new URL(server.database.url).pathname.slice(1)
  await runAlone(inject('testPostgres').url, `alter database "${name}" allow_connections true`)
}

describe('monitoring', () => {
  it('needs no API key', async () => {
    stopTimers()
    expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await get('/ready')).toEqual({ status: 200, body: { status: 'ready' } })
  })

  it('causes one query for concurrent requests', async () => {
    stopTimers()
    const before = server.services.pool.totalCount
    const responses = await Promise.all(Array.from({ length: 50 }, () => get('/ready')))
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
    expect(server.services.pool.totalCount).toBeLessThanOrEqual(Math.max(before, 2))
  })

  it('reports the server as healthy but not ready while the database rejects connections', async () => {
    await blockDatabase()
    expect(await get('/health')).toEqual({ status: 200, body: { status: 'ok' } })
    expect(await get('/ready')).toEqual({ status: 503, body: { status: 'database unavailable' } })
    await unblockDatabase()
    await expect.poll(async () => (await get('/ready')).status).toBe(200)
  })

  it('reports the server as not ready while all connections are in use, without waiting for one', async () => {
    const { pool } = server.services
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    expect(await Promise.all([get('/ready'), get('/ready')])).toMatchObject([
      { status: 503 },
      { status: 503 },
    ])
    expect(pool.waitingCount).toBe(1)
    for (const client of held) client.release()
    await expect.poll(async () => (await get('/ready')).status).toBe(200)
  })
})
