import { useEffect, useRef, useState } from 'react'
import { type RejectedEntry, useRejectedChanges } from '#web/data/rejected-changes.ts'
import { useSyncStatus } from '#web/data/sync-status.ts'
import { CorrectCategoryDialog } from '#web/features/categories/category-dialog.tsx'
import { CorrectPrayerDialog } from '#web/features/prayer-parts/edit-prayer-dialog.tsx'
import { RejectedChangesSheet } from '#web/features/rejected-changes/rejected-changes-sheet.tsx'
import { rejectedSheetRequest } from '#web/lib/navigation/navigation-state.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { restoreFocus } from '#web/ui/focus.ts'
import { AlertIcon } from '#web/ui/line-icon.tsx'

/** Beside the avatar while there are changes that could not be saved: opens the sheet that describes them. */
export function RejectedChangesButton() {
  const { rejectedCount } = useSyncStatus()
  const [isOpen, setOpen] = useState(false)
  const [correcting, setCorrecting] = useState<RejectedEntry | null>(null)
  const hasRejected = rejectedCount > 0
  if (isOpen && !hasRejected && !correcting) setOpen(false)
  useFocusAfterClosing(isOpen)
  useEffect(() => rejectedSheetRequest.subscribe(() => setOpen(true)), [])
  return (
    <>
      <div role="status">
        {hasRejected && (
          <button
            type="button"
            title="Could not be saved"
            onClick={() => setOpen(true)}
            className="flex min-h-11 min-w-11 items-center justify-center rounded-full text-sm font-medium text-danger transition-colors hover:bg-danger-soft lg:px-3"
          >
            <AlertIcon />
            <span className="rejected-label">Could not be saved</span>
          </button>
        )}
      </div>
      {isOpen && (
        <RejectedChangesDialogs
          correcting={correcting}
          onCorrect={setCorrecting}
          onClose={() => setOpen(false)}
        />
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

interface RejectedChangesDialogsProps {
  /** The change whose dialog is open; null if none is. */
  correcting: RejectedEntry | null
  onCorrect: (entry: RejectedEntry | null) => void
  onClose: () => void
}

/** The sheet with everything that could not be saved, and above it the dialog that corrects one of the changes. */
function RejectedChangesDialogs({ correcting, onCorrect, onClose }: RejectedChangesDialogsProps) {
  const entries = useRejectedChanges()
  const announce = useAnnounce()
  const finish = async (entry: RejectedEntry) => {
    onCorrect(null)
    // If that cannot be stored, it stays in the list, where it can be discarded.
    await entry.discard().catch(() => {})
    announce('Saved')
  }
  return (
    <>
      {entries.length > 0 && (
        <RejectedChangesSheet entries={entries} onCorrect={onCorrect} onClose={onClose} />
      )}
      {correcting && (
        <CorrectionDialog
          entry={correcting}
          onSaved={() => void finish(correcting)}
          onClose={() => onCorrect(null)}
        />
      )}
    </>
  )
}

interface CorrectionDialogProps {
  entry: RejectedEntry
  onSaved: () => void
  onClose: () => void
}

function CorrectionDialog({ entry: { id, form }, ...events }: CorrectionDialogProps) {
  switch (form?.kind) {
    case 'prayer':
      return <CorrectPrayerDialog changeId={id} form={form} {...events} />
    case 'category':
      return <CorrectCategoryDialog changeId={id} form={form} {...events} />
    case undefined:
      return null
  }
}
