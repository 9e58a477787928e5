import { array, is, number, object, string } from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import { importOrOfferReload } from '#web/lib/loading/reload.ts'
import type { RestoreOptions, Tombstone } from './after-restore.ts'
import { isSaved, type Pending } from './pending.ts'
import type { Replica } from './replica.ts'
import { type OrderColumn, rowsAfter } from './paging.ts'
import { type Cursor, formatOf, type Restore, type Rules, type TableName, tablesOf } from './schema.ts'
import { dataOf, requireRows, type ServerResponse, type Server } from './server.ts'
import type { Encryption } from './sealing/boundary.ts'
import { NEVER_ENCRYPTED } from './sealing/remembered.ts'
import { isContinued, type StoredRow } from './storage.ts'

/** What the server knows of the user's changes. */
interface ServerState extends Cursor {
  /** Deletions up to this revision may have been forgotten. */
  floor: number
  restores: readonly Restore[]
  /** With which texts are sealed. */
  key: string
}

type Order = readonly OrderColumn<Record<string, unknown>>[]

const BY_REVISION: Order = [{ column: 'rev' }, { column: 'id' }]
const BY_TOMBSTONE: Order = [{ column: 'rev' }, { column: 'row_id' }, { column: 'table_name' }]

/** No one has written anything yet. */
const NOTHING: ServerState = { rev: 0, floor: 0, epoch: null, restores: [], key: NEVER_ENCRYPTED }

interface PullOptions {
  server: Server
  /** For the first rows (see `Encryption.sendFirst`). */
  first: Server
  replica: Replica
  rules: Rules
  userId: string
  newId: () => string
  now: () => Date
  isAccountDeleted: () => Promise<boolean>
  encryption: Pick<Encryption, 'learn' | 'idKey' | 'keyIds'>
}

interface Pull extends PullOptions {
  /** With which texts are opened: without those that the user enters meanwhile. */
  keys: string
}

/**
 * Fetches what has changed on the server since the last time, or everything if that cannot be known. Resolves to false
 * if it was discarded because another tab has pulled, or the server was restored, meanwhile; rejects if it cannot be fetched.
 */
export async function pull(options: PullOptions): Promise<boolean> {
  const { replica, isAccountDeleted } = options
  const from = replica.state().cursor
  const [state] = await Promise.all([
    fetchState(options),
    // They are fetched again with all others.
    replica.state().isComplete ? null : showFirstRows(options).catch(() => null),
  ])
  // The token of a deleted account stays valid for a while, and reads nothing.
  if (state === NOTHING && from !== null && from.rev > 0 && (await isAccountDeleted())) return true
  await options.encryption.learn(state.key)
  const saved = savedIn(replica)
  const isReceived = await pullTo(state, from, { ...options, keys: options.encryption.keyIds() })
  const isStillPending = ({ change }: Pending) => replica.state().pending.get(change.id)
  // They are sent again, but not at once: perhaps the server never shows it.
  if (state === NOTHING && saved.some(isStillPending))
    throw new Error('The server does not show what it has saved.')
  return isReceived
}

async function pullTo(to: ServerState, from: Cursor | null, options: Pull): Promise<boolean> {
  if (from === null) return pullEverything(options, from, to)
  if (!isContinued(from, to)) return pullAfterRestore(options, from, to)
  const { format, keys = '' } = cursorOf(to, options)
  const isOpened = (from.keys ?? '') === keys
  if (from.rev < to.floor || from.format !== format || !isOpened) return pullEverything(options, from, to)
  const isNothingNew = to.rev === from.rev && savedIn(options.replica).length === 0
  return isNothingNew || pullChanges(options, from, to)
}

async function pullChanges(options: Pull, from: Cursor, to: ServerState) {
  const { server, replica, rules, userId } = options
  const fetchNew = (table: string, order: Order) =>
    fetchPages((after) => page(server, table, userId, order, after).gt('rev', from.rev).lte('rev', to.rev))
  const put: StoredRow[] = []
  for (const table of tablesOf(rules)) {
    put.push(...storedRows(table, await fetchNew(table, BY_REVISION)))
  }
  const remove = tombstonesIn(await fetchNew('deletions', BY_TOMBSTONE), rules)
  // Changes leave the outbox with it.
  if (savedIn(replica).length > 0 && (await isRestoredSince(options, to))) return false
  const cursor = cursorOf(to, options)
  return replica.receive({ from, makeBatch: () => ({ put, remove, cursor }) })
}

/** Whether the server was restored during this pull: then some of the rows may be from before that, and some from after. */
async function isRestoredSince(options: PullOptions, { epoch }: ServerState): Promise<boolean> {
  return (await fetchState(options)).epoch !== epoch
}

/** Whether the server was restored since a device had pulled up to this cursor. */
export async function isRestored(
  options: Pick<PullOptions, 'server' | 'userId'>,
  from: Cursor | null,
): Promise<boolean> {
  return from !== null && !isContinued(from, await fetchState(options))
}

function savedIn(replica: Replica): readonly Pending[] {
  return replica.state().pending.filter(isSaved)
}

async function pullEverything(options: Pull, from: Cursor | null, to: ServerState) {
  const put = await fetchEverything(options)
  // They take the place of what this device has, and changes leave the outbox with them.
  const mayLose = from !== null || savedIn(options.replica).length > 0
  if (mayLose && (await isRestoredSince(options, to))) return false
  const cursor = cursorOf(to, options)
  const makeBatch = () => {
    const newer = from === null ? [] : newerHere(put, to, options)
    return { clearRows: true, put: [...put, ...newer], cursor }
  }
  return options.replica.receive({ from, makeBatch })
}

/**
 * The rows of this device that are newer than the state and what was fetched: another tab has sent them meanwhile. The server may lose them
 * before the next pull, which brings what has become of them.
 */
function newerHere(fetched: readonly StoredRow[], to: ServerState, { replica, rules }: Pull) {
  const revs = new Map(fetched.map(({ row }) => [row.id, row.rev]))
  return tablesOf(rules).flatMap((table) =>
    [...replica.state().rows[table].values()]
      .filter(({ id, rev }) => rev > Math.max(to.rev, revs.get(id) ?? 0))
      .map((row) => ({ table, row })),
  )
}

/** The server was restored from a backup: everything is fetched, and what it has lost is sent again. */
async function pullAfterRestore(options: Pull, from: Cursor, to: ServerState) {
  const { server, replica, userId, now } = options
  // Loaded when it is needed first: few devices ever see a restored server.
  const { keptAfterRestore } = await importOrOfferReload(() => import('./after-restore.ts'))
  const rows = await fetchEverything(options)
  const found = await fetchPages((after) => page(server, 'deletions', userId, BY_TOMBSTONE, after))
  const tombstones = tombstonesIn(found, options.rules)
  if (await isRestoredSince(options, to)) return false
  const common = commonRevisions(from, to)
  const makeBatch = () => {
    const { pending, rows: received } = replica.state()
    const restored = {
      ...options,
      idKey: options.encryption.idKey(),
      at: now().toISOString(),
      ...common,
      rows,
      tombstones,
    }
    const { changes, rejected: addRejected } = keptAfterRestore(received, restored)
    const stored = pending.filter(({ seq }) => seq !== null)
    return {
      clearRows: true,
      put: rows,
      // What waits may need them.
      addChanges: changes.length === 0 ? [] : [...changes, ...stored.map(({ change }) => change)],
      removeChanges: changes.length === 0 ? [] : stored.flatMap(({ seq }) => seq ?? []),
      addRejected,
      cursor: cursorOf(to, options),
    }
  }
  return replica.receive({ from, makeBatch, isAfterRestore: true })
}

/**
 * The latest epoch that both know tells what was in the backup: this device may have received the server's state after an earlier
 * restore, of which this one knows nothing.
 */
function commonRevisions(
  from: Cursor,
  to: ServerState,
): Pick<RestoreOptions, 'backedUpTo' | 'knownTo' | 'receivedTo'> {
  const earlier = (from.restores ?? []).map(({ epoch, rev }) => ({ epoch, known: rev, received: rev }))
  // What this device itself has written since its last pull was written over what it had received, whatever others have written.
  const current = { epoch: from.epoch, known: Infinity, received: from.rev }
  for (const { epoch, known, received } of [current, ...earlier.toReversed()]) {
    const rev = to.restores.find((restore) => restore.epoch === epoch)?.rev
    if (rev !== undefined)
      return { backedUpTo: rev, knownTo: Math.min(rev, known), receivedTo: Math.min(rev, received) }
  }
  return { backedUpTo: 0, knownTo: 0, receivedTo: 0 }
}

/**
 * Shows the first page of each table while the state is still being fetched. It does not count as received: only what is requested after
 * the state is known to include everything up to its revision.
 */
async function showFirstRows({ first, replica, rules, userId }: PullOptions): Promise<void> {
  const fetchFirst = async (table: TableName) => {
    const rows = await dataOf(page(first, table, userId, rules[table].order, null))
    return storedRows(table, rows)
  }
  // All at once: the row of a prayer also says when its newest update was written, and must not grow after it has appeared.
  replica.showEarly({ put: (await Promise.all(tablesOf(rules).map(fetchFirst))).flat() })
}

async function fetchEverything({
  server,
  replica,
  rules,
  userId,
}: PullOptions): Promise<readonly StoredRow[]> {
  const fetchTable = async (table: TableName) => {
    const rows = await fetchPages(
      (after) => page(server, table, userId, rules[table].order, after),
      (fetched) => replica.showEarly({ put: storedRows(table, fetched) }),
    )
    return storedRows(table, rows)
  }
  return (await Promise.all(tablesOf(rules).map(fetchTable))).flat()
}

function storedRows(table: TableName, rows: unknown): readonly StoredRow[] {
  return requireRows(rows).map((row) => ({ table, row }))
}

async function fetchState({ server, userId }: Pick<PullOptions, 'server' | 'userId'>): Promise<ServerState> {
  const request = server.from('sync_state').select('rev,floor,epoch,restores,key').eq('user_id', userId)
  const data: unknown = await dataOf(request)
  if (Array.isArray(data) && data.length === 0) return NOTHING
  const state: unknown = Array.isArray(data) ? data[0] : null
  if (is(serverState, state)) return state
  throw new Error('The response is not the state of the synchronisation.')
}

const serverState = object({
  rev: number(),
  floor: number(),
  epoch: string(),
  restores: array(object({ epoch: string(), rev: number() })),
  key: string(),
})

function cursorOf({ rev, epoch, restores }: ServerState, { rules, keys }: Pull): Cursor {
  return { rev, epoch, restores, format: formatOf(rules), ...(keys !== '' && { keys }) }
}

/** A request for the page after the given row. */
function page(
  server: Server,
  table: string,
  userId: string,
  order: Order,
  after: Record<string, unknown> | null,
) {
  let request = server.from(table).select('*').eq('user_id', userId)
  if (after) request = request.or(rowsAfter(after, order))
  return order.reduce(
    (ordered, { column, descending }) => ordered.order(column, { ascending: !descending }),
    request.limit(PAGE_SIZE),
  )
}

/** Fetches page by page until one is not full. */
async function fetchPages(
  request: (after: Record<string, unknown> | null) => PromiseLike<ServerResponse<unknown>>,
  onPage: (rows: readonly unknown[]) => void = () => {},
): Promise<readonly Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (;;) {
    const rows: unknown = await dataOf(request(all.at(-1) ?? null))
    if (!Array.isArray(rows) || !rows.every(isRecord)) throw new Error('The response is not a list of rows.')
    all.push(...rows)
    onPage(rows)
    if (rows.length < PAGE_SIZE) return all
  }
}

function tombstonesIn(deletions: readonly Record<string, unknown>[], rules: Rules): readonly Tombstone[] {
  return deletions.flatMap(({ table_name, row_id, row_rev }) => {
    const table = tablesOf(rules).find((name) => name === table_name)
    if (!table || typeof row_id !== 'string' || typeof row_rev !== 'number') return []
    return [{ table, id: row_id, rowRev: row_rev }]
  })
}
