import { isRecord } from '#shared/is-record.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import type { LocalData } from './local-data.ts'
import { fetchAllPages, type OrderColumn, rowsAfter } from './paging.ts'
import {
  type Cursor,
  type Fields,
  type RejectedChange,
  type Rules,
  type TableName,
  TABLES,
} from './schema.ts'
import { dataOf, requireRow, requireRows, type Response, type Server } from './server.ts'
import { isSameCursor, type StoredRow } from './storage.ts'

/** What the server knows of the user's changes. */
interface ServerState extends Cursor {
  /** Deletions up to this revision may have been forgotten. */
  floor: number
}

type Order = readonly OrderColumn<Record<string, unknown>>[]

const BY_REVISION: Order = [{ column: 'rev' }, { column: 'id' }]
const DELETIONS: Order = [{ column: 'rev' }, { column: 'row_id' }, { column: 'table_name' }]

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
 * Fetches what has changed on the server since the last time, or everything if that cannot be known. Rejects if it
 * cannot be fetched.
 */
export async function pull(options: PullOptions): Promise<void> {
  const { local, isAccountDeleted } = options
  const from = local.cursor()
  const state = await fetchState(options)
  // The token of a deleted account stays valid for a while, and reads nothing.
  if (state === NOTHING && from !== null && from.rev > 0 && (await isAccountDeleted())) return
  if (from === null || state.epoch !== from.epoch || state.rev < from.rev || from.rev < state.floor)
    return pullEverything(options, from, state)
  if (isSameCursor(from, state)) return
  await pullChanges(options, from, state)
}

async function pullChanges(
  { server, local, userId }: PullOptions,
  from: Cursor,
  to: ServerState,
): Promise<void> {
  const put: StoredRow[] = []
  for (const table of TABLES) {
    const rows = await fetchPages((after) =>
      page(server, table, userId, BY_REVISION, after).gt('rev', from.rev).lte('rev', to.rev),
    )
    put.push(...rows.map((row) => ({ table, row: requireRow(row) })))
  }
  const deletions = await fetchPages((after) =>
    page(server, 'deletions', userId, DELETIONS, after).gt('rev', from.rev).lte('rev', to.rev),
  )
  await local.receive({
    put,
    remove: deletions.flatMap(rowOfDeletion),
    moveCursor: { from, to: cursorOf(to) },
  })
}

async function pullEverything(options: PullOptions, from: Cursor | null, to: ServerState): Promise<void> {
  const { server, local, rules, userId } = options
  const put: StoredRow[] = []
  for (const table of TABLES) {
    const { order } = rules[table]
    const showEarly = (rows: readonly unknown[]) => {
      if (from === null) local.showEarly(table, requireRows(rows))
    }
    const rows = await fetchPages((after) => page(server, table, userId, order, after), showEarly)
    put.push(...rows.map((row) => ({ table, row: requireRow(row) })))
  }
  const isRestored = from !== null && from.epoch !== null && (to.epoch !== from.epoch || to.rev < from.rev)
  const addRejected = isRestored ? await findLost(options, put) : []
  await local.receive({ clearRows: true, put, addRejected, moveCursor: { from, to: cursorOf(to) } })
}

/**
 * What this device has received and the server, restored from an older backup, does not have any more: rows that no one
 * has deleted, and what was typed into the others. The user decides what to send again.
 */
async function findLost(
  options: PullOptions,
  onServer: readonly StoredRow[],
): Promise<readonly RejectedChange[]> {
  const { server, local, rules, userId, newId, now } = options
  const deletions = await fetchPages((after) => page(server, 'deletions', userId, DELETIONS, after))
  const deleted = new Set(deletions.flatMap(rowOfDeletion).map(({ id }) => id))
  const rowsOnServer = new Map(onServer.map(({ row }) => [row.id, row]))
  const lost: RejectedChange[] = []
  const add = (table: TableName, row: string, kind: 'insert' | 'update', fields: Fields) => {
    const why = { reason: 'restored', code: '', message: '' } as const
    lost.push({
      id: newId(),
      user_id: userId,
      table,
      row,
      kind,
      fields,
      base: {},
      at: now().toISOString(),
      ...why,
    })
  }
  for (const table of TABLES) {
    for (const [id, { rev: _rev, ...fields }] of local.received(table)) {
      const row = rowsOnServer.get(id)
      const changed = rules[table].typed.filter((name) => row && row[name] !== fields[name])
      if (!row && !deleted.has(id)) add(table, id, 'insert', fields)
      if (changed.length > 0) add(table, id, 'update', pick(fields, changed))
    }
  }
  return lost
}

async function fetchState({ server, userId }: PullOptions): Promise<ServerState> {
  const request = server.from('sync_state').select('rev,floor,epoch').eq('user_id', userId).maybeSingle()
  const data: unknown = await dataOf(request)
  if (data === null) return NOTHING
  if (isServerState(data)) return data
  throw new Error('The response is not the state of the synchronisation.')
}

function isServerState(value: unknown): value is ServerState {
  if (!isRecord(value)) return false
  const { rev, floor, epoch } = value
  return typeof rev === 'number' && typeof floor === 'number' && typeof epoch === 'string'
}

function cursorOf({ rev, epoch }: ServerState): Cursor {
  return { rev, epoch }
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

function rowOfDeletion({ table_name, row_id }: Record<string, unknown>): { table: TableName; id: string }[] {
  const table = TABLES.find((name) => name === table_name)
  return table && typeof row_id === 'string' ? [{ table, id: row_id }] : []
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
}
