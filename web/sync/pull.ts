import { isRecord } from '#shared/is-record.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import type { Insert, Made, RejectedChange, Update } from './change.ts'
import type { LocalData } from './local-data.ts'
import { isEqual } from './is-equal.ts'
import { fetchAllPages, type OrderColumn, rowsAfter } from './paging.ts'
import { type Cursor, type Fields, formatOf, type Row, type Rules, type TableName, TABLES } from './schema.ts'
import { dataOf, requireRows, type Response, type Server } from './server.ts'
import type { StoredRow } from './storage.ts'

/** What the server knows of the user's changes. */
interface ServerState extends Cursor {
  /** Deletions up to this revision may have been forgotten. */
  floor: number
}

type Order = readonly OrderColumn<Record<string, unknown>>[]

const BY_REVISION: Order = [{ column: 'rev' }, { column: 'id' }]
const BY_TOMBSTONE: Order = [{ column: 'rev' }, { column: 'row_id' }, { column: 'table_name' }]

/** No one has written anything yet. */
const NOTHING: ServerState = { rev: 0, floor: 0, epoch: null }

interface PullOptions {
  server: Server
  local: LocalData
  rules: Rules
  userId: string
  newId: () => string
  now: () => Date
  isAccountDeleted: () => Promise<boolean>
}

/**
 * Fetches what has changed on the server since the last time, or everything if that cannot be known. Resolves to false
 * if it was discarded because another tab has pulled meanwhile; rejects if it cannot be fetched.
 */
export async function pull(options: PullOptions): Promise<boolean> {
  const { local, isAccountDeleted } = options
  const from = local.state().cursor
  const state = await fetchState(options)
  // The token of a deleted account stays valid for a while, and reads nothing.
  if (state === NOTHING && from !== null && from.rev > 0 && (await isAccountDeleted())) return true
  const hasRows = TABLES.some((table) => local.state().rows[table].size > 0)
  if (from === null) return pullEverything(options, from, state)
  if (!isContinued(from, state) || (state.epoch === null && hasRows))
    return pullAfterRestore(options, from, state)
  if (from.rev < state.floor || from.format !== formatOf(options.rules))
    return pullEverything(options, from, state)
  const isNothingNew = state.rev === from.rev && !hasSent(local)
  return isNothingNew || pullChanges(options, from, state)
}

/** Whether the server knows everything that it knew at the time of the cursor: it was not restored since. */
function isContinued(from: Cursor, to: Cursor): boolean {
  return from.epoch === to.epoch && from.rev <= to.rev
}

async function pullChanges(options: PullOptions, from: Cursor, to: ServerState) {
  const { server, local, userId } = options
  const fetchNew = (table: string, order: Order) =>
    fetchPages((after) => page(server, table, userId, order, after).gt('rev', from.rev).lte('rev', to.rev))
  const put: StoredRow[] = []
  for (const table of TABLES) {
    const rows = requireRows(await fetchNew(table, BY_REVISION))
    put.push(...rows.map((row) => ({ table, row })))
  }
  const remove = (await fetchNew('deletions', BY_TOMBSTONE)).flatMap(refOfTombstone)
  if (await isRestoredSince(options, to)) return false
  return local.receive(from, () => ({ put, remove, cursor: cursorOf(to, options.rules) }))
}

/** Whether the server was restored during this pull. That matters if changes leave the outbox with it. */
async function isRestoredSince(options: PullOptions, { epoch }: ServerState): Promise<boolean> {
  return hasSent(options.local) && (await fetchState(options)).epoch !== epoch
}

function hasSent(local: LocalData): boolean {
  return local.state().pending.some(({ state }) => state === 'sent')
}

async function pullEverything(options: PullOptions, from: Cursor | null, to: ServerState) {
  const showEarly = from === null ? options.local.showEarly : () => {}
  const put = await fetchEverything(options, showEarly)
  if (await isRestoredSince(options, to)) return false
  return options.local.receive(from, () => ({ clearRows: true, put, cursor: cursorOf(to, options.rules) }))
}

/** The server was restored from a backup: everything is fetched, and what it has lost is kept for the user to decide. */
async function pullAfterRestore(options: PullOptions, from: Cursor, to: ServerState) {
  const { server, local, userId } = options
  const put = await fetchEverything(options, () => {})
  const tombstones = await fetchPages((after) => page(server, 'deletions', userId, BY_TOMBSTONE, after))
  const deleted = new Set(tombstones.flatMap(refOfTombstone).map(({ id }) => id))
  return local.receive(from, () => {
    const addRejected = findLost(options, from, put, deleted)
    return { clearRows: true, put, addRejected, cursor: cursorOf(to, options.rules) }
  })
}

/** @param showEarly called when the first rows of all tables are there, and then after every page of a table */
async function fetchEverything(
  { server, rules, userId }: PullOptions,
  showEarly: LocalData['showEarly'],
): Promise<readonly StoredRow[]> {
  const early = new Map<TableName, readonly StoredRow[]>()
  /** The row of a prayer also says when its newest update was written: it must not grow after it has appeared. */
  const show = (table: TableName, rows: readonly Row[]) => {
    early.set(
      table,
      rows.map((row) => ({ table, row })),
    )
    if (early.size === TABLES.length) showEarly({ put: [...early.values()].flat() })
  }
  const fetchTable = async (table: TableName) => {
    const rows = await fetchPages(
      (after) => page(server, table, userId, rules[table].order, after),
      (fetched) => show(table, requireRows(fetched)),
    )
    return requireRows(rows).map((row) => ({ table, row }))
  }
  return (await Promise.all(TABLES.map(fetchTable))).flat()
}

/**
 * What this device has received and the server, restored from an older backup, does not have any more: rows that no one
 * has deleted, and what was typed into the others. The user decides what to send again.
 */
function findLost(
  { local, rules, userId, newId, now }: PullOptions,
  from: Cursor,
  onServer: readonly StoredRow[],
  deleted: ReadonlySet<unknown>,
): readonly RejectedChange[] {
  const at = now().toISOString()
  const rowsOnServer = new Map(onServer.map(({ row }) => [row.id, row]))
  const lost: RejectedChange[] = []
  const add = (change: Omit<Insert, keyof Made> | Omit<Update, keyof Made>) => {
    lost.push({ ...change, id: newId(), user_id: userId, at, reason: 'restored', code: '', message: '' })
  }
  for (const table of TABLES) {
    const { typed, reference } = rules[table]
    for (const [id, { rev, ...fields }] of local.state().rows[table]) {
      const row = rowsOnServer.get(id)
      const isDeleted = deleted.has(id) || (reference?.cascades && deleted.has(fields[reference.column]))
      // Without a known epoch, only an older row is certain to come from a backup.
      const isOther = row && (from.epoch !== null || row.rev < rev)
      const changed = typed.filter((name) => isOther && name in fields && !isEqual(row[name], fields[name]))
      if (!row && !isDeleted) add({ kind: 'insert', table, row: id, fields })
      if (row && changed.length > 0) {
        const [typedHere, base] = [pick(fields, changed), pick(row, changed)]
        add({ kind: 'update', table, row: id, fields: typedHere, base })
      }
    }
  }
  return lost
}

async function fetchState({ server, userId }: PullOptions): Promise<ServerState> {
  const request = server.from('sync_state').select('rev,floor,epoch').eq('user_id', userId)
  const data: unknown = await dataOf(request)
  if (Array.isArray(data) && data.length === 0) return NOTHING
  const state: unknown = Array.isArray(data) ? data[0] : null
  if (isServerState(state)) return state
  throw new Error('The response is not the state of the synchronisation.')
}

function isServerState(value: unknown): value is ServerState {
  if (!isRecord(value)) return false
  const { rev, floor, epoch } = value
  return typeof rev === 'number' && typeof floor === 'number' && typeof epoch === 'string'
}

function cursorOf({ rev, epoch }: ServerState, rules: Rules): Cursor {
  return { rev, epoch, format: formatOf(rules) }
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

async function fetchPages(
  request: (after: Record<string, unknown> | null) => PromiseLike<Response<unknown>>,
  onProgress: (rows: readonly unknown[]) => void = () => {},
) {
  const fetchPage = async (after: Record<string, unknown> | null) => {
    const rows: unknown = await dataOf(request(after))
    if (!Array.isArray(rows) || !rows.every(isRecord)) throw new Error('The response is not a list of rows.')
    return rows
  }
  return fetchAllPages(fetchPage, PAGE_SIZE, onProgress)
}

function refOfTombstone({ table_name, row_id }: Record<string, unknown>): { table: TableName; id: string }[] {
  const table = TABLES.find((name) => name === table_name)
  return table && typeof row_id === 'string' ? [{ table, id: row_id }] : []
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}
