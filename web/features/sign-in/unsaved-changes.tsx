import { Suspense, useState } from 'react'
import { useHasUnsavedChanges } from '#web/data/unsaved-changes.ts'
import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'

const DiscardDialog = lazyComponent(async () => (await import('./discard-dialog.tsx')).DiscardDialog)

/** Says that changes are kept on this device, without naming anyone: somebody else may see it. */
export function UnsavedChanges() {
  const hasUnsaved = useHasUnsavedChanges()
  const [isAsking, setAsking] = useState(false)
  if (!hasUnsaved) return null
  return (
    <div className="-my-2 flex items-center justify-between gap-4 text-sm text-ink-soft">
      <p>Changes that are not saved yet are kept on this device</p>
      <button
        type="button"
        className={`${TEXT_LINK} inline-flex min-h-11 items-center`}
        onClick={() => setAsking(true)}
      >
        Discard
      </button>
      {isAsking && (
        <Suspense>
          <DiscardDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}
