import type { Json } from '#shared/database.types.ts'
import { importOrOfferReload } from '#web/lib/loading/reload.ts'
import { type Call, type Change, type Deletion, type Insert, Rejection, type Update } from './change.ts'
import { conflictingColumns, hasText, pick } from './conflicts.ts'
import { fieldsTypedAgain } from './earlier-attempts.ts'
import { isEqual } from './is-equal.ts'
import type { Replica } from './replica.ts'
import type { Pending } from './pending.ts'
import { childTables, textsBelow } from './references.ts'
import type { Encryption } from './sealing/boundary.ts'
import { type Row, type Rules, type TableName, type Values } from './schema.ts'
import { dataOf, RequestError, requireRow, requireRows, type Server } from './server.ts'
import type { Replacement, SavedRows } from './writes.ts'

/** PostgreSQL's code for a row whose id exists already. */
const UNIQUE_VIOLATION = '23505'
/** PostgREST's code when a single row was asked for and there is none. */
const NO_ROW = 'PGRST116'
/** How many rows one request updates, or adds: the URL of an update names them all. */
export const MAX_ROWS = 100
/** How often a change is tried on a row that other devices change in between, before it waits for the next round. */
const MAX_ATTEMPTS = 5

export interface SendOptions {
  server: Server
  replica: Replica
  rules: Rules
  newId: () => string
  encryption: Pick<Encryption, 'idKey'>
  /** Whether the server was restored from a backup since the last pull before the change was sent. */
  isRestored: () => Promise<boolean>
}

/** Thrown if a pull has to come first, because the server may lack what a change needs. */
export class PullNeeded extends Error {
  override name = 'PullNeeded'
}

/**
 * The server has saved a change, as this revision of the row, but the row may have more than was sent, or less. It must then
 * come from a pull, which knows whether the server was restored from a backup meanwhile and has lost what is known here.
 */
interface SavedRevision {
  /** Null if the change is not about one row, or the row is gone. */
  savedAs: number | null
}

type Outcome = SavedRows | SavedRevision | Replacement

/** What has become of a change that was sent. */
export interface ChangeOutcome {
  change: Change
  outcome: Outcome
}

/**
 * Sends inserts into one table together. The server ignores those whose row it has, and those whose row was deleted on another
 * device after an earlier attempt: it returns the others. Resolves without those whose row nobody has, or of which something
 * has to be kept besides that row.
 */
export async function sendInserts(
  options: SendOptions,
  changes: readonly Insert[],
): Promise<readonly ChangeOutcome[]> {
  const { server } = options
  const table = changes[0]?.table
  if (!table) return []
  const rows = changes.map(({ fields }) => fields)
  // A column that one of them lacks has its default, as if it was sent alone.
  const request = server.from(table).upsert(rows, { ignoreDuplicates: true, defaultToNull: false })
  const added = rowsById(await dataOf(request.select()))
  const missing = changes.flatMap(({ row }) => (added.has(row) ? [] : [row]))
  const found =
    missing.length === 0 ? added : rowsById(await dataOf(server.from(table).select().in('id', missing)))
  const outcomes: ChangeOutcome[] = []
  for (const change of changes) {
    const [own, other] = [added.get(change.row), found.get(change.row)]
    const outcome = own ? savedRows(table, own) : other && (await outcomeOfExisting(options, change, other))
    if (outcome && !('kept' in outcome)) outcomes.push({ change, outcome })
  }
  return outcomes
}

function rowsById(data: unknown): ReadonlyMap<string, Row> {
  return new Map(requireRows(data).map((row) => [row.id, row]))
}

const loadConflicts = () => importOrOfferReload(() => import('./conflict-copies.ts'))

/** Sends one change. Rejects with a `Rejection`, an error of the request or `PullNeeded` if the server has not saved it. */
export async function sendChange(options: SendOptions, { change, rev }: Pending): Promise<Outcome> {
  switch (change.kind) {
    case 'insert':
      return sendInsert(options, change, rev)
    case 'update':
      return sendUpdate(options, change, rev)
    case 'delete':
      return sendDelete(options, change)
    case 'call':
      return sendCall(options, change)
  }
}

/** @param savedAs see `sendUpdate` */
async function sendInsert(options: SendOptions, change: Insert, savedAs: number | null): Promise<Outcome> {
  const { server } = options
  const { table, row: id, fields } = change
  try {
    const data: unknown = await dataOf(server.from(table).insert(fields).select().single())
    return savedRows(table, requireRow(data))
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    // The row was deleted on another device after an earlier attempt had added it, and its response was lost; or after another
    // device had added it again that the server had lost.
    if (error.code === NO_ROW) {
      if (!change.isLost && !change.typedBefore) return { savedAs: null }
      return await replacedIfKept(options, change, null)
    }
    if (error.code !== UNIQUE_VIOLATION) throw error
    // An earlier attempt has added it, and its response was lost; or another device has.
    const row = await fetchRow(server, table, id)
    if (!row) throw error
    return savedAs !== null && row.rev >= savedAs
      ? { savedAs: row.rev }
      : outcomeOfExisting(options, change, row)
  }
}

/** What becomes of an insert whose row the server has. */
async function outcomeOfExisting(options: SendOptions, change: Insert, row: Row): Promise<Outcome> {
  if (change.isCopy) return { savedAs: row.rev }
  if (change.isLost) {
    if (await options.isRestored()) throw new PullNeeded()
    return replacedIfKept(options, change, row)
  }
  const { texts } = options.rules[change.table]
  const fields: Values = fieldsTypedAgain(change, texts)
  const retyped = Object.keys(fields).filter((name) => !isEqual(row[name] ?? null, fields[name]))
  if (retyped.length === 0) return { savedAs: row.rev }
  const base = Object.fromEntries(texts.map((name) => [name, null]))
  return sendUpdate(options, { ...change, kind: 'update', fields: pick(fields, retyped), base }, null)
}

/** What takes the place of an insert, unless nothing has to be kept of it. */
async function replacedIfKept(options: SendOptions, change: Insert, row: Row | null): Promise<Outcome> {
  const replacement = await replaced(options, change, Object.keys(change.fields), row)
  const { rest, kept } = replacement
  const isKept = rest.length + kept.changes.length + kept.rejected.length > 0
  return isKept ? replacement : { savedAs: row && row.rev }
}

/**
 * Sends the fields of an update, on condition that the row has not changed since it was read. So a delayed duplicate of the request cannot
 * undo a later change.
 *
 * @param savedAs the revision as which the row has them already, if a pull has missed it; otherwise null
 */
async function sendUpdate(options: SendOptions, change: Update, savedAs: number | null): Promise<Outcome> {
  const { table, row: id } = change
  const attempt = async (row: Row, isCurrent: boolean): Promise<Outcome | null> => {
    // The row has them, or was written again since by someone who has seen them.
    if (savedAs !== null && row.rev >= savedAs) return { savedAs: row.rev }
    const left = isCurrent ? await leftToSend(options, change, row) : change
    if (left === null) return { savedAs: row.rev }
    const { fields } = left
    const conflicting = conflictingColumns(left, row, options.rules)
    if (conflicting.length > 0) return isCurrent ? replaced(options, left, conflicting, row) : null
    // An older server may not have all columns.
    const derived = pick(options.rules[table].derive?.(left) ?? {}, Object.keys(row))
    const values = { ...derived, ...fields }
    const request = options.server.from(table).update(values).eq('id', id).eq('rev', row.rev).select()
    const [updated] = requireRows(await dataOf(request))
    if (!updated) return null
    // What has become of a text that the database has moved elsewhere comes with the next pull.
    const isMoved = options.rules[table].texts.some((name) => updated[name] !== { ...row, ...fields }[name])
    return isCurrent || isMoved ? { savedAs: updated.rev } : savedRows(table, updated)
  }
  const outcome = await tryOnRow(options, change, attempt)
  if (outcome !== 'missing') return outcome
  // Whoever has deleted the row since has seen it.
  if (savedAs !== null) return { savedAs: null }
  const { isDeletedLater } = await loadConflicts()
  if (isDeletedLater(options, change)) return { savedAs: null }
  throw new Rejection('deleted')
}

/** What is left to send of an update, of which a page that was closed, or another tab, may have sent more; null if nothing is. */
async function leftToSend(options: SendOptions, change: Update, row: Row): Promise<Update | null> {
  const { movedText } = options.rules[change.table]
  const isMovable = movedText && hasText(change.fields[movedText.name])
  if (!isMovable && conflictingColumns(change, row, options.rules).length === 0) return change
  const { withoutMovedText, withoutSetLater } = await loadConflicts()
  const left = withoutSetLater(options, change, row)
  return left && isMovable
    ? withoutMovedText(options, left, movedText, await fetchNewerBelow(options, change))
    : left
}

/** What takes the place of a change of which these columns have lost against the row of the server, or its deletion. */
async function replaced(
  options: SendOptions,
  change: Insert | Update,
  lost: readonly string[],
  row: Row | null,
): Promise<Replacement> {
  const { replacementOf } = await loadConflicts()
  const { reference } = options.rules[change.table]
  const parent = reference?.cascades ? row?.[reference.column] : null
  const owner = reference && typeof parent === 'string' ? { table: reference.table, row: parent } : change
  // Another device that has sent a restored server the same may have moved a text since, or an earlier attempt of the form may have kept it.
  const newer = change.isLost || change.typedBefore ? await fetchNewerBelow(options, owner) : []
  return replacementOf(options, change, lost, row, newer)
}

/** Deletes a row unless it has a text that was not seen here, or a row with such a text would be deleted with it. */
async function sendDelete(options: SendOptions, change: Deletion): Promise<Outcome> {
  const { replica, rules, server } = options
  const { table, row: id, seen } = change
  const base: Values = change.base
  const isUnseen = (text: Json | undefined) => hasText(text) && !seen.includes(text)
  const isRead = childTables(table, rules).every(({ child }) => replica.state().tables.includes(child))
  if (!isRead) throw new Rejection('conflict')
  const attempt = async (row: Row, isCurrent: boolean): Promise<Outcome | null> => {
    const rows = isCurrent ? await fetchNewerBelow(options, change) : null
    const newer = rows ? textsBelow(table, id, (child) => rows.get(child) ?? [], rules) : []
    const below = [...textsBelow(table, id, (child) => replica.state().rows[child].values(), rules), ...newer]
    const texts = Object.keys(base).map((name) => (row[name] === base[name] ? null : row[name]))
    if ([...texts, ...below].some(isUnseen)) {
      if (isCurrent) throw new Rejection('conflict')
      return null
    }
    const request = server.from(table).delete().eq('id', id).eq('rev', row.rev).select('id,rev')
    if (requireRows(await dataOf(request)).length === 0) return null
    return isCurrent ? { savedAs: null } : { remove: [{ table, id }] }
  }
  const outcome = await tryOnRow(options, change, attempt)
  // A row that does not exist any more counts as deleted.
  return outcome === 'missing' ? { savedAs: null } : outcome
}

/** The rows that belong to the row of a change, and were not received yet. */
async function fetchNewerBelow(
  { server, replica, rules }: SendOptions,
  { table, row }: Pick<Update, 'table' | 'row'>,
): Promise<ReadonlyMap<TableName, readonly Row[]>> {
  const rev = replica.state().cursor?.rev ?? 0
  const rows = new Map<TableName, readonly Row[]>()
  for (const { child, column } of childTables(table, rules)) {
    const request = server.from(child).select().eq(column, row).gt('rev', rev)
    rows.set(child, requireRows(await dataOf(request)))
  }
  return rows
}

/**
 * Tries a change on the row as last received and, if it is different on the server by now, on the row as it is there.
 * Resolves to `missing` if there is none.
 *
 * @param attempt resolves to null if it has to be repeated with the current row
 */
async function tryOnRow(
  { server, replica, isRestored }: SendOptions,
  { id, table, row: rowId }: Update | Deletion,
  attempt: (row: Row, isCurrent: boolean) => Promise<Outcome | null>,
): Promise<Outcome | 'missing'> {
  // Before everything was received, what belongs to the row is not known.
  const received = replica.state().isComplete ? replica.state().rows[table].get(rowId) : undefined
  const outcome = received && (await attempt(received, false))
  if (outcome) return outcome
  for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) {
    const row = await fetchRow(server, table, rowId)
    // Perhaps it was another tab that has changed the row, by sending this very change.
    await replica.refresh()
    if (!replica.state().pending.get(id)) return { savedAs: null }
    // After the row was read: what is not sent in its place is not checked by the server.
    if (await isRestored()) throw new PullNeeded()
    if (!row) return 'missing'
    const repeated = await attempt(row, true)
    if (repeated) return repeated
  }
  throw new Error('The row is being changed by other devices.')
}

async function sendCall(options: SendOptions, { table, name, args }: Call): Promise<Outcome> {
  const { update, refersTo } = options.rules[table].calls[name] ?? {}
  if (!update) await dataOf(options.server.rpc(name, args))
  else
    for (const ids of chunksOf(refersTo?.(args) ?? [], MAX_ROWS))
      await updateRows(options, table, ids, update(args))
  return { savedAs: null }
}

/**
 * Gives rows the same fields; those that do not exist any more are left out. As for a single row (see `sendUpdate`), a delayed
 * duplicate of the request cannot undo a later change: it is for the rows as they were up to a revision.
 */
async function updateRows(
  { server, replica }: SendOptions,
  table: TableName,
  ids: readonly string[],
  fields: Values,
): Promise<void> {
  const { rows, cursor } = replica.state()
  const isDifferent = (row: Row) => Object.keys(fields).some((name) => !isEqual(row[name], fields[name]))
  let left = ids
  let rev = Math.max(cursor?.rev ?? 0, ...ids.map((id) => rows[table].get(id)?.rev ?? 0))
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const request = server.from(table).update(fields).in('id', left).lte('rev', rev).select('id,rev')
    const updated = new Set(requireRows(await dataOf(request)).map(({ id }) => id))
    left = left.filter((id) => !updated.has(id))
    if (left.length === 0) return
    // Other devices have written them since, or an earlier attempt.
    const found = requireRows(await dataOf(server.from(table).select().in('id', left))).filter(isDifferent)
    if (found.length === 0) return
    left = found.map(({ id }) => id)
    rev = Math.max(...found.map((row) => row.rev))
  }
  throw new Error('The rows are being changed by other devices.')
}

function chunksOf<Value>(all: readonly Value[], size: number): readonly (readonly Value[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )
}

async function fetchRow(server: Server, table: TableName, id: string): Promise<Row | null> {
  const [row = null] = requireRows(await dataOf(server.from(table).select().eq('id', id)))
  return row
}

function savedRows(table: TableName, row: Row): SavedRows {
  return { put: [{ table, row }] }
}
