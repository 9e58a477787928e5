import { Button } from '#web/ui/button.tsx'

/** What shows where nothing could be fetched: never an empty list, since nobody knows whether it is empty. */
export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <p className="text-ink-soft">Your prayers could not be loaded. They are safe where they are kept.</p>
      <Button onClick={onRetry}>Load again</Button>
    </div>
  )
}
