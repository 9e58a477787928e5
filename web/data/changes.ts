import { isRecord } from '#shared/is-record.ts'
import { errorMessage, type Operation, reportError, UserError } from '#web/lib/error-message.ts'
import type { NewChange, TableName } from '#web/sync/schema.ts'
import type { DeviceSync } from '#web/sync/open-sync.ts'
import type { UserData } from './rows.ts'

/** How an action ended; `error` is the message for the user. */
export type ActionResult = { success: true } | { success: false; error: string }

/** What a change does to the rows of its table. */
export type Plan = Pick<NewChange, 'row' | 'fields'> & Partial<Pick<NewChange, 'base'>>

export const CATEGORY_HAS_PRAYERS =
  'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.'

/** The code for a row that others refer to, up to PostgreSQL 17 and from 18 on. */
const STILL_REFERENCED = new Set(['23503', '23001'])

const OPERATIONS = {
  categories: {
    insert: 'add category',
    update: 'update category',
    delete: 'delete category',
    call: 'reorder categories',
  },
  prayers: {
    insert: 'add prayer',
    update: 'update prayer',
    delete: 'delete prayer',
    call: 'update prayer',
  },
} as const satisfies Record<TableName, Record<NewChange['kind'], Operation>>

const NOT_FOUND = { categories: 'Category not found', prayers: 'Prayer not found' }

const CONFLICTS = {
  insert: 'This was added on another device too.',
  update: 'This was changed on another device too, and that version is shown.',
  delete: 'This was changed on another device, so it was not deleted.',
  call: 'This was changed on another device too.',
}

/**
 * Makes a change. It shows immediately; the promise resolves when the change is safe on this device (or saved by the
 * server, if this browser stores nothing), and never rejects: an error becomes the error of the table (see useRows), is
 * logged and returned. If the server rejects the change later, that becomes the error of the table too.
 *
 * @param plan what to change; throws a `UserError` if it is not possible
 */
export async function makeChange(
  data: UserData | null,
  { table, kind }: Pick<NewChange, 'table' | 'kind'>,
  plan: (sync: DeviceSync, userId: string) => Plan | Promise<Plan>,
): Promise<ActionResult> {
  data?.setChangeError(table, null)
  try {
    if (!data) throw new UserError('User not authenticated')
    const sync = await data.opened
    await sync.change({ table, kind, base: {}, ...(await plan(sync, data.userId)) })
    return { success: true }
  } catch (failure) {
    const error = reportFailure({ table, kind }, failure)
    data?.setChangeError(table, error)
    return { success: false, error }
  }
}

/** Logs why a change could not be made or saved, and returns the message for the user. */
export function reportFailure(change: Pick<NewChange, 'table' | 'kind'>, failure: unknown): string {
  return reportError(OPERATIONS[change.table][change.kind], explained(change, failure))
}

/** The message for the user, without logging it. */
export function failureMessage(change: Pick<NewChange, 'table' | 'kind'>, failure: unknown): string {
  return errorMessage(OPERATIONS[change.table][change.kind], explained(change, failure))
}

/** @param failure a rejection of the synchronisation, a rejected change, or any other error */
function explained({ table, kind }: Pick<NewChange, 'table' | 'kind'>, failure: unknown): unknown {
  const { reason, code }: Readonly<Record<string, unknown>> = isRecord(failure) ? failure : {}
  if (reason === 'deleted') return new UserError(NOT_FOUND[table])
  if (reason === 'conflict') return new UserError(CONFLICTS[kind])
  const isCategoryInUse = table === 'categories' && kind === 'delete' && STILL_REFERENCED.has(String(code))
  return isCategoryInUse ? new UserError(CATEGORY_HAS_PRAYERS) : failure
}
