import { is, number, object, string } from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import type { Row, TableName } from './schema.ts'
import { requireRow } from './server.ts'

const TEXTS = ['name', 'person_name', 'note', 'answer', 'body']
const TABLES = ['categories', 'prayers', 'prayer_updates'] as const

type Rows = Record<TableName, Row[]>
const noRows = (): Rows => ({ categories: [], prayers: [], prayer_updates: [] })

/** A key of the account, of `encryption_keys`. */
type KeyRow = {
  user_id: string
  key_id: string
  state: string
  counter: number
  proof: string | null
}

export interface FakeRequest {
  method: string
  /** Below `/rest/v1/`. */
  path: string
  body: unknown
}

/**
 * A data API in memory, which answers like the real one (tests/contract/rest/fake-server.test.ts), but knows no foreign keys and no defaults of
 * columns. It records the requests that change something.
 */
export class FakeServer {
  readonly changes: FakeRequest[] = []
  /** Responds instead of the server; null leaves the request to the server. */
  intercept: (request: FakeRequest) => Response | null = () => null
  readonly tables = noRows()
  /** Deletions up to this revision are forgotten. */
  floor = 0
  #rev = 1
  #isEmpty = false
  #epoch = 'first'
  #epochs = 1
  restores: readonly { epoch: string; rev: number }[] = []
  /** The keys of an encrypted account. */
  keys: readonly KeyRow[] = []

  /** Overwrites or adds a row, as from another device. */
  put(table: TableName, row: Row): void {
    this.putAll(table, [row])
  }

  /** Overwrites or adds rows in one transaction, as by an import: they have the same revision. */
  putAll(table: TableName, rows: readonly Row[]): void {
    this.#rev += 1
    this.#deletions = this.#deletions.filter((deletion) => rows.every(({ id }) => id !== deletion['row_id']))
    for (const row of rows) this.#store(table, { ...row, rev: this.#rev })
  }

  /** Loses everything, as if restored from a backup of an empty account. */
  restore(): void {
    this.restoreTo({}, 0)
  }

  /** Returns to these rows, the last revision of which was `rev`. */
  restoreTo(rows: Partial<Record<TableName, readonly Row[]>>, rev: number): void {
    this.#beginEpoch(this.restores, this.#epoch, rev)
    this.#deleteRows()
    for (const table of TABLES) this.tables[table] = [...(rows[table] ?? [])]
  }

  /** Makes a backup. The function restores it, as often as it is called. */
  backUp(): () => void {
    const [rev, epoch, restores, deletions] = [this.#rev, this.#epoch, this.restores, [...this.#deletions]]
    const { keys } = this
    const rows = noRows()
    for (const table of TABLES) rows[table] = [...this.tables[table]]
    const prayedDays = new Map(this.#prayedDays)
    return () => {
      this.#beginEpoch(restores, epoch, rev)
      for (const table of TABLES) this.tables[table] = [...rows[table]]
      this.#prayedDays = new Map(prayedDays)
      this.#deletions = [...deletions]
      this.keys = keys
    }
  }

  #beginEpoch(restores: FakeServer['restores'], epoch: string, rev: number): void {
    this.restores = [...restores, { epoch, rev }]
    this.#epochs += 1
    this.#epoch = `epoch ${String(this.#epochs)}`
    this.#rev += 1000
  }

  /** Forgets the deletions so far, as after very many of them. */
  forgetDeletions(): void {
    this.floor = this.#rev
    this.#deletions = []
  }

  /** Deletes a row, as from another device. */
  remove(table: TableName, id: string): void {
    this.removeAll(table, [id])
  }

  /** Deletes rows in one transaction. */
  removeAll(table: TableName, ids: readonly string[]): void {
    this.#rev += 1
    const removed = this.tables[table].filter(({ id }) => ids.includes(id))
    this.#remove(table, removed)
  }

  #remove(table: TableName, rows: readonly Row[]): void {
    const ids = new Set<unknown>(rows.map(({ id }) => id))
    const isLeft = (row: Row) => !ids.has(row.id) && !ids.has(row['prayer_id'])
    this.tables[table] = this.tables[table].filter(isLeft)
    this.tables.prayer_updates = this.tables.prayer_updates.filter(isLeft)
    const [user_id, rev] = ['me', this.#rev]
    for (const row of rows) {
      this.#deletions.push({ user_id, table_name: table, row_id: row.id, rev, row_rev: row.rev })
      this.#raisePrayerOf(row)
    }
  }

  /** Records a prayed day, as from another device: the row gets a revision, but nothing else that devices can write has changed. */
  markPrayed(id: string): void {
    this.#setPrayed([id], '2026-03-01', true)
  }

  #setPrayed(ids: readonly unknown[], day: string, isPrayed: boolean): void {
    this.#rev += 1
    for (const prayer of this.tables.prayers.filter(({ id }) => ids.includes(id))) {
      const days = this.#prayedDays.get(prayer.id) ?? []
      if (days.includes(day) === isPrayed) continue
      const left = isPrayed ? [...days, day].toSorted() : days.filter((each) => each !== day)
      this.#prayedDays.set(prayer.id, left)
      const computed = { times_prayed: left.length, last_prayed_on: left.at(-1) ?? null }
      this.#store('prayers', { ...raised(prayer, this.#rev), ...computed })
    }
  }

  /** Has nothing any more until a row is added: the account was deleted, or an old backup was restored. */
  loseEverything(): void {
    this.#isEmpty = true
    this.#deleteRows()
  }

  #deleteRows(): void {
    Object.assign(this.tables, noRows())
    this.#prayedDays.clear()
  }

  #deletions: Record<string, string | number>[] = []
  /** By the id of the prayer, earliest first. */
  #prayedDays = new Map<string, readonly string[]>()

  fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const path = url.pathname.replace('/rest/v1/', '')
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
    const request = { method: init.method ?? 'GET', path, body }
    const headers = new Headers(init.headers)
    if (request.method !== 'GET') this.changes.push(request)
    const [, epoch] = /epoch=([^,]+)/.exec(headers.get('prefer') ?? '') ?? []
    const [, key = this.#key()] = /key=([^,]+)/.exec(headers.get('prefer') ?? '') ?? []
    const current = this.#isEmpty ? null : this.#epoch
    const isOther = (epoch !== undefined && epoch !== current) || key !== this.#key()
    return (
      this.intercept(request) ??
      (isOther && request.method !== 'GET'
        ? failure(412, 'PT412')
        : this.#respond(request, url.searchParams, headers))
    )
  }

  /** The key with which texts have to be sealed, or were until now. */
  #currentKey(): KeyRow | undefined {
    return this.keys
      .toSorted((a, b) => b.counter - a.counter)
      .find(({ state }) => ['encrypting', 'on', 'decrypting'].includes(state))
  }

  #key(): string {
    const counter = Math.max(0, ...this.keys.map((each) => each.counter))
    return `${this.#currentKey()?.key_id ?? 'none'}.${String(counter)}`
  }

  #setKey(step: Omit<KeyRow, 'user_id'>): Response {
    if (step.state === 'on' && this.#hasText((text) => !this.#isAllowed(text))) return failure(400, 'IC003')
    if (step.state === 'off' && this.#hasText(isSealed)) return failure(400, 'IC003')
    const isSealedWith = (text: string) => text.startsWith(`enc1.${step.key_id}.`)
    if (step.state === 'replaced' && this.#hasText(isSealedWith)) return failure(400, 'IC003')
    const isStep = (key: KeyRow) => key.key_id === step.key_id && key.state === step.state
    const isRepeated = this.keys.some((key) => isStep(key) && key.counter === step.counter)
    if (!isRepeated && this.keys.some(({ counter }) => counter >= step.counter)) return failure(400, 'IC002')
    this.#rev += 1
    this.keys = [
      ...this.keys.filter(({ key_id }) => key_id !== step.key_id),
      { user_id: 'me', key_id: step.key_id, state: step.state, counter: step.counter, proof: step.proof },
    ]
    return new Response(null, { status: 204 })
  }

  #hasText(isFound: (text: string) => boolean): boolean {
    return TABLES.flatMap((table) => this.tables[table]).some((row) => textsOf(row).some(isFound))
  }

  #isAllowed(text: string): boolean {
    const { key_id, state } = this.#currentKey() ?? {}
    if (key_id === undefined) return this.keys.length === 0 || !isSealed(text)
    return state === 'decrypting' ? !isSealed(text) : text.startsWith(`enc1.${key_id}.`)
  }

  #replaceTexts(rows: readonly Fields[]): Response {
    this.#rev += 1
    const replaced = new Set<unknown>()
    for (const { table: name, id, rev, ...texts } of rows) {
      const table = TABLES.find((each) => each === name)
      const row = table && this.tables[table].find((each) => each.id === id && each.rev === rev)
      if (table && row) {
        const numbered = table === 'prayers' ? raised(row, this.#rev) : { ...row, rev: this.#rev }
        const written = requireRow({ ...numbered, ...texts })
        this.tables[table] = this.tables[table].map((each) => (each === row ? written : each))
        replaced.add(id)
      }
    }
    const skipped = rows.flatMap(({ id }) => (replaced.has(id) ? [] : [id]))
    return Response.json({ rev: this.#rev, replaced: [...replaced], skipped })
  }

  #respond({ method, path, body }: FakeRequest, query: URLSearchParams, headers: Headers): Response {
    const state = {
      rev: this.#rev,
      floor: this.floor,
      epoch: this.#epoch,
      restores: this.restores,
      key: this.#key(),
    }
    if (path === 'sync_state') return respondWith(this.#isEmpty ? [] : [state], query, headers)
    if (path === 'deletions') return respondWith(select(this.#deletions, query), query, headers)
    if (/^rpc\/(un)?mark_prayed$/.test(path) && isRecord(body) && Array.isArray(body['prayer_ids']))
      this.#setPrayed(body['prayer_ids'], String(body['prayed_on']), path === 'rpc/mark_prayed')
    if (path === 'encryption_keys') return respondWith(select(this.keys, query), query, headers)
    if (path === 'rpc/set_encryption_key' && is(keyStep, body)) return this.#setKey(body)
    if (path === 'rpc/replace_texts' && isRecord(body) && Array.isArray(body['rows']))
      return this.#replaceTexts(body['rows'])
    if ([body].flat().some((row) => isRecord(row) && !textsOf(row).every((text) => this.#isAllowed(text))))
      return failure(400, 'IC001')
    const table = TABLES.find((name) => name === path)
    if (!table) return new Response(null, { status: 204 })
    if (method === 'POST') return this.#insert(table, [body].flat(), query, headers)
    const found = select(this.tables[table], query)
    // An error ends the transaction.
    if (method === 'GET' || (isForObject(headers) && found.length !== 1))
      return respondWith(found, query, headers)
    this.#rev += 1
    if (method === 'PATCH') {
      const fields = isRecord(body) ? body : {}
      const changed = found.map((row) => this.#write(table, { ...row, ...fields }))
      return respondWith(changed, query, headers)
    }
    this.#remove(table, found)
    return respondWith(found, query, headers)
  }

  /** Adds rows, but not what was deleted. */
  #insert(table: TableName, given: readonly unknown[], query: URLSearchParams, headers: Headers): Response {
    const rows = given.map((fields) => (isRecord(fields) ? fields : {}))
    const isStored = ({ id }: Fields) => this.tables[table].some((row) => row.id === id)
    const isDeleted = ({ id }: Fields) => this.#deletions.some((row) => row['row_id'] === id)
    if (!headers.get('prefer')?.includes('resolution=ignore-duplicates') && rows.some(isStored))
      return failure(409, '23505')
    const missing = rows.filter((row) => !isStored(row) && !isDeleted(row))
    // An error ends the transaction.
    if (isForObject(headers) && missing.length !== 1) return respondWith([], query, headers)
    this.#rev += 1
    this.#isEmpty = false
    const added = missing.map((row) => this.#write(table, { user_id: 'me', ...row }))
    return respondWith(added, query, headers, 201)
  }

  /** Stores a row as a device has written it. */
  #write(table: TableName, fields: Fields): Row {
    const rev = this.#rev
    const computed = table === 'prayers' ? { rev, written_rev: rev } : { rev }
    return this.#store(table, requireRow({ ...fields, ...computed }))
  }

  #raisePrayerOf(row: Row): void {
    const prayer = this.tables.prayers.find(({ id }) => id === row['prayer_id'])
    if (prayer) this.#store('prayers', raised(prayer, this.#rev))
  }

  #store(table: TableName, row: Row): Row {
    this.#raisePrayerOf(row)
    this.tables[table] = [...this.tables[table].filter(({ id }) => id !== row.id), row]
    return row
  }
}

/** A prayer with a higher revision, of which nothing but what the database computes has changed. */
function raised(prayer: Row, rev: number): Row {
  return { ...prayer, rev, written_rev: prayer['written_rev'] ?? prayer.rev }
}

type Fields = Readonly<Record<string, unknown>>

const keyStep = object({ key_id: string(), state: string(), counter: number(), proof: string() })

/** As the database tells, which does not know the keys. */
function isSealed(text: string): boolean {
  return /^enc1\.[0-9A-HJKMNP-TV-Z]{16}\.[\w-]{80,}$/.test(text)
}

function textsOf(row: Fields): readonly string[] {
  return TEXTS.flatMap((name) => (typeof row[name] === 'string' && row[name] !== '' ? row[name] : []))
}

/** The rows that a query selects: filtered, in its order, and not more than its limit or a page. */
function select<Selected extends Fields>(rows: readonly Selected[], query: URLSearchParams): Selected[] {
  const order = query.get('order')?.split(',') ?? []
  const byOrder = (a: Fields, b: Fields) => {
    for (const [column = '', direction] of order.map((each) => each.split('.'))) {
      const difference = compare(a[column], b[column])
      if (difference !== 0) return direction === 'desc' ? -difference : difference
    }
    return 0
  }
  const limit = Math.min(Number(query.get('limit') ?? PAGE_SIZE), PAGE_SIZE)
  return rows
    .filter((row) => matches(row, query))
    .toSorted(byOrder)
    .slice(0, limit)
}

function matches(row: Fields, query: URLSearchParams): boolean {
  return [...query].every(([name, filter]) =>
    name === 'or' ? matchesAny(row, filter.slice(1, -1)) : fulfils(row[name], filter),
  )
}

/** @param alternatives such as `rev.gt.4,and(rev.eq.4,id.gt.a)`; values without commas and parentheses */
function matchesAny(row: Fields, alternatives: string): boolean {
  return [...alternatives.matchAll(/and\(([^)]*)\)|([^,]+)/g)].some(([, all, one = '']) =>
    (all ?? one).split(',').every((condition) => {
      const [column = '', ...filter] = condition.split('.')
      return fulfils(row[column], filter.join('.'))
    }),
  )
}

/** @param filter an operator and a value, such as `eq.1`; anything else is not a filter */
function fulfils(value: unknown, filter: string): boolean {
  const [, operator, given = ''] = /^(\w+)\.(.*)$/.exec(filter) ?? []
  if (operator === 'in') return given.slice(1, -1).split(',').includes(String(value))
  const difference = compare(value, given.replace(/^"(.*)"$/, '$1'))
  if (operator === 'eq') return difference === 0
  if (operator === 'gt') return difference > 0
  if (operator === 'lt') return difference < 0
  return operator === 'lte' ? difference <= 0 : true
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number') return a - Number(b)
  const [one, other] = [String(a), String(b)]
  if (one === other) return 0
  return one < other ? -1 : 1
}

function isForObject(headers: Headers): boolean {
  return headers.get('accept')?.includes('vnd.pgrst.object') ?? false
}

/** Responds with the selected columns of rows. */
function respondWith(
  rows: readonly Fields[],
  query: URLSearchParams,
  headers: Headers,
  status = 200,
): Response {
  const columns = query.get('select')?.split(',') ?? ['*']
  const columnsOf = (row: Fields) =>
    columns.includes('*') ? row : Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))
  const selected = rows.map(columnsOf)
  if (!isForObject(headers)) return Response.json(selected, { status })
  return rows.length === 1 ? Response.json(selected[0], { status }) : failure(406, 'PGRST116')
}

/** An error as PostgREST sends it. */
export function failure(status: number, code: string, message = code): Response {
  return Response.json({ code, message }, { status })
}

/** Fails like a request without a response. */
export function connectionLost(): never {
  throw new TypeError('Failed to fetch')
}
