import { discardKeptData } from '#web/data/kept-data.ts'
import { AlertDialog } from '#web/ui/dialog.tsx'

const TEXTS = {
  'unsaved-changes': {
    title: 'Discard unsaved changes',
    message: 'Whoever made them can still save them by signing in here. If you discard them, they are lost.',
  },
  everything: {
    title: 'Discard the prayers on this device',
    message:
      'Their owner can still see them by signing in here. If you discard them, whatever the server does not have is lost.',
  },
}

interface DiscardDialogProps {
  kept: keyof typeof TEXTS
  onClose: () => void
}

/** Asks before anything of someone who is not signed in is deleted from this device. */
export function DiscardDialog({ kept, onClose }: DiscardDialogProps) {
  const discard = async () => {
    onClose()
    await discardKeptData()
    // The button that opened this dialog is removed.
    document.querySelector<HTMLElement>('main h1')?.focus()
  }
  return (
    <AlertDialog
      {...TEXTS[kept]}
      confirmLabel="Discard"
      onCancel={onClose}
      onConfirm={() => void discard()}
    />
  )
}
