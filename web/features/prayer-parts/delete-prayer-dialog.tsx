import type { Prayer } from '#web/data/prayers.ts'
import { shortName } from '#web/lib/short-name.ts'
import { AlertDialog } from '#web/ui/dialog.tsx'

interface DeletePrayerDialogProps {
  prayer: Prayer
  onCancel: () => void
  onConfirm: () => void
}

/** Asks before a prayer is deleted. */
export function DeletePrayerDialog({ prayer, onCancel, onConfirm }: DeletePrayerDialogProps) {
  return (
    <AlertDialog
      title={`Delete the prayer for ${shortName(prayer.person_name)}`}
      message="Are you sure you want to delete this prayer? This action cannot be undone."
      confirmLabel="Delete"
      onCancel={onCancel}
      onConfirm={onConfirm}
    />
  )
}
