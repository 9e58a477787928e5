import { type RejectedEntry, useRejectedChanges } from '#web/data/rejected-changes.ts'
import { CorrectCategoryDialog } from '#web/features/categories/category-dialog.tsx'
import { CorrectPrayerDialog } from '#web/features/prayer-parts/edit-prayer-dialog.tsx'
import { RejectedChangesSheet } from '#web/features/rejected-changes/rejected-changes-sheet.tsx'
import { useAnnounce } from '#web/ui/announcements.tsx'

interface RejectedChangesDialogsProps {
  /** The change whose dialog is open; null if none is. */
  correcting: RejectedEntry | null
  onCorrect: (entry: RejectedEntry | null) => void
  onClose: () => void
}

/** The sheet with everything that could not be saved, and above it the dialog that corrects one of the changes. */
export function RejectedChangesDialogs({ correcting, onCorrect, onClose }: RejectedChangesDialogsProps) {
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
