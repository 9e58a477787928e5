import { Spinner } from '#web/ui/loading.tsx'

/** Between two screens. It shows itself only when the wait is long enough to be noticed. */
export function Waiting() {
  return (
    <div data-waiting className="appear-late flex min-h-64 flex-1 items-center justify-center text-ink-faint">
      <Spinner className="size-7" />
      <span className="sr-only">Loading...</span>
    </div>
  )
}
