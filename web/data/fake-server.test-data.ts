import { vi } from 'vitest'

export interface FakeRequest {
  method: string
  /** Below `/rest/v1/`. */
  path: string
  body: unknown
}

/** Stands in for the network: records the requests to the REST API, and responds as the test wants. */
export class FakeServer {
  readonly requests: string[] = []
  respond: (request: FakeRequest) => Response = () => Response.json([])

  constructor() {
    vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
      const method = init.method ?? 'GET'
      const path = new URL(input).pathname.replace('/rest/v1/', '')
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
      this.requests.push(`${method} ${path}`)
      return this.respond({ method, path, body })
    })
  }
}

export const noContent = () => new Response(null, { status: 204 })

/** An error as PostgREST sends it. */
export const failure = (status: number, code: string, message = code) =>
  Response.json({ code, message }, { status })
