import { isRecord } from '#shared/is-record.ts'
import { type Operation, reportError, UserError } from '#web/lib/error-message.ts'
import type { NewCall, NewChange, NewRowChange, RejectedChange } from '#web/sync/change.ts'
import type { TableName } from '#web/sync/schema.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import type { UserData } from './rows.ts'
import type { TableDefinitions } from './table-definition.ts'

/** How an action ended; `error` is the message for the user. */
export type ActionResult = { success: true } | { success: false; error: string }

/** The code for a row that others refer to (from PostgreSQL 18 on 23001), or that refers to a row that does not exist. */
const FOREIGN_KEY = new Set(['23503', '23001'])
/** The code for an account that is full. The server's message is written for the user. */
const ACCOUNT_FULL = 'PT413'

type Table = TableDefinitions[TableName]

/** What is to be changed, and how. */
type Intention = Pick<NewRowChange, 'table' | 'kind'> | Pick<NewCall, 'table' | 'kind' | 'name'>

/** One change, several that are made in one step, or none. */
type PlannedChanges = NewChange | readonly NewChange[] | null

/**
 * Makes a change. It shows immediately; the promise resolves when the change is safe on this device (or saved by the
 * server, if this browser stores nothing), and never rejects: an error becomes the error of the table (see useRows), is
 * logged and returned. If the server rejects the change later, that becomes the error of the table too.
 *
 * @param plan what to change; null if nothing is to be changed; throws a `UserError` if it is not possible
 */
export async function makeChange(
  data: UserData | null,
  intention: Intention,
  plan: (sync: Sync, userId: string) => PlannedChanges | Promise<PlannedChanges>,
): Promise<ActionResult> {
  const { table } = intention
  if (!data) return { success: false, error: 'User not authenticated' }
  data.setChangeError(table, null)
  try {
    // Without waiting if possible: what else the user's action changes is rendered together with it.
    const sync = data.sync() ?? (await data.opened)
    const plannedNow = plan(sync, data.userId)
    const planned = plannedNow instanceof Promise ? await plannedNow : plannedNow
    const changes = [planned ?? []].flat()
    if (changes.length > 0) await sync.change(...changes)
    return { success: true }
  } catch (failure) {
    const error = reportFailure(data.tables, intention, failure)
    data.setChangeError(table, error)
    return { success: false, error }
  }
}

/** Logs why a change could not be made or saved, and returns the message for the user. */
export function reportFailure(tables: TableDefinitions, change: Intention, failure: unknown): string {
  const table = tables[change.table]
  return reportError(operationOf(table, change), explained(table, change, failure))
}

function operationOf({ operations, calls }: Table, change: Intention): Operation {
  if (change.kind === 'call') return calls[change.name]?.operation ?? operations.update
  return operations[change.kind]
}

export function notFound({ rowName }: Table): UserError {
  return new UserError(`${rowName} not found`)
}

/** What the server's code means for a change, as the user sees it; null if the server's message has to do. */
export function explanationOf(
  { inUse, reference }: Table,
  kind: NewChange['kind'],
  { code, message }: Pick<RejectedChange, 'code' | 'message'>,
): string | null {
  if (code === ACCOUNT_FULL) return message
  if (!FOREIGN_KEY.has(code)) return null
  if (kind === 'delete' && inUse !== undefined) return inUse
  return reference && `${kind === 'call' ? 'The' : 'Its'} ${reference.rowName} was deleted on another device.`
}

/** @param failure a rejection of the synchronisation, a rejected change, or any other error */
function explained(table: Table, { kind }: Intention, failure: unknown): unknown {
  const { reason, code, message }: Readonly<Record<string, unknown>> = isRecord(failure) ? failure : {}
  if (reason === 'deleted') return notFound(table)
  if (reason === 'conflict')
    return new UserError('This was changed on another device, so it was not deleted.')
  const explanation = explanationOf(table, kind, { code: String(code), message: String(message) })
  return explanation === null ? failure : new UserError(explanation)
}
