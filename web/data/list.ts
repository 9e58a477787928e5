import { CancelledError, queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { UserError } from '#web/lib/error-message.ts'
import { fetchAllPages } from '#web/sync/paging.ts'

export interface Row {
  id: string
}

export const TABLES = ['categories', 'prayers'] as const

/** A table whose rows the browser holds as one list per user. */
export interface ListDefinition<R extends Row> {
  table: (typeof TABLES)[number]
  /** Requests the page after the given row (null: the first page), in the list's order. */
  fetchPage: (userId: string, after: R | null) => Promise<readonly R[]>
  /** The most rows that a page can have. */
  pageSize: number
}

/** The list of one user, and the cache that holds it. */
export interface UserList<R extends Row> extends ListDefinition<R> {
  client: QueryClient
  /** Null when no one is signed in: then nothing can be read or changed. */
  userId: string | null
  key: QueryKey
}

/** A list as last received from the server. Pending changes are not included. */
export interface CachedList<R extends Row> {
  rows: readonly R[]
  /** False while later pages are still missing: the number of rows is not known yet. */
  complete: boolean
  /** Incremented by every completed change, so that a fetch that began before it is known to be outdated. */
  revision: number
}

/** The key of a list, in the cache and for other tabs. */
export function listKey(table: ListDefinition<Row>['table'], userId: string | null): QueryKey {
  return [table, userId]
}

/** The list of the given user in the given cache. */
export function userList<R extends Row>(
  definition: ListDefinition<R>,
  client: QueryClient,
  userId: string | null,
): UserList<R> {
  return { ...definition, client, userId, key: listKey(definition.table, userId) }
}

/** The user's id. Throws when no one is signed in. */
export function requireUser(userId: string | null): string {
  if (userId === null) throw new UserError('User not authenticated')
  return userId
}

/** The list as last received, or undefined before anything was received. */
export function cachedList<R extends Row>({ client, key }: UserList<R>): CachedList<R> | undefined {
  return client.getQueryData<CachedList<R>>(key)
}

/**
 * Updates the cached rows after a response, and makes every running fetch start again, since its rows may have been
 * read before. Does nothing when the list is not in the cache: signing out has cleared it.
 */
export function updateCachedList<R extends Row>(
  list: UserList<R>,
  update: (rows: readonly R[]) => readonly R[],
): void {
  if (!queryOf(list)) return
  const { rows, complete, revision } = cachedList(list) ?? { rows: [], complete: false, revision: 0 }
  setCachedList(list, { rows: update(rows), complete, revision: revision + 1 })
}

/**
 * The query that caches a whole list until the user signs out. It is fetched once, then again when the tab gets the
 * focus, when the network returns, when another tab has changed it and after every failed change.
 */
export function listQuery<R extends Row>(list: UserList<R>) {
  return queryOptions<CachedList<R>>({
    queryKey: list.key,
    queryFn: () => fetchList(list),
    staleTime: Infinity,
    gcTime: Infinity,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    networkMode: 'always',
    retry: 1,
    retryDelay: 500,
    // fetchList keeps the objects of unchanged rows by id; structural sharing compares rows by position.
    structuralSharing: false,
  })
}

/** All rows, fetched first unless the cache has them. Rejects when they cannot be fetched. */
export async function fetchRows<R extends Row>(list: UserList<R>): Promise<readonly R[]> {
  return (await list.client.query(listQuery(list))).rows
}

async function fetchList<R extends Row>(list: UserList<R>): Promise<CachedList<R>> {
  const userId = requireUser(list.userId)
  for (;;) {
    const revision = cachedList(list)?.revision ?? 0
    const rows = await fetchAllPages<R>(
      (after) => list.fetchPage(userId, after),
      list.pageSize,
      showPages(list),
    )
    const cached = cachedList(list)
    // A change that completed in the meantime may be missing from these rows.
    if ((cached?.revision ?? 0) !== revision) continue
    return { rows: keepUnchangedRows(cached?.rows ?? [], rows), complete: true, revision }
  }
}

/** Puts the first pages into the cache as they arrive, unless it already has a complete list to show. */
function showPages<R extends Row>(list: UserList<R>) {
  const query = queryOf(list)
  return (rows: readonly R[]) => {
    // Signing out has cleared the cache: stop fetching, and keep these rows out of it.
    if (queryOf(list) !== query) throw new CancelledError({ silent: true })
    const cached = cachedList(list)
    if (cached && (cached.complete || cached.rows.length >= rows.length)) return
    setCachedList(list, { rows, complete: false, revision: cached?.revision ?? 0 })
  }
}

function queryOf<R extends Row>({ client, key }: UserList<R>) {
  return client.getQueryCache().find({ queryKey: key, exact: true })
}

function setCachedList<R extends Row>({ client, key }: UserList<R>, list: CachedList<R>): void {
  client.setQueryData<CachedList<R>>(key, list)
}

/**
 * The fetched rows, reusing the object of every row that has not changed, and the whole array if nothing has, so that
 * unchanged rows do not render again.
 */
export function keepUnchangedRows<R extends Row>(before: readonly R[], fetched: readonly R[]): readonly R[] {
  const beforeById = new Map(before.map((row) => [row.id, row]))
  const rows = fetched.map((row) => {
    const old = beforeById.get(row.id)
    return old && hasSameFields(old, row) ? old : row
  })
  return rows.length === before.length && rows.every((row, index) => row === before[index]) ? before : rows
}

function hasSameFields(a: Row, b: Row): boolean {
  const fields = new Map<string, unknown>(Object.entries(b))
  const entries = Object.entries(a)
  return entries.length === fields.size && entries.every(([name, value]) => fields.get(name) === value)
}
