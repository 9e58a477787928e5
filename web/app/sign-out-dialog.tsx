import { KEY_QUESTION } from '#web/data/encryption-status.ts'
import { AlertDialog } from '#web/ui/dialog.tsx'

interface SignOutDialogProps {
  /** How many changes would be lost. */
  count: number
  isEncrypted: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** Asks whether to sign out although the server does not have all changes, or the user may not have the prayer key any more. */
export function SignOutDialog({ count, isEncrypted, onConfirm, onCancel }: SignOutDialogProps) {
  return (
    <AlertDialog
      title="Sign out"
      message={[isEncrypted && KEY_QUESTION, count > 0 && unsavedText(count)].filter(Boolean).join(' ')}
      confirmLabel="Sign out"
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  )
}

function unsavedText(count: number): string {
  const changes = count === 1 ? 'One change has' : `${count} changes have`
  const them = count === 1 ? 'it is' : 'they are'
  return `${changes} not been saved on the server yet, and ${them} lost if you sign out. Sign out anyway?`
}
