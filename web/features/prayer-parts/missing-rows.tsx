import type { ReactNode } from 'react'
import type { ListState } from '#web/data/rows.ts'
import { useFetching } from '#web/data/sync-status.ts'
import { useSyncNow } from '#web/data/user-data.tsx'
import { Button } from '#web/ui/button.tsx'

interface MissingRowsProps {
  /** The lists of which some rows are missing. */
  of: readonly Pick<ListState<unknown>, 'error'>[]
  /** What they have, for example `prayers`. */
  what: string
  skeleton: ReactNode
}

/** Shown in place of rows that have not been received: there need not be none. */
export function MissingRows({ of, what, skeleton }: MissingRowsProps) {
  const isFetching = useFetching()
  const syncNow = useSyncNow()
  if (isFetching) return skeleton
  // The banner offers to try again. Once it has been dismissed, this does.
  if (of.some(({ error }) => error !== null)) return null
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-8 text-center">
      <p className="text-ink-soft">Your {what} could not be loaded. They are safe on the server.</p>
      <Button onClick={syncNow}>Load again</Button>
    </div>
  )
}
