import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { IconButton } from './icon-button.tsx'
import { CloseIcon } from './icons/action-icons.tsx'
import { useModal } from './use-modal.ts'

interface DialogProps {
  open: boolean
  /** Esc, the backdrop or the close icon was used. */
  onClose: () => void
  title: string
  subtitle?: string
  children: ReactNode
  /** Buttons, on one line at the end. */
  footer?: ReactNode
  /** Takes the focus on opening; else the first control does. */
  initialFocusRef?: RefObject<HTMLElement | null>
}

/** A sheet above the page for one task. */
export function Dialog({ open, ...rest }: DialogProps) {
  return open ? <OpenDialog {...rest} /> : null
}

function OpenDialog({
  onClose,
  title,
  subtitle,
  children,
  footer,
  initialFocusRef,
}: Omit<DialogProps, 'open'>) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal({ ref, onClose, initialFocusRef })
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={subtitle ? `${id}-subtitle` : undefined}
      className="dialog-panel m-auto w-[calc(100%-2rem)] max-w-dialog rounded-xl border border-line bg-raised text-ink shadow-raised"
    >
      <div className="flex flex-col gap-5 p-5 sm:p-7">
        <header className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 id={`${id}-title`} className="text-2xl tracking-tight">
              {title}
            </h2>
            {subtitle && (
              <p id={`${id}-subtitle`} className="mt-1 text-sm text-ink-soft">
                {subtitle}
              </p>
            )}
          </div>
          <IconButton label="Close" className="-mt-1.5 -mr-2" onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </header>
        {children}
        {footer && <footer className="flex flex-wrap justify-end gap-3">{footer}</footer>}
      </div>
    </dialog>
  )
}
