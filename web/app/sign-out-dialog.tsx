import { useKeyQuestion } from '#web/data/key-question.ts'
import { AlertDialog } from '#web/ui/dialog.tsx'

interface SignOutDialogProps {
  /** How many changes would be lost. */
  count: number
  onConfirm: () => void
  onCancel: () => void
}

/** Asks whether to sign out although the server does not have all changes, or the user may not have the prayer key any more. */
export function SignOutDialog({ count, onConfirm, onCancel }: SignOutDialogProps) {
  const keyQuestion = useKeyQuestion()
  return (
    <AlertDialog
      title="Sign out"
      message={[
        keyQuestion && `This signs you out on all your devices. ${keyQuestion}`,
        count > 0 && unsavedText(count),
      ]
        .filter(Boolean)
        .join(' ')}
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
