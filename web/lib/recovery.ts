import { useSyncExternalStore } from 'react'
import { arrival, openedPath } from './arrival.ts'
import { RESET_PASSWORD } from './paths.ts'
import { readRecovery, type Recovery } from './recovery-stage.ts'

// Kept for this tab alone, so that a reload does not use the link up for nothing.
const STORAGE_KEY = 'intercede-recovery'
const listeners = new Set<() => void>()
let recovery = arrived() ?? readRecovery(sessionStorage.getItem(STORAGE_KEY))
store(recovery)

/** Where it stands now. */
export function currentRecovery(): Recovery {
  return recovery
}

/** The same, for components. */
export function useRecovery(): Recovery {
  return useSyncExternalStore(subscribe, currentRecovery)
}

/** Notes how far it has come. */
export function advanceRecovery(stage: 'signed-in' | 'done'): void {
  become({ stage })
}

/** Ends it: the person is through, or goes another way. */
export function endRecovery(): void {
  become({ stage: 'none' })
}

/** What this page was opened with; null if with nothing that matters here. */
function arrived(): Recovery | null {
  if (arrival.kind === 'recovery') {
    return { stage: 'open', accessToken: arrival.accessToken, refreshToken: arrival.refreshToken }
  }
  if (arrival.kind === 'failure' && openedPath === RESET_PASSWORD) {
    return { stage: 'failed', message: arrival.description }
  }
  return null
}

function become(next: Recovery): void {
  recovery = next
  store(next)
  for (const listener of listeners) listener()
}

function store(value: Recovery): void {
  if (value.stage === 'none') sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify(value))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
