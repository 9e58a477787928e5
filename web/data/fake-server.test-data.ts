import { isRecord } from '#shared/is-record.ts'
import { createStore } from '#web/lib/store.ts'
import type { Row } from '#web/sync/schema.ts'
import { requireRow } from '#web/sync/server.ts'
import { memoryStorage, type Storage } from '#web/sync/storage.ts'
import { createSync } from '#web/sync/sync.ts'
import type { Category } from './categories.ts'
import type { Prayer } from './prayers.ts'
import type { UserData } from './rows.ts'
import { createUserData, RULES } from './user-data.tsx'

export interface FakeRequest {
  method: string
  /** Below `/rest/v1/`. */
  path: string
  body: unknown
}

export const sampleCategory: Category = {
  id: 'family',
  user_id: 'me',
  name: 'Family',
  order: 1,
  is_visible: true,
  created_at: '2026-01-01T00:00:00+00:00',
  updated_at: '2026-01-01T00:00:00+00:00',
  rev: 1,
}

export const samplePrayer: Prayer = {
  id: 'anna',
  user_id: 'me',
  category_id: 'family',
  person_name: 'Anna',
  note: null,
  resolved: false,
  created_at: '2026-01-01T00:00:00+00:00',
  rev: 1,
}

/** A data API in memory. It records the requests that change something. */
export class FakeServer {
  readonly changes: FakeRequest[] = []
  /** Responds instead of the server; null leaves the request to the server. */
  intercept: (request: FakeRequest) => Response | null = () => null
  readonly tables: { categories: Row[]; prayers: Row[] } = { categories: [], prayers: [] }
  #rev = 1
  #isEmpty = false
  #epoch = 'first'

  /** Overwrites or adds a row, as from another device. */
  put(table: 'categories' | 'prayers', row: Category | Prayer): void {
    this.#rev += 1
    this.#store(table, { ...row, rev: this.#rev })
  }

  /** Loses everything, as if restored from a backup of an empty account. */
  restore(): void {
    this.#epoch = 'second'
    this.tables.categories = []
    this.tables.prayers = []
  }

  /** Deletes a row, as from another device. */
  remove(table: 'categories' | 'prayers', id: string): void {
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
    const state = { rev: this.#rev, floor: 0, epoch: this.#epoch }
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

  #store(table: 'categories' | 'prayers', row: Row): Row {
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

/**
 * Opens the data of the user `me`.
 *
 * @param durable whether the browser can store data
 * @param isAccountDeleted called when the server has nothing any more
 */
export function openData(server: FakeServer, durable = true, isAccountDeleted = async () => false): UserData {
  let ids = 0
  const outdated = createStore(false)
  const open = async () => {
    const sync = await createSync({
      userId: 'me',
      rules: RULES,
      storage: durable ? durableStorage() : memoryStorage(),
      url: 'http://localhost/rest/v1',
      send: server.fetch,
      isAccountDeleted,
      newId: () => `change-${String((ids += 1))}`,
      now: () => new Date('2026-11-03T14:05:00Z'),
      exclusively: (round) => round(),
      onCommit: () => {},
      onWaiting: () => void sync.syncNow(),
    })
    return { ...sync, outdated, size: () => ({ rows: 0, bytes: 0 }) }
  }
  return createUserData('me', open())
}

/** Claims to have stored what it is given. */
function durableStorage(): Storage {
  const memory = memoryStorage()
  let seq = 0
  return {
    ...memory,
    durable: true,
    commit: async (batch, version) => {
      const seqs = await memory.commit(batch, version)
      return seqs && (batch.addChanges ?? []).map(() => (seq += 1))
    },
  }
}
