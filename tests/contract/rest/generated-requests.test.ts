import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { addUsers, ANNA, BEN } from '#tests/support/users.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import {
  ANNAS_CATEGORY,
  BENS_CATEGORY,
  type GeneratedRequest,
  generatedRequest,
  SECRET,
} from './request-arbitraries.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer()
  const { pool } = server.services
  await addUsers(pool)
  await pool.query({
    text: `insert into public.categories (id, user_id, name, "order") values ($1, $2, 'Anna', 1), ($3, $4, $5, 1)`,
    values: [ANNAS_CATEGORY, ANNA, BENS_CATEGORY, BEN, SECRET],
  })
  await pool.query({
    text: 'insert into public.prayers (user_id, category_id, person_name, note) values ($1, $2, $3, $3)',
    values: [BEN, BENS_CATEGORY, SECRET],
  })
  token = await accessTokenFor(server.services, ANNA)
})

afterAll(() => server.close())

async function rowsOfBen(): Promise<unknown[]> {
  const { pool } = server.services
  const categories = await pool.query('select * from public.categories where user_id = $1', [BEN])
  const prayers = await pool.query('select * from public.prayers where user_id = $1', [BEN])
  const rows: unknown[] = [...categories.rows, ...prayers.rows]
  return rows
}

function send({ method, path, query, headers, body }: GeneratedRequest, isSignedIn: boolean) {
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return server.app.inject({
    method,
    url: `/rest/v1/${path}?${encoded(query)}`,
    headers: {
      apikey: server.services.keys.anonKey,
      ...(isSignedIn ? { authorization: `Bearer ${token}` } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(hasBody ? { payload: body } : {}),
  })
}

function encoded(query: GeneratedRequest['query']): string {
  return query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
}

/** Why a response is wrong: a server error, a row of Ben's, or an error of another shape. Null if it is fine. */
function faultIn(request: GeneratedRequest, response: { statusCode: number; body: string }): string | null {
  const { statusCode, body } = response
  if (statusCode >= 500) return `${statusCode}: ${body}`
  if (body.includes(SECRET)) return `returned a row of Ben's: ${body}`
  if (statusCode < 400 || request.method === 'HEAD') return null
  const error: object = JSON.parse(body)
  const keys = Object.keys(error).toSorted().join()
  return keys === 'code,details,hint,message' ? null : `error of another shape: ${body}`
}

it('never fails with a server error or reveals or changes another user\u2019s rows', async () => {
  const before = await rowsOfBen()
  expect(before).toHaveLength(2)
  const counts = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(generatedRequest, fc.boolean(), async (request, isSignedIn) => {
      const response = await send(request, isSignedIn)
      counts.set(response.statusCode, (counts.get(response.statusCode) ?? 0) + 1)
      expect(faultIn(request, response)).toBeNull()
    }),
    { seed: 20_260_301, numRuns: 5000 },
  )
  expect(await rowsOfBen()).toEqual(before)
  const rare = [200, 201, 204, 400, 401, 403, 404, 405, 406].filter(
    (status) => (counts.get(status) ?? 0) < 10,
  )
  expect(rare, 'statuses that hardly any request led to').toEqual([])
}, 60_000)
