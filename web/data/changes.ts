import { isRecord } from '#shared/is-record.ts'
import { type Operation, reportError, UserError } from '#web/lib/error-message.ts'
import type { NewCall, NewChange, NewRowChange, RejectedChange } from '#web/sync/change.ts'
import type { TableName } from '#web/sync/schema.ts'
import type { DeviceSync } from '#web/sync/open-sync.ts'
import type { UserData } from './rows.ts'

/** How an action ended; `error` is the message for the user. */
export type ActionResult = { success: true } | { success: false; error: string }

export const CATEGORY_HAS_PRAYERS =
  'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.'

/** The row that a row refers to was deleted on another device. */
const REFERENCE_DELETED = {
  prayers: 'Its category was deleted on another device.',
  prayer_updates: 'Its prayer was deleted on another device.',
}

/** The code for a row that others refer to (from PostgreSQL 18 on 23001), or that refers to a row that does not exist. */
const FOREIGN_KEY = new Set(['23503', '23001'])
/** The code for an account that is full. The server's message is written for the user. */
const ACCOUNT_FULL = 'PT413'

const OPERATIONS = {
  categories: {
    insert: 'add category',
    update: 'update category',
    delete: 'delete category',
  },
  prayers: {
    insert: 'add prayer',
    update: 'update prayer',
    delete: 'delete prayer',
  },
  prayer_updates: {
    insert: 'add update',
    update: 'change update',
    delete: 'delete update',
  },
} as const satisfies Record<TableName, Record<NewRowChange['kind'], Operation>>

/** The database functions. */
const CALLS: Readonly<Record<string, Operation>> = {
  reorder_categories: 'reorder categories',
  mark_prayed: 'mark prayers as prayed',
  unmark_prayed: 'mark prayers as not prayed',
}

/** What is to be changed, and how. */
type Intention = Pick<NewRowChange, 'table' | 'kind'> | Pick<NewCall, 'table' | 'kind' | 'name'>

const NOT_FOUND = {
  categories: 'Category not found',
  prayers: 'Prayer not found',
  prayer_updates: 'Update not found',
}

/** One change, several that are made in one step, or none. */
type Planned = NewChange | readonly NewChange[] | null

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
  plan: (sync: DeviceSync, userId: string) => Planned | Promise<Planned>,
): Promise<ActionResult> {
  const { table } = intention
  data?.setChangeError(table, null)
  try {
    if (!data) throw new UserError('User not authenticated')
    // Without waiting if possible: what else the user's action changes is rendered together with it.
    const sync = data.sync() ?? (await data.opened)
    const plannedNow = plan(sync, data.userId)
    const planned = plannedNow instanceof Promise ? await plannedNow : plannedNow
    const changes = [planned ?? []].flat()
    if (changes.length > 0) await sync.change(...changes)
    return { success: true }
  } catch (failure) {
    const error = reportFailure(intention, failure)
    data?.setChangeError(table, error)
    return { success: false, error }
  }
}

/** Logs why a change could not be made or saved, and returns the message for the user. */
export function reportFailure(change: Intention, failure: unknown): string {
  return reportError(operationOf(change), explained(change, failure))
}

function operationOf(change: Intention): Operation {
  if (change.kind === 'call') return CALLS[change.name] ?? OPERATIONS[change.table].update
  return OPERATIONS[change.table][change.kind]
}

/** What the server's code means for a change, as the user sees it; null if the server's message has to do. */
export function explanationOf(
  { table, kind }: Pick<NewChange, 'table' | 'kind'>,
  { code, message }: Pick<RejectedChange, 'code' | 'message'>,
): string | null {
  if (code === ACCOUNT_FULL) return message
  if (!FOREIGN_KEY.has(code)) return null
  if (table === 'categories') return kind === 'delete' ? CATEGORY_HAS_PRAYERS : null
  if (kind === 'call') return 'The category was deleted on another device.'
  return REFERENCE_DELETED[table]
}

/** @param failure a rejection of the synchronisation, a rejected change, or any other error */
function explained(change: Pick<NewChange, 'table' | 'kind'>, failure: unknown): unknown {
  const { reason, code, message }: Readonly<Record<string, unknown>> = isRecord(failure) ? failure : {}
  if (reason === 'deleted') return new UserError(NOT_FOUND[change.table])
  if (reason === 'conflict')
    return new UserError('This was changed on another device, so it was not deleted.')
  const explanation = explanationOf(change, { code: String(code), message: String(message) })
  return explanation === null ? failure : new UserError(explanation)
}
