import { useEffect, useEffectEvent, useState } from 'react'
import { useConnection } from '#web/data/sync-status.ts'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { SECTION_BUTTONS } from './settings-section.tsx'

/** What only the server has: loaded when there is a connection, and again whenever it comes back; null until then. */
export function useLoaded<Value>(operation: Operation, fetch: () => Promise<Value>) {
  const [value, setValue] = useState<Value | null>(null)
  const [error, setError] = useState<string | null>(null)
  const isConnected = useConnection() === 'connected'
  const load = () =>
    fetch().then(
      (fetched) => {
        setError(null)
        setValue(fetched)
      },
      (failure: unknown) => setError(reportError(operation, failure)),
    )
  const onConnected = useEffectEvent(load)
  useEffect(() => {
    if (isConnected) void onConnected()
  }, [isConnected])
  const reload = () => {
    setError(null)
    void load()
  }
  return [value, setValue, { error, setError, reload }] as const
}

interface NotLoadedProps {
  error: string | null
  /** Said without a connection. */
  offlineText: string
  onReload: () => void
}

/** Shown in place of what is not loaded yet. */
export function NotLoaded({ error, offlineText, onReload }: NotLoadedProps) {
  const isConnected = useConnection() === 'connected'
  if (!isConnected) return <p>{offlineText}</p>
  if (error !== null)
    return (
      <>
        <InlineError>{error}</InlineError>
        <div className={SECTION_BUTTONS}>
          <Button onClick={onReload}>Try again</Button>
        </div>
      </>
    )
  return (
    <div role="status" className="flex flex-col gap-3 py-3">
      <span className="sr-only">Loading...</span>
      <Skeleton className="h-5 w-48 max-w-full" />
      <Skeleton className="h-4 w-32 max-w-full" />
    </div>
  )
}
