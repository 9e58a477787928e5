import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react'
import type { RejectedEntry } from '#web/data/rejected-changes.ts'
import { useSyncStatus } from '#web/data/sync-status.ts'
import { lazyChunk } from '#web/lib/loading/lazy-chunk.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { restoreFocus } from '#web/ui/focus.ts'
import { AlertIcon } from '#web/ui/line-icon.tsx'
import type { RejectedChangesDialogs } from './rejected-changes-dialogs.tsx'

type DialogsComponent = ComponentType<ComponentProps<typeof RejectedChangesDialogs>>

const DIALOGS = lazyChunk<DialogsComponent>(
  async () => (await import('./rejected-changes-dialogs.tsx')).RejectedChangesDialogs,
)

/** Beside the avatar while there are changes that could not be saved: opens the sheet that describes them. */
export function RejectedChangesButton() {
  const { rejectedCount } = useSyncStatus()
  const announce = useAnnounce()
  const [shown, setShown] = useState<{ Dialogs: DialogsComponent } | null>(null)
  const [correcting, setCorrecting] = useState<RejectedEntry | null>(null)
  const hasRejected = rejectedCount > 0
  if (shown && !hasRejected && !correcting) setShown(null)
  useFocusAfterClosing(shown !== null)

  const preload = () => void DIALOGS.load().catch(() => undefined)
  const open = () => {
    DIALOGS.load().then(
      (Dialogs) => setShown({ Dialogs }),
      () => announce('This could not be opened: part of the page could not be loaded.'),
    )
  }
  return (
    <>
      <div role="status">
        {hasRejected && (
          <button
            type="button"
            title="Could not be saved"
            onPointerEnter={preload}
            onFocus={preload}
            onClick={open}
            className="flex min-h-11 min-w-11 items-center justify-center rounded-full text-sm font-medium text-danger transition-colors hover:bg-danger-soft lg:px-3"
          >
            <AlertIcon />
            <span className="rejected-label">Could not be saved</span>
          </button>
        )}
      </div>
      {shown && (
        <shown.Dialogs correcting={correcting} onCorrect={setCorrecting} onClose={() => setShown(null)} />
      )}
    </>
  )
}

/** The button that opened the sheet is removed with the last change: the focus moves to the heading of the page. */
function useFocusAfterClosing(open: boolean): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !open) restoreFocus()
    wasOpen.current = open
  }, [open])
}
