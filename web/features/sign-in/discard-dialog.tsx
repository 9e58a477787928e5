import { discardUnsavedChanges } from '#web/data/unsaved-changes.ts'
import { AlertDialog } from '#web/ui/dialog.tsx'

/** Asks before changes of someone who is not signed in are deleted from this device. */
export function DiscardDialog({ onClose }: { onClose: () => void }) {
  const discard = async () => {
    onClose()
    await discardUnsavedChanges()
    // The button that opened this dialog is removed.
    document.querySelector<HTMLElement>('main h1')?.focus()
  }
  return (
    <AlertDialog
      title="Discard unsaved changes"
      message="Whoever made them can still save them by signing in here. If you discard them, they are lost."
      confirmLabel="Discard"
      onCancel={onClose}
      onConfirm={() => void discard()}
    />
  )
}
