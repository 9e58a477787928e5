import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { errorMessage, reportError } from '#web/lib/error-message.ts'
import type { RowOf, TableName } from '#web/sync/schema.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import type { TableDefinitions } from './table-definition.ts'

/** The data of the signed-in user in this page, which outlives the screens. */
export interface UserData {
  userId: string
  tables: TableDefinitions
  /** Null until the data stored on this device has been read, which takes some milliseconds. */
  sync: () => Sync | null
  /** Resolves to `sync`. */
  opened: Promise<Sync>
  /** Calls back after every change of rows, status or errors, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
  /** Why the last change of a table failed, as the user sees it. */
  changeError: (table: TableName) => string | null
  setChangeError: (table: TableName, message: string | null) => void
}

/** The data of the signed-in user; null outside of the screens for signed-in users. */
export const UserDataContext = createContext<UserData | null>(null)

/** Why rows could not be fetched or changed, as the banner above them shows it. */
export interface ListError {
  message: string
  /** Fetches again; null if nothing is missing. */
  retry: (() => void) | null
  dismiss: () => void
}

/** The rows of a table as the user should see them. */
export interface ListState<R> {
  /** In their order, with all changes made on this device; null until the first rows have been received. */
  rows: readonly R[] | null
  /** Whether all rows have been received: until then, no row at all does not mean that there are none. */
  complete: boolean
  error: ListError | null
}

/** Reads the rows of a table, and renders again when they change. */
export function useRows<Name extends TableName>(table: Name): ListState<RowOf<Name>> {
  const data = useContext(UserDataContext)
  const rows = useSync((sync) => sync.rows(table), null)
  const isReceived = useSync((sync) => sync.status().complete, false)
  const hasRead = useSync((sync) => sync.hasRead(table), false)
  const complete = isReceived && hasRead
  const failure = useSync((sync) => sync.status().error, null)
  // What is on the device can be shown; the next round fetches what has changed.
  const fetchError = isReceived ? null : failure
  return {
    rows: complete || (rows && rows.length > 0) ? rows : null,
    complete,
    error: useListError(data, table, fetchError),
  }
}

/**
 * Reads a value of the synchronisation, and renders again when it changes.
 *
 * @param select returns the same value until something has changed
 * @param before the value until the data stored on this device has been read
 */
export function useSync<Value>(select: (sync: Sync) => Value, before: Value): Value {
  const data = useContext(UserDataContext)
  return useSyncExternalStore(data?.subscribe ?? subscribeToNothing, () => {
    const sync = data?.sync()
    return sync ? select(sync) : before
  })
}

function subscribeToNothing(): () => void {
  return () => {}
}

/** The error of the last change takes precedence over that of the last fetch, whose reason is usually the same. */
function useListError(data: UserData | null, table: TableName, fetchError: Error | null): ListError | null {
  const operation = data?.tables[table].operations.fetch
  const changeError = useSyncExternalStore(
    data?.subscribe ?? subscribeToNothing,
    () => data?.changeError(table) ?? null,
  )
  useEffect(() => {
    if (fetchError && operation) reportError(operation, fetchError)
  }, [operation, fetchError])

  // Rounds are repeated until one succeeds: a message that was dismissed stays so.
  const [dismissed, setDismissed] = useState<string | null>(null)
  const fetchMessage = fetchError && operation ? errorMessage(operation, fetchError) : null
  const message = changeError ?? (fetchMessage === dismissed ? null : fetchMessage)
  if (message === null) return null
  return {
    message,
    retry: fetchError && (() => void data?.sync()?.syncNow()),
    dismiss: () => {
      data?.setChangeError(table, null)
      setDismissed(fetchMessage)
    },
  }
}
