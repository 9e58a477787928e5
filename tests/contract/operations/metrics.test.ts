// GET /metrics: what Prometheus reads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn, signUp, type WireSession } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const TOKEN = 'a token of the tests'.replaceAll(' ', '-')

let server: TestServer
let anna: WireSession

beforeAll(async () => {
  server = await startTestServer({ config: { metricsToken: TOKEN } })
  anna = await signUp(server, 'anna@example.org')
})

afterAll(() => server.close())

function ask(authorization: string | null = `Bearer ${TOKEN}`, of = server): Promise<Response> {
  return fetch(`${of.url}/metrics`, { headers: authorization === null ? {} : { authorization } })
}

async function read(): Promise<string> {
  const answer = await ask()
  expect(answer.status).toBe(200)
  return await answer.text()
}

/** The number of a series, named as in the text; undefined when there is none. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('the metrics', () => {
  it('are closed to whoever lacks the token', async () => {
    for (const authorization of [null, TOKEN, 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
      const answer = await ask(authorization)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(await answer.text()).not.toContain('intercede_')
    }
  })

  it('do not exist where no token is configured', async () => {
    const other = await startTestServer()
    const answers = [
      await ask(null, other),
      await ask(`Bearer ${TOKEN}`, other),
      await ask('Bearer null', other),
    ]
    await other.close()
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('are text as Prometheus reads it', async () => {
    const answer = await ask()
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const lines = (await answer.text()).trimEnd().split('\n')
    const sample =
      /^[a-z_]+(?:\{[a-z_]+="[^"\n]*"(?:,[a-z_]+="[^"\n]*")*\})? (?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf)$/
    const comment = /^# (?:HELP [a-z_]+ .+\.|TYPE [a-z_]+ (?:counter|gauge|histogram))$/
    expect(lines.filter((line) => !sample.test(line) && !comment.test(line))).toEqual([])
    const declared = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2])
    expect(new Set(declared).size).toBe(declared.length)
  })

  it('count requests by route and status, and how long they took', async () => {
    const series = '{method="POST",route="/auth/v1/token",status="400"}'
    const before = valueOf(await read(), `intercede_http_requests_total${series}`) ?? 0
    await signIn(server, 'anna@example.org', 'wrong password')
    await signIn(server, 'anna@example.org', 'wrong password')
    const text = await read()
    expect(valueOf(text, `intercede_http_requests_total${series}`)).toBe(before + 2)
    const labels = 'method="POST",route="/auth/v1/token"'
    const buckets = text
      .split('\n')
      .filter((line) => line.startsWith(`intercede_http_request_duration_seconds_bucket{${labels},le=`))
      .map((line) => Number(line.split(' ')[1]))
    expect(buckets).toHaveLength(12)
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b))
    expect(buckets.at(-1)).toBe(valueOf(text, `intercede_http_request_duration_seconds_count{${labels}}`))
    expect(valueOf(text, `intercede_http_request_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0)
  })

  it('show connections, waiting, lateness, memory and files', async () => {
    const text = await read()
    expect(valueOf(text, 'intercede_database_connections{state="idle"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'intercede_database_connections{state="busy"}')).toBeGreaterThanOrEqual(0)
    expect(valueOf(text, 'intercede_database_connections_max')).toBe(server.services.pool.options.max)
    expect(valueOf(text, 'intercede_database_waiting')).toBe(0)
    expect(valueOf(text, 'intercede_password_queue_length')).toBe(0)
    expect(valueOf(text, 'intercede_event_loop_delay_seconds{quantile="0.99"}')).toBeGreaterThanOrEqual(0)
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(valueOf(text, 'process_cpu_seconds_total')).toBeGreaterThan(0)
  })

  it('say nothing of whom or what, and do not grow with what is asked for', async () => {
    const { access_token: token, user } = anna
    await send(server, `/prayers?id=eq.${user.id}`, { token })
    for (let number = 0; number < 30; number += 1)
      await fetch(`${server.url}/secret-${String(number)}?${token}`)
    const text = await read()
    for (const secret of ['anna', 'example.org', user.id, token, 'secret', TOKEN])
      expect(text).not.toContain(secret)
    expect(valueOf(text, 'intercede_http_requests_total{method="GET",route="(other)",status="404"}')).toBe(30)
    const routes = text.split('\n').filter((line) => line.startsWith('intercede_http_requests_total{'))
    expect(routes.length).toBeLessThan(15)
  })
})
