import { useState } from 'react'
import { useConnection } from '#web/data/sync-status.ts'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import type { FormOutcome } from '#web/ui/use-form.ts'
import { useSubmission } from '#web/ui/use-submission.ts'

/**
 * Returns a function that does what needs the server, and announces what it has done. Without a connection, it says so instead.
 */
export function useServerAttempt() {
  const isConnected = useConnection() === 'connected'
  const announce = useAnnounce()
  /** @param action resolves to what to announce; null if it shows anyway */
  return async (
    operation: Operation,
    action: () => Promise<string | null>,
  ): Promise<{ error: string | null }> => {
    if (!isConnected) return { error: 'This needs a connection. Nothing was changed.' }
    try {
      const done = await action()
      if (done !== null) announce(done)
      return { error: null }
    } catch (failure) {
      return { error: reportError(operation, failure) }
    }
  }
}

/** The same for a button that is not part of a form. */
export function useServerAction() {
  const attemptOnline = useServerAttempt()
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const run = (...action: Parameters<typeof attemptOnline>) =>
    void submit(async () => {
      setError(null)
      setError((await attemptOnline(...action)).error)
    })
  return { busy, error, run }
}

/** Does something in a form, and reports what went wrong. */
export async function attempt<Field extends string>(
  operation: Operation,
  action: () => Promise<FormOutcome<Field>>,
): Promise<FormOutcome<Field>> {
  try {
    return await action()
  } catch (failure) {
    return { error: reportError(operation, failure) }
  }
}
