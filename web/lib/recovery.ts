import { type InferOutput, literal, nullable, object, string, union } from 'valibot'
import { initialUrl } from './initial-url.ts'
import { RESET_PASSWORD } from './paths.ts'
import { createStoredValue, useStore } from './store.ts'

/** What is stored for a reload. */
export const storedRecovery = union([
  /** The link was rejected before it led here. */
  object({ stage: literal('failed'), message: string() }),
  /** The link may be valid; it hasn't signed anyone in. */
  object({ stage: literal('open'), accessToken: nullable(string()), refreshToken: nullable(string()) }),
  /** The link has signed its owner in, only to set the new password. */
  object({ stage: literal('signed-in') }),
  /** The new password is set. */
  object({ stage: literal('done') }),
])

/** How far setting a new password through an emailed link has come, in this tab. */
export type Recovery = { stage: 'none' } | InferOutput<typeof storedRecovery>

const NONE: Recovery = { stage: 'none' }

// Stored, because the link works only once: a reload must not lose it.
const store = createStoredValue('intercede-recovery', storedRecovery)
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

/** Call it when the user has finished or gives up. */
export function endRecovery(): void {
  store.set(null)
}

/** The recovery that this page was opened with; null if there was none. */
function recoveryInUrl(): InferOutput<typeof storedRecovery> | null {
  const { path, result } = initialUrl
  if (result.kind === 'recovery') {
    return { stage: 'open', accessToken: result.accessToken, refreshToken: result.refreshToken }
  }
  if (result.kind === 'failure' && path === RESET_PASSWORD) {
    return { stage: 'failed', message: result.description }
  }
  return null
}
