import { type LocalData, type Received, Rejection, type Waiting } from './local-data.ts'
import type { Change, Fields, Row, Rules, TableName } from './schema.ts'
import { dataOf, judge, RequestError, requireRow, type Server } from './server.ts'
import { applyChanges } from './view.ts'

/** PostgreSQL's code for a row whose id exists already. */
const UNIQUE_VIOLATION = '23505'
/** PostgREST's code when a single row was asked for and there is none. */
const NO_ROW = 'PGRST116'
/** A fault of the server that one change meets this many times in a row counts as its rejection. */
const MAX_FAULTS = 5
/** How often a guarded change is tried again because the row changed in between, before it waits for the next round. */
const MAX_GUARD_ATTEMPTS = 5

/** Sends the waiting changes of one user. */
export interface Push {
  /**
   * Sends the changes one after the other, until none is left.
   *
   * @param isTimeUp whether to stop before the next change
   * @throws if the server could not be reached, or cannot save the next change at present
   */
  sendAll: (isTimeUp: () => boolean) => Promise<void>
}

export function createPush(server: Server, local: LocalData, rules: Rules): Push {
  const faults = new Map<string, number>()

  const send = async (waiting: Waiting) => {
    const { change } = waiting
    try {
      await local.acknowledge(waiting, await sendChange(server, local, rules, waiting))
      faults.delete(change.id)
    } catch (error) {
      const rejection = rejectionOf(error, change)
      if (!rejection) throw error
      await local.reject(waiting, rejection)
    }
  }
  const rejectionOf = (error: unknown, { id }: Change): Rejection | null => {
    if (error instanceof Rejection) return error
    if (!(error instanceof RequestError)) return null
    const verdict = judge(error)
    if (verdict === 'rejected') return new Rejection('rejected', error)
    if (verdict === 'retry') return null
    const count = (faults.get(id) ?? 0) + 1
    faults.set(id, count)
    return count < MAX_FAULTS ? null : new Rejection('rejected')
  }
  return {
    sendAll: async (isTimeUp) => {
      for (;;) {
        const [next] = local.waiting()
        // A change that is being stored starts another round once it is.
        if (!next || next.state === 'storing' || isTimeUp()) return
        await send(next)
      }
    },
  }
}

async function sendChange(
  server: Server,
  local: LocalData,
  rules: Rules,
  { change, state }: Waiting,
): Promise<Received> {
  switch (change.kind) {
    case 'insert':
      return sendInsert(server, change, state === 'volatile' ? rules[change.table].typed : [])
    case 'update':
      return sendUpdate(server, local, rules, change)
    case 'delete':
      return sendDelete(server, local, change)
    case 'call':
      return sendCall(server, local, rules, change)
  }
}

/** @param mayDiffer the columns that may have been typed again since an earlier attempt */
async function sendInsert(server: Server, change: Change, mayDiffer: readonly string[]): Promise<Received> {
  const { table, row: id, fields } = change
  try {
    const data: unknown = await dataOf(server.from(table).insert(fields).select().single())
    return saved(table, requireRow(data))
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    // The row was deleted on another device after an earlier attempt had added it, and its response was lost.
    if (error.code === NO_ROW) return { remove: [{ table, id }] }
    if (error.code !== UNIQUE_VIOLATION) throw error
    // An earlier attempt has added it, and its response was lost.
    const row = await fetchRow(server, table, id)
    if (!row) throw error
    const differing = mayDiffer.filter((name) => row[name] !== fields[name])
    const [typed] = split(fields, differing)
    const updated = differing.length > 0 ? await update(server, change, typed, row.rev) : row
    if (!updated) throw error
    return saved(table, updated)
  }
}

async function sendUpdate(server: Server, local: LocalData, rules: Rules, change: Change): Promise<Received> {
  const { table, fields, base } = change
  const isGuarded = rules[table].texts.some((name) => name in fields)
  if (!isGuarded) {
    const row = await update(server, change, fields, null)
    if (!row) throw new Rejection('deleted')
    return saved(table, row)
  }
  return withGuard(server, local, change, async (row) => {
    const lost = Object.keys(base).filter(
      (name) => name in fields && row[name] !== base[name] && row[name] !== fields[name],
    )
    if (lost.length === 0) {
      const updated = await update(server, change, fields, row.rev)
      return updated && saved(table, updated)
    }
    const [texts, others] = split(fields, lost)
    const rejected = { ...change, fields: texts, reason: 'conflict' as const, code: '', message: '' }
    if (Object.keys(others).length === 0) return { ...saved(table, row), addRejected: [rejected] }
    const updated = await update(server, change, others, row.rev)
    return updated && { ...saved(table, updated), addRejected: [rejected] }
  })
}

async function sendDelete(server: Server, local: LocalData, change: Change): Promise<Received> {
  const { table, row: id, base } = change
  return withGuard(
    server,
    local,
    change,
    async (row) => {
      if (Object.keys(base).some((name) => row[name] !== base[name])) throw new Rejection('conflict')
      const deleted = await dataOf(server.from(table).delete().eq('id', id).eq('rev', row.rev).select('id'))
      return Array.isArray(deleted) && deleted.length > 0 ? { remove: [{ table, id }] } : null
    },
    // A row that does not exist any more counts as deleted.
    { remove: [{ table, id }] },
  )
}

async function sendCall(server: Server, local: LocalData, rules: Rules, change: Change): Promise<Received> {
  await dataOf(server.rpc(change.row, change.fields))
  return { put: effectOf(change.table, local, rules, change) }
}

/** What a call has changed; the new revisions come with the next pull. */
function effectOf<Name extends TableName>(table: Name, local: LocalData, rules: Rules, change: Change) {
  const rows = applyChanges<Name>(table, local.received(table).values(), [change], rules[table])
  return rows.map((row) => ({ table, row }))
}

/**
 * Tries a change on the row as last received; if it is different on the server by now, on the row as it is there.
 *
 * @param attempt resolves to null if the row has another revision on the server
 * @param whenMissing the result if the row does not exist; without it, the change is rejected
 */
async function withGuard(
  server: Server,
  local: LocalData,
  { table, row: id }: Change,
  attempt: (row: Row) => Promise<Received | null>,
  whenMissing: Received | null = null,
): Promise<Received> {
  let row = local.received(table).get(id) ?? (await fetchRow(server, table, id))
  for (let attempts = 0; attempts < MAX_GUARD_ATTEMPTS; attempts += 1) {
    if (!row) {
      if (whenMissing) return whenMissing
      throw new Rejection('deleted')
    }
    const received = await attempt(row)
    if (received) return received
    row = await fetchRow(server, table, id)
  }
  throw new Error('The row is being changed by other devices.')
}

/** Resolves to null if the row does not exist or, with `rev`, has another revision. */
async function update(
  server: Server,
  { table, row: id }: Change,
  fields: Fields,
  rev: number | null,
): Promise<Row | null> {
  const request = server.from(table).update(fields).eq('id', id)
  const guarded = rev === null ? request : request.eq('rev', rev)
  const data: unknown = await dataOf(guarded.select().maybeSingle())
  return data === null ? null : requireRow(data)
}

async function fetchRow(server: Server, table: TableName, id: string): Promise<Row | null> {
  const data: unknown = await dataOf(server.from(table).select().eq('id', id).maybeSingle())
  return data === null ? null : requireRow(data)
}

function saved(table: TableName, row: Row): Received {
  return { putUnlessOlder: [{ table, row }] }
}

/** The fields with the given names, and the others. */
function split(fields: Fields, names: readonly string[]): [Fields, Fields] {
  const entries = Object.entries(fields)
  return [
    Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  ]
}
