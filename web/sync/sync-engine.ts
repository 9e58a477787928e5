import type { Json } from '#shared/database.types.ts'
import { NetworkUnavailableError } from '#web/lib/error-message.ts'
import type { Change, ChangeContent, NewChange, RejectedChange } from './change.ts'
import { createReplica } from './replica.ts'
import { isRestored, pull } from './pull.ts'
import { createPush } from './push.ts'
import { textsBelow } from './references.ts'
import type { EncryptedAccount } from './sealing/encrypted-account.ts'
import { createEncryption } from './sealing/boundary.ts'
import { type EncryptionStatus, isUserNeeded } from './sealing/encryption-status.ts'
import type { RememberedStore } from './sealing/remembered.ts'
import { type RowOf, type Rules, type TableName, tablesOf, type Values } from './schema.ts'
import { connect } from './server.ts'
import type { Commit, DeviceStorage } from './storage.ts'

/** How the synchronisation is doing. */
export interface SyncStatus {
  /** Whether all rows have been received at least once. Until then, no row does not mean that there are none. */
  complete: boolean
  /** Whether the server is being asked. */
  fetching: boolean
  /** Why the last round failed; null after a success. */
  error: Error | null
  /** How long the server wants to be left alone, in seconds; 0 if it has not said. */
  retryAfter: number
  /** Changes that the server does not have yet, or whose rows were not received since. */
  waiting: number
  /** When the first of them was made, as ISO 8601 text. */
  waitingSince: string | null
  /** Changes that could not be saved, oldest first. */
  rejected: readonly RejectedChange[]
  /** False if this browser keeps nothing: changes then count as made once the server has them. */
  durable: boolean
  /** Whether a change would be lost if the page were closed now. */
  unsafe: boolean
  /** Whether texts are sealed, and what the user has to do about it. */
  encryption: EncryptionStatus
}

/** The data of one user on this device, synchronised with the server. */
export interface SyncEngine {
  /** The rows as the user should see them: those of the server with the waiting changes applied, in order. */
  rows: <Name extends TableName>(table: Name) => readonly RowOf<Name>[]
  /** How many rows are not shown, because this version of the app does not know their form. */
  countUnreadable: () => number
  /** Whether the stored rows of a table have been read. Until then, there may be others. */
  hasRead: (table: TableName) => boolean
  /** Replaced by every change. */
  status: () => SyncStatus
  /** Calls back after every change of rows or status, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
  /** Calls back when a change could not be saved. */
  onRejected: (listener: (change: RejectedChange) => void) => () => void
  /**
   * Makes a change, or several in one step. They show immediately; the promise resolves when they are safe: stored on this
   * device, all of them or none, or each saved by the server if nothing can be stored. Rejects, and no longer shows the
   * change, if neither was possible.
   */
  change: (...changes: readonly NewChange[]) => Promise<void>
  /** Sends the waiting changes and fetches what is new. Resolves to whether that succeeded; never rejects. */
  syncNow: () => Promise<boolean>
  /** Puts a change that could not be saved back among those to send. Rejects like `change`. */
  tryAgain: (rejectedId: string) => Promise<void>
  /** Forgets a change that could not be saved. Rejects if that cannot be stored. */
  discard: (rejectedId: string) => Promise<void>
  /** Takes over what another tab has committed. Reads everything if it has missed an earlier commit. Never rejects. */
  follow: (committed: Commit) => Promise<void>
  /** Reads what has not been read yet, and everything if this page has missed a commit of another tab. Never rejects. */
  refresh: () => Promise<void>
  /** What the user can do about the encryption of the account. A round should follow. */
  encryption: () => Promise<EncryptedAccount>
  /** Stops; what is stored stays. */
  close: () => void
}

export interface SyncEngineOptions {
  userId: string
  rules: Rules
  storage: DeviceStorage
  /** URL of the data API. */
  url: string
  /** Sends a request with the owner's credentials; rejects if the owner is not signed in. */
  send: typeof fetch
  /**
   * Asked when the server has nothing of what it had before. If the account was deleted, the data of this device is left as
   * it is; otherwise the server was restored from a backup. Rejects if it cannot be known.
   */
  isAccountDeleted: () => Promise<boolean>
  /**
   * Whether the owner has to give the code of two-factor sign-in first. No round runs then: nothing is sent, fetched, rejected or given up
   * until one is asked for after that.
   */
  isPaused: () => boolean
  /** What this device remembers of the encryption of the account. */
  remembered: RememberedStore
  newId: () => string
  now: () => Date
  /** Runs one round at a time, of all tabs if possible. */
  exclusively: <Result>(round: () => Promise<Result>) => Promise<Result>
  /** Called after every write to the storage, for the other tabs. */
  onCommit: (committed: Commit) => void
  /** Called when a change can be sent. */
  onPending: () => void
}

/** For how long one round may send changes and replace texts, in milliseconds, before other tabs get their turn. */
const MAX_ROUND_MS = 25_000

/** After this many rounds in a row that were overtaken by a restore, or by what another tab has pulled, the server gets a pause as after a failure. */
const MAX_OVERTAKEN = 5

/**
 * Up to this many rows that may be read later are read before the first screen, so that nothing on it moves when they arrive. On a
 * slow phone, more of them would delay it noticeably.
 */
export const FEW_ROWS = 2_000

/** Opens the user's data. Rejects if the storage cannot be read. */
export async function createSyncEngine(options: SyncEngineOptions): Promise<SyncEngine> {
  const { userId, rules, storage, newId, now } = options
  const listeners = new Set<() => void>()
  const rejectionListeners = new Set<(change: RejectedChange) => void>()
  let state: { fetching: boolean; error: Error | null } = { fetching: false, error: null }
  let status: SyncStatus | null = null
  let round: Promise<boolean> | null = null
  let retryAfter = 0
  /** How many rounds in a row were overtaken. */
  let overtaken = 0
  let isRequested = false
  let isClosed = false

  const notify = () => {
    status = null
    for (const listener of listeners) listener()
  }
  const setState = (next: typeof state) => {
    if (isClosed) return
    state = next
    notify()
  }
  const all = tablesOf(rules)
  const later = all.filter((table) => rules[table].isReadLater)
  const hasMany = (await storage.count(later)) > FEW_ROWS
  const tables = hasMany ? all.filter((table) => !later.includes(table)) : all
  const replica = createReplica({
    rules,
    storage,
    tables,
    contents: await storage.read(tables),
    onChange: notify,
    onCommit: options.onCommit,
    onPending: options.onPending,
    onRejected: (change) => rejectionListeners.forEach((listener) => listener(change)),
  })
  const send: typeof fetch = async (input, init) => {
    if (isClosed) throw new Error('The data of this user was closed.')
    const response = await options.send(input, init).catch((failure: unknown) => {
      if (failure instanceof NetworkUnavailableError) retryAfter = failure.retryAfter
      throw failure
    })
    if (!response.ok) retryAfter = Number(response.headers.get('retry-after')) || 0
    return response
  }
  const encryption = createEncryption({
    ...options,
    send,
    received: (table, id) => replica.state().rows[table].get(id),
    waiting: (table, id) => replica.state().pending.ofRow(table, id),
    onChange: notify,
    hasKeys: (await storage.readKeys()).length > 0,
    hasRows: () => replica.state().cursor !== null,
  })
  const server = connect(options.url, encryption.send, null)
  const first = connect(options.url, encryption.sendFirst, null)
  const push = createPush({
    serverOf: (epoch) => connect(options.url, encryption.send, epoch),
    encryption,
    replica,
    rules,
    newId,
    isRestored: (from) => isRestored({ server, userId }, from),
  })

  const runRound = async (): Promise<boolean> => {
    retryAfter = 0
    setState({ fetching: true, error: state.error })
    const failures: Error[] = []
    /** Whether the server was restored, or another tab has pulled, meanwhile. */
    let isOvertaken = false
    const note = (failure: unknown): Error => {
      const error = failure instanceof Error ? failure : new Error('The round failed.', { cause: failure })
      failures.push(error)
      return error
    }
    /**
     * Users wait for changes that exist in this page only: they are not to wait for the pull as well. While they are asked for the code
     * of two-factor sign-in, everything waits.
     */
    const failPush = (failure: unknown) => {
      const error = note(failure)
      if (options.isPaused()) return
      setState({ fetching: true, error })
      replica.failVolatile(error)
    }
    const sendAndPull = async (): Promise<boolean> => {
      await replica.refresh()
      await encryption.check()
      const end = now().getTime() + MAX_ROUND_MS
      const isTimeUp = () => isClosed || now().getTime() >= end
      const pullNew = () => pull({ ...options, server, first, replica, encryption })
      // Only a device that has pulled can tell later whether the server has lost what it sends.
      let isPulled = storage.durable && replica.state().cursor === null && (await pullNew())
      if (!isPulled || replica.state().pending.size > 0) {
        // A change that cannot be sent at present must not keep this device from receiving others.
        const isPullNeeded = await push.sendAll(isTimeUp).catch(failPush)
        isPulled = await pullNew().catch((failure: unknown) => !note(failure))
        isOvertaken = isPullNeeded === true || !isPulled
      }
      // What the user does meanwhile comes first.
      const isWaiting = () => isTimeUp() || !push.hasSentAll()
      const isReplaced = isPulled && (await encryption.replaceTexts(isWaiting))
      return isReplaced && push.hasSentAll()
    }
    const isDone = await options.exclusively(sendAndPull).catch((failure: unknown) => {
      failPush(failure)
      return false
    })
    // There was no time for all changes, or the round was overtaken.
    const isRepeated = !isDone && failures.length === 0
    overtaken = isRepeated && isOvertaken ? overtaken + 1 : 0
    if (overtaken >= MAX_OVERTAKEN) failPush(new Error('The server is restored again and again.'))
    else if (isRepeated) isRequested = true
    // That the server asks for the code is no failure, nor that the user has to enter the prayer key.
    const [error = null] = options.isPaused() || isUserNeeded(encryption.status()) ? [] : failures
    setState({ fetching: false, error })
    return isDone && !error
  }
  const runRounds = async (): Promise<boolean> => {
    let succeeded = !options.isPaused()
    overtaken = 0
    while (isRequested && !isClosed && !options.isPaused()) {
      isRequested = false
      succeeded = await runRound()
    }
    return succeeded
  }
  const changeOf = (made: ChangeContent): Change => {
    const change = { id: newId(), user_id: userId, at: now().toISOString() }
    if (made.kind !== 'delete') return { ...made, ...change }
    const seen = [
      ...textsBelow(made.table, made.row, replica.shown, rules),
      // The texts of its own row, as they were when the deletion began.
      ...Object.values(made.base),
    ]
    return { ...made, ...change, seen }
  }
  /** The user has decided on the texts that show. */
  const withShownTexts = (change: ChangeContent): ChangeContent => {
    if (change.kind === 'insert' || change.kind === 'call') return change
    const shown: Values = replica.shown(change.table).find(({ id }) => id === change.row) ?? {}
    const base = Object.keys(change.base).map((name): [string, Json] => [name, shown[name] ?? null])
    return { ...change, base: Object.fromEntries(base) }
  }
  const tryAgain = async (id: string) => {
    const rejected = replica.state().rejected.find((each) => each.id === id)
    if (!rejected) return
    const replaced = storage.durable ? id : undefined
    const { reason: _reason, code: _code, message: _message, isPlain: _isPlain, ...change } = rejected
    await replica.accept([changeOf(withShownTexts(change))], replaced)
    // The new change could not be stored: the server has it instead.
    if (replica.state().rejected.some((each) => each.id === id)) await replica.discard(id)
  }
  return {
    rows: replica.shown,
    countUnreadable: replica.countUnreadable,
    hasRead: (table) => replica.state().tables.includes(table),
    status: () =>
      (status ??= {
        complete: replica.state().isComplete,
        ...state,
        retryAfter,
        waiting: replica.state().pending.size,
        waitingSince: replica.state().pending.first?.change.at ?? null,
        rejected: replica.state().rejected,
        durable: storage.durable,
        unsafe: replica.state().pending.isUnsafe,
        encryption: encryption.status(),
      }),
    subscribe: (listener) => addTo(listeners, listener),
    onRejected: (listener) => addTo(rejectionListeners, listener),
    change: (...changes) => replica.accept(changes.map(changeOf)),
    syncNow: () => {
      isRequested = true
      round ??= runRounds().finally(() => (round = null))
      return round
    },
    tryAgain,
    discard: replica.discard,
    follow: replica.follow,
    refresh: replica.refresh,
    encryption: encryption.open,
    close: () => {
      isClosed = true
      storage.close()
    },
  }
}

function addTo<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
