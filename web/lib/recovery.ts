import { isRecord } from '#shared/is-record.ts'
import { initialUrl } from './initial-url.ts'
import { RESET_PASSWORD } from './paths.ts'
import { createStoredValue, useStore } from './store.ts'

/** What is stored for a reload. */
type StoredRecovery =
  /** The link cannot set a password: it was rejected, or it has no token. */
  | { stage: 'failed'; message: string }
  /** The link may be valid; it hasn't signed anyone in. */
  | { stage: 'open'; accessToken: string; refreshToken: string | null }
  /** The link has signed its owner in, only to set the new password. */
  | { stage: 'signed-in' }
  /** The new password is set. */
  | { stage: 'done' }

/** How far setting a new password through an emailed link has come, in this tab. */
export type Recovery = { stage: 'none' } | StoredRecovery

const NO_TOKEN = 'No access token found. Please request a new password reset link.'
const NONE: Recovery = { stage: 'none' }

// Stored, because the link works only once: a reload must not lose it.
const store = createStoredValue('intercede-recovery', isStoredRecovery)
const initialRecovery = recoveryInUrl()
if (initialRecovery !== null) store.set(initialRecovery)

export function currentRecovery(): Recovery {
  return store.get() ?? NONE
}

export function useRecovery(): Recovery {
  return useStore(store) ?? NONE
}

export function advanceRecovery(stage: 'signed-in' | 'done'): void {
  store.set({ stage })
}

/** Call it when the server rejects the link. */
export function failRecovery(message: string): void {
  store.set({ stage: 'failed', message })
}

/** Call it when the user has finished or gives up. */
export function endRecovery(): void {
  store.set(null)
}

/** The recovery that this page was opened with; null if there was none. */
function recoveryInUrl(): StoredRecovery | null {
  const { path, result } = initialUrl
  if (result.kind === 'recovery') {
    const { accessToken, refreshToken } = result
    return accessToken === null
      ? { stage: 'failed', message: NO_TOKEN }
      : { stage: 'open', accessToken, refreshToken }
  }
  if (result.kind === 'failure' && path === RESET_PASSWORD) {
    return { stage: 'failed', message: result.description }
  }
  return null
}

/** Checks a stored value. */
export function isStoredRecovery(value: unknown): value is StoredRecovery {
  if (!isRecord(value)) return false
  const { stage, message, accessToken, refreshToken } = value
  if (stage === 'failed') return typeof message === 'string'
  if (stage === 'open') return typeof accessToken === 'string' && isTextOrNull(refreshToken)
  return stage === 'signed-in' || stage === 'done'
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
