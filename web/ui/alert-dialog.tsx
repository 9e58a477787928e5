import { useId, useRef } from 'react'
import { Button } from './button.tsx'
import { useModal } from './use-modal.ts'

interface AlertDialogProps {
  open: boolean
  title: string
  message: string
  confirmLabel: string
  cancelLabel?: string
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something that cannot be taken back. Cancel has the focus first. */
export function AlertDialog({ open, ...rest }: AlertDialogProps) {
  return open ? <OpenAlertDialog {...rest} /> : null
}

function OpenAlertDialog({
  title,
  message,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  onCancel,
}: Omit<AlertDialogProps, 'open'>) {
  const ref = useRef<HTMLDialogElement>(null)
  const cancelRef = useRef<HTMLButtonElement>(null)
  const id = useId()
  useModal({ ref, onClose: onCancel, initialFocusRef: cancelRef })
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-message`}
      className="dialog-panel m-auto w-[calc(100%-2rem)] max-w-form rounded-xl border border-line bg-raised text-ink shadow-raised"
    >
      <div className="flex flex-col gap-4 p-5 sm:p-7">
        <h2 id={`${id}-title`} className="text-xl">
          {title}
        </h2>
        <p id={`${id}-message`} className="text-ink-soft wrap-anywhere">
          {message}
        </p>
        <div className="mt-1 flex flex-wrap justify-end gap-3">
          <Button ref={cancelRef} onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </div>
      </div>
    </dialog>
  )
}
