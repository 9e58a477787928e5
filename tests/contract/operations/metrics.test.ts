// GET /metrics, as Prometheus reads it.
import { beforeAll, describe, expect, it } from 'vitest'
import { newUser, signIn, type WireSession } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const TOKEN = 'token-for-the-metrics'

let anna: WireSession

const server = useTestServer({ config: { metricsToken: TOKEN } })

beforeAll(async () => {
  anna = await newUser(server, 'anna@example.org')
})

function requestMetrics(
  authorization: string | null = `Bearer ${TOKEN}`,
  from: TestServer = server,
): Promise<Response> {
  return fetch(`${from.url}/metrics`, { headers: authorization === null ? {} : { authorization } })
}

async function readMetrics(): Promise<string> {
  const response = await requestMetrics()
  expect(response.status).toBe(200)
  return await response.text()
}

/** The value of a series, named as in the text; undefined if there is none. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('the metrics', () => {
  it('require the token', async () => {
    for (const authorization of [null, TOKEN, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
      const response = await requestMetrics(authorization)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(await response.text()).not.toContain('intercede_')
    }
  })

  it('are not found if no token is configured', async () => {
    const other = await startTestServer()
    const responses = [
      await requestMetrics(null, other),
      await requestMetrics(`Bearer ${TOKEN}`, other),
      await requestMetrics('Bearer null', other),
    ]
    await other.close()
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('are in the text format of Prometheus', async () => {
    const response = await requestMetrics()
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const lines = (await response.text()).split('\n').filter((line) => line !== '')
    const sample =
      /^[a-z0-9_]+(?:\{[a-z_]+="[^"\n]*"(?:,[a-z_]+="[^"\n]*")*\})? (?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf|Nan)$/
    const comment = /^# (?:HELP [a-z0-9_]+ .+\.|TYPE [a-z0-9_]+ (?:counter|gauge|histogram))$/
    expect(lines.filter((line) => !sample.test(line) && !comment.test(line))).toEqual([])
    const declared = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2])
    expect(new Set(declared).size).toBe(declared.length)
  })

  it('count requests by route and status, and measure their duration', async () => {
    const series = '{method="POST",route="/auth/v1/token",status="400"}'
    const before = valueOf(await readMetrics(), `intercede_http_requests_total${series}`) ?? 0
    await signIn(server, 'anna@example.org', 'wrong password')
    await signIn(server, 'anna@example.org', 'wrong password')
    const text = await readMetrics()
    expect(valueOf(text, `intercede_http_requests_total${series}`)).toBe(before + 2)
    const labels = 'method="POST",route="/auth/v1/token"'
    const buckets = text
      .split('\n')
      .filter((line) => line.startsWith('intercede_http_request_duration_seconds_bucket{le='))
      .filter((line) => line.includes(labels))
      .map((line) => Number(line.split(' ')[1]))
    expect(buckets).toHaveLength(12)
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b))
    expect(buckets.at(-1)).toBe(valueOf(text, `intercede_http_request_duration_seconds_count{${labels}}`))
    expect(valueOf(text, `intercede_http_request_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0)
  })

  it('cover connections, queues, event loop delay, memory and processor time', async () => {
    const text = await readMetrics()
    expect(valueOf(text, 'intercede_database_connections{state="idle"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'intercede_database_connections{state="busy"}')).toBeGreaterThanOrEqual(0)
    expect(valueOf(text, 'intercede_database_connections_max')).toBe(
      server.services.pool.options.max + server.services.dataPool.options.max,
    )
    expect(valueOf(text, 'intercede_database_waiting')).toBe(0)
    expect(valueOf(text, 'intercede_password_queue_length')).toBe(0)
    expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(valueOf(text, 'process_cpu_seconds_total')).toBeGreaterThan(0)
  })

  it('reveal no user and no request, and do not grow with the number of paths requested', async () => {
    const { access_token: token, user } = anna
    await send(server, `/prayers?id=eq.${user.id}`, { token })
    for (let number = 0; number < 30; number += 1)
      await fetch(`${server.url}/secret-${String(number)}?${token}`)
    const text = await readMetrics()
    for (const secret of ['anna', 'example.org', user.id, token, 'secret', TOKEN])
      expect(text).not.toContain(secret)
    expect(valueOf(text, 'intercede_http_requests_total{method="GET",route="(other)",status="404"}')).toBe(30)
    const routes = text.split('\n').filter((line) => line.startsWith('intercede_http_requests_total{'))
    expect(routes.length).toBeLessThan(15)
  })
})
