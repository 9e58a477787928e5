import { isRecord } from '#shared/is-record.ts'
import type { Row, TableName } from './schema.ts'
import { requireRow } from './server.ts'

export interface FakeRequest {
  method: string
  /** Below `/rest/v1/`. */
  path: string
  body: unknown
}

/** A data API in memory. It records the requests that change something. */
export class FakeServer {
  readonly changes: FakeRequest[] = []
  /** Responds instead of the server; null leaves the request to the server. */
  intercept: (request: FakeRequest) => Response | null = () => null
  readonly tables: { categories: Row[]; prayers: Row[] } = { categories: [], prayers: [] }
  /** Deletions up to this revision are forgotten. */
  floor = 0
  #rev = 1
  #isEmpty = false
  #epoch = 'first'

  /** Overwrites or adds a row, as from another device. */
  put(table: TableName, row: Row): void {
    this.#rev += 1
    this.#store(table, { ...row, rev: this.#rev })
  }

  /** Loses everything, as if restored from a backup of an empty account. */
  restore(): void {
    this.#epoch = 'second'
    this.tables.categories = []
    this.tables.prayers = []
  }

  /** Forgets the deletions so far, as after very many of them. */
  forgetDeletions(): void {
    this.floor = this.#rev
    this.#deletions.length = 0
  }

  /** Deletes a row, as from another device. */
  remove(table: TableName, id: string): void {
    this.#rev += 1
    this.tables[table] = this.tables[table].filter((row) => row.id !== id)
    this.#deletions.push({ user_id: 'me', table_name: table, row_id: id, rev: this.#rev })
  }

  /** Has nothing any more: the account was deleted, or an old backup was restored. */
  loseEverything(): void {
    this.#isEmpty = true
    this.tables.categories = []
    this.tables.prayers = []
  }

  readonly #deletions: Record<string, string | number>[] = []

  fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const path = url.pathname.replace('/rest/v1/', '')
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
    const request = { method: init.method ?? 'GET', path, body }
    if (request.method !== 'GET') this.changes.push(request)
    return this.intercept(request) ?? this.#respond(request, url.searchParams, new Headers(init.headers))
  }

  #respond({ method, path, body }: FakeRequest, query: URLSearchParams, headers: Headers): Response {
    const state = { rev: this.#rev, floor: this.floor, epoch: this.#epoch }
    if (path === 'sync_state') return Response.json(this.#isEmpty ? [] : [state])
    if (path === 'deletions') return Response.json(this.#deletions.filter((row) => matches(row, query)))
    if (path !== 'categories' && path !== 'prayers') return new Response(null, { status: 204 })
    const found = this.tables[path].filter((row) => matches(row, query))
    const fields = isRecord(body) ? body : {}
    switch (method) {
      case 'GET':
        return Response.json(found)
      case 'POST':
        if (this.tables[path].some(({ id }) => id === fields['id'])) return failure(409, '23505')
        this.#rev += 1
        // What was deleted is not added again.
        if (this.#deletions.some((row) => row['row_id'] === fields['id'])) return respondWith([], headers)
        return respondWith([this.#store(path, requireRow({ ...fields, rev: this.#rev }))], headers)
      case 'PATCH':
        this.#rev += 1
        return respondWith(
          found.map((row) => this.#store(path, requireRow({ ...row, ...fields, rev: this.#rev }))),
          headers,
        )
      default:
        for (const { id } of found) this.remove(path, id)
        return respondWith(found, headers)
    }
  }

  #store(table: TableName, row: Row): Row {
    this.tables[table] = [...this.tables[table].filter(({ id }) => id !== row.id), row]
    return row
  }
}

function matches(row: Record<string, unknown>, query: URLSearchParams): boolean {
  return [...query].every(([column, filter]) => {
    const [operator, ...rest] = filter.split('.')
    const value = rest.join('.')
    if (operator === 'eq') return String(row[column]) === value
    if (operator === 'gt') return Number(row[column]) > Number(value)
    return operator === 'lte' ? Number(row[column]) <= Number(value) : true
  })
}

function respondWith(rows: readonly Row[], headers: Headers): Response {
  if (!headers.get('accept')?.includes('vnd.pgrst.object')) return Response.json(rows)
  return rows.length === 1 ? Response.json(rows[0]) : failure(406, 'PGRST116')
}

/** An error as PostgREST sends it. */
export function failure(status: number, code: string, message = code): Response {
  return Response.json({ code, message }, { status })
}

/** Fails like a request without a response. */
export function connectionLost(): never {
  throw new TypeError('Failed to fetch')
}
