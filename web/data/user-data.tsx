import { type ReactNode, useCallback, useContext } from 'react'
import { session } from '#web/lib/session/session.ts'
import { readStoredSession, subscribeToStoredSession } from '#web/lib/session/stored-session.ts'
import { forgetOthers, wipe } from '#web/sync/local-databases.ts'
import { type Sync, openSync } from '#web/sync/open-sync.ts'
import type { TableName } from '#web/sync/schema.ts'
import { reportFailure } from './make-change.ts'
import { REST_URL, sendAs } from './rest-client.ts'
import { type UserData, UserDataContext } from './rows.ts'
import { TABLES } from './tables.ts'

/** The data of the signed-in user. It outlives the signed-in screens, and is closed by signing out. */
let current: UserData | null = null
let lastOperation: Promise<unknown> = Promise.resolve()
let isFollowing = false

/** Gives the screens inside it the data of the signed-in user. */
export function UserDataProvider({ userId, children }: { userId: string; children: ReactNode }) {
  return (
    <UserDataContext key={userId} value={dataOf(userId)}>
      {children}
    </UserDataContext>
  )
}

/** Returns a function that fetches what was changed outside of the lists, for example by an import. */
export function useSyncNow(): () => void {
  const data = useContext(UserDataContext)
  return useCallback(() => void data?.opened.then((sync) => sync.syncNow()), [data])
}

function dataOf(userId: string): UserData {
  if (current?.userId === userId) return current
  followSession()
  const opening = inTurn(() =>
    openSync({
      userId,
      rules: TABLES,
      url: REST_URL,
      send: (input, init) => sendAs(userId, input, init),
      // Rarely needed, so it is not part of the first download.
      isAccountDeleted: async () => (await import('#web/lib/session/account-deletion.ts')).signOutIfDeleted(),
      isPaused: isCodeNeeded,
    }),
  )
  current = createUserData(userId, opening)
  return current
}

/** Databases are opened and deleted one after the other: a user may sign in again while the data is being deleted. */
function inTurn<Result>(operation: () => Promise<Result>): Promise<Result> {
  const result = lastOperation.then(operation)
  lastOperation = result.catch(() => {})
  return result
}

/**
 * Closes the data of a user who is not signed in any more, and deletes the rows that are stored on this device, or hides them: now, and
 * whenever the session changes. Opening the data of a user starts this too.
 */
export function followSession(): void {
  if (isFollowing) return
  isFollowing = true
  let wasPaused = isCodeNeeded()
  session.subscribe(() => {
    void forgetSignedOut()
    const isPaused = isCodeNeeded()
    if (wasPaused && !isPaused) void current?.sync()?.syncNow()
    wasPaused = isPaused
  })
  // Signing out waits for the server. Meanwhile, nothing more is sent, and no failure is shown.
  subscribeToStoredSession(() => {
    if (current && readStoredSession()?.user.id !== current.userId) current.sync()?.close()
  })
  void forgetSignedOut()
}

async function forgetSignedOut(): Promise<void> {
  const state = session.get()
  if (state.status === 'starting') return
  const userId = signedInUser()
  const closing = current?.userId === userId ? null : current
  if (closing) current = null
  const sync = await closing?.opened
  sync?.close()
  await inTurn(forgetOtherUsers)
}

/** Deletes everything of a user who has signed out from this device, changes that were never sent included. */
export async function deleteUserData(userId: string): Promise<void> {
  await inTurn(async () => {
    if (signedInUser() === userId) return
    // Without waiting: the server sends nothing more to a session that has ended.
    if (signedInUser() === null) callNotifications('unsubscribe')
    await wipe(userId)
    await forgetOtherUsers()
  })
}

/** Calls a function of `notifications.ts`, which is no part of the first download. A failure shows in the settings. */
export function callNotifications(name: 'watchNotifications' | 'unsubscribe'): void {
  import('./notifications.ts').then((notifications) => notifications[name]()).catch(() => undefined)
}

function forgetOtherUsers(): Promise<void> {
  const state = session.get()
  const ended = state.status === 'guest' ? state.ended : null
  const isHidden = ended?.reason === 'lost' || ended?.reason === 'no-code'
  return forgetOthers(signedInUser(), isHidden ? ended.userId : null)
}

function signedInUser(): string | null {
  const state = session.get()
  return 'user' in state ? state.user.id : null
}

/** Until the code of two-factor sign-in is given, the data stays as it is. */
function isCodeNeeded(): boolean {
  return session.get().status === 'needs-code'
}

/** The data of a user whose synchronisation is being opened. */
export function createUserData(userId: string, opening: Promise<Sync>): UserData {
  const listeners = new Set<() => void>()
  const changeErrors: Partial<Record<TableName, string | null>> = {}
  let opened: Sync | null = null

  const notify = () => listeners.forEach((listener) => listener())
  const setChangeError = (table: TableName, message: string | null) => {
    changeErrors[table] = message
    notify()
  }
  const start = (sync: Sync) => {
    opened = sync
    sync.subscribe(notify)
    sync.outdated.subscribe(notify)
    sync.onRejected((change) => setChangeError(change.table, reportFailure(TABLES, change, change)))
    notify()
    return sync
  }
  return {
    userId,
    tables: TABLES,
    sync: () => opened,
    opened: opening.then(start),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    changeError: (table) => changeErrors[table] ?? null,
    setChangeError,
  }
}
