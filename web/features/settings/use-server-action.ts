import { useState } from 'react'
import { useConnection } from '#web/data/sync-status.ts'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'

/** Runs what needs the server, one after the other, and announces what it has done. Without a connection, it says so instead. */
export function useServerAction() {
  const [error, setError] = useState<string | null>(null)
  const isConnected = useConnection() === 'connected'
  const announce = useAnnounce()
  const { busy, submit } = useSubmission()
  /** @param action resolves to what to announce */
  const run = (operation: Operation, action: () => Promise<string>) =>
    void submit(async () => {
      if (!isConnected) return setError('This needs a connection. Nothing was changed.')
      setError(null)
      try {
        announce(await action())
      } catch (failure) {
        setError(reportError(operation, failure))
      }
    })
  return { busy, error, run }
}
