import { type InferOutput, literal, nullable, object, picklist, string, union } from 'valibot'
import { initialUrl } from './initial-url.ts'
import { RESET_PASSWORD } from '#web/lib/navigation/routes.ts'
import { createStoredValue, useStore } from '#web/lib/storage/store.ts'

/** What is stored for a reload. */
export const storedRecoverySchema = union([
  // The link cannot set a password: it was rejected, or it has no token.
  object({ stage: literal('failed'), message: string() }),
  // The link may be valid; it hasn't signed anyone in. A confirmation link is one that confirms the address of an account whose
  // password someone else may have chosen; an invitation, one of an account that has none yet.
  object({
    stage: literal('open'),
    link: picklist(['recovery', 'confirmation', 'invitation']),
    accessToken: string(),
    refreshToken: nullable(string()),
  }),
  // The new password is set.
  object({ stage: literal('done') }),
])
type StoredRecovery = InferOutput<typeof storedRecoverySchema>

/** How far setting a new password through an emailed link has come, in this tab. */
export type Recovery = { stage: 'none' } | StoredRecovery

const NO_TOKEN = 'No access token found. Please request a new password reset link.'
const NONE: Recovery = { stage: 'none' }

// Stored, because the link works only once: a reload must not lose it.
const store = createStoredValue('intercede-recovery', storedRecoverySchema)

/** Keeps the recovery that this page was opened with, if any. Call it before the session is started. */
export function startRecovery(): void {
  const recovery = recoveryInUrl()
  if (recovery !== null) store.set(recovery)
}

export function currentRecovery(): Recovery {
  return store.get() ?? NONE
}

export function useRecovery(): Recovery {
  return useStore(store) ?? NONE
}

/** Requires a new password before a link that confirms an address signs in. */
export function requireNewPassword(tokens: { accessToken: string; refreshToken: string | null }): void {
  const { accessToken, refreshToken } = tokens
  store.set({ stage: 'open', link: 'confirmation', accessToken, refreshToken })
}

/** Goes on with the tokens of a session in which a code was given (two-factor sign-in). */
export function raiseRecovery(tokens: { accessToken: string; refreshToken: string }): void {
  const recovery = currentRecovery()
  if (recovery.stage === 'open') store.set({ ...recovery, ...tokens })
}

/** Call it when the new password is set. */
export function completeRecovery(): void {
  store.set({ stage: 'done' })
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
    const { link, accessToken, refreshToken } = result
    return accessToken === null
      ? { stage: 'failed', message: NO_TOKEN }
      : { stage: 'open', link, accessToken, refreshToken }
  }
  if (result.kind === 'failure' && path === RESET_PASSWORD) {
    return { stage: 'failed', message: result.description }
  }
  return null
}
