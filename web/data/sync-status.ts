import { useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { timeout } from '#web/lib/timeout.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import { isUnreachable } from '#web/sync/server.ts'
import { UserDataContext, useSync } from './rows.ts'

/** How the synchronisation with the server is doing, for the user. */
export interface ConnectionStatus {
  /** How many changes the server does not have yet. */
  waiting: number
  /** When the oldest of them was made, as ISO 8601 text. */
  waitingSince: string | null
  /** How many changes could not be saved; see useRejectedChanges. */
  rejectedCount: number
  /** False if this browser stores nothing: a change then counts as made once the server has it. */
  durable: boolean
  /** Whether another tab runs a newer version of the app, so that this page has to be reloaded. */
  outdated: boolean
}

export function useSyncStatus(): ConnectionStatus {
  return {
    waiting: useSync((sync) => sync.status().waiting, 0),
    waitingSince: useSync((sync) => sync.status().waitingSince, null),
    rejectedCount: useSync((sync) => sync.status().rejected.length, 0),
    durable: useSync((sync) => sync.status().durable, true),
    outdated: useSync((sync) => sync.outdated.get(), false),
  }
}

/** Whether rows that are missing may still arrive in this round. */
export function useFetching(): boolean {
  const fetching = useSync((sync) => sync.status().fetching, true)
  const failure = useSync((sync) => sync.status().error, null)
  // Before the first round has ended, they may just not have arrived.
  return fetching || failure === null
}

/**
 * Whether the server can be reached: not while the browser knows of no network, nor after a round without a response. A round
 * that failed without a network says nothing about the server, even once the network is back.
 */
export function useConnection(): 'connected' | 'offline' | 'server-unreachable' {
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  const failure = useSync((sync) => sync.status().error, null)
  const outdated = useSync((sync) => sync.outdated.get(), false)
  const [failedOffline, setFailedOffline] = useState<Error | null>(null)
  if (!online) {
    if (failure !== failedOffline) setFailedOffline(failure)
    return 'offline'
  }
  // A page that is outdated does not try to reach the server.
  if (outdated || !isUnreachable(failure)) return 'connected'
  return failure === failedOffline ? 'offline' : 'server-unreachable'
}

/** How long a change may take to reach the server before the user learns that it is waiting, in milliseconds. */
const USUAL_WAIT_MS = 3_000

/** Whether changes have been waiting for longer than usual: from then on until none is waiting. */
export function useOverdue(): boolean {
  const since = useSync((sync) => sync.status().waitingSince, null)
  const [isOverdue, setOverdue] = useState(false)
  if (isOverdue && since === null) setOverdue(false)
  useEffect(() => {
    if (since === null) return undefined
    const waited = Date.now() - Date.parse(since)
    // If the clock was changed meanwhile, the time that has passed is unknown.
    const rest = Math.min(Math.max(USUAL_WAIT_MS - waited, 0), USUAL_WAIT_MS)
    const timer = setTimeout(() => setOverdue(true), rest)
    return () => clearTimeout(timer)
  }, [since])
  return isOverdue
}

/** How long signing out waits for changes to be sent, in milliseconds. */
const MAX_SEND_MS = 20_000

/** Returns a function that sends what is waiting, as far as possible, and counts the changes that only this device has then. */
export function useCountUnsaved(): () => Promise<number> {
  const data = useContext(UserDataContext)
  return useCallback(async () => {
    const sync = await data?.opened
    if (!sync) return 0
    if (sync.status().waiting > 0) await Promise.race([sync.syncNow(), untilSent(sync), timeout(MAX_SEND_MS)])
    const { waiting, rejected } = sync.status()
    return waiting + rejected.length
  }, [data])
}

/** Resolves when no change is waiting: the round then goes on to fetch what is new, which signing out need not wait for. */
function untilSent(sync: Sync): Promise<void> {
  return new Promise((resolve) => {
    const stop = sync.subscribe(() => {
      if (sync.status().waiting > 0) return
      stop()
      resolve()
    })
  })
}

function subscribeToNetwork(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}
