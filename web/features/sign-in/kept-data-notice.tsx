import { Suspense, useState } from 'react'
import { useKeptData } from '#web/data/kept-data.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'

const DiscardDialog = lazyComponent(async () => (await import('./discard-dialog.tsx')).DiscardDialog)

const TEXTS = {
  'unsaved-changes': 'Changes that are not saved yet are kept on this device.',
  everything: 'Prayers are kept on this device, hidden until their owner signs in, for 30 days.',
}

/** Says what is kept on this device, without naming anyone: somebody else may see it. */
export function KeptData() {
  const kept = useKeptData()
  const [isAsking, setAsking] = useState(false)
  if (kept === null) return null
  return (
    <div className="-my-2 flex items-center justify-between gap-4 text-sm text-ink-soft">
      <p>{TEXTS[kept]}</p>
      <button
        type="button"
        className={`${TEXT_LINK} inline-flex min-h-11 items-center`}
        onClick={() => setAsking(true)}
      >
        Discard
      </button>
      {isAsking && (
        <Suspense>
          <DiscardDialog kept={kept} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}
