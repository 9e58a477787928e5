import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { CloseIcon } from './icons.tsx'

const PANEL =
  'dialog-panel m-auto w-[calc(100%-2rem)] rounded-xl border border-line bg-raised text-ink shadow-raised'

interface DialogProps {
  /** Called on Esc, a click on the backdrop and the close button. */
  onClose: () => void
  title: string
  subtitle?: string
  children: ReactNode
  /** Buttons at the end of the dialog. */
  footer?: ReactNode
  /** Receives the focus on opening, by default the first control. */
  initialFocusRef?: RefObject<HTMLElement | null>
}

/** A modal dialog, open while it is mounted. */
export function Dialog({ onClose, title, subtitle, children, footer, initialFocusRef }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal({ ref, onClose, initialFocusRef })
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={subtitle ? `${id}-subtitle` : undefined}
      className={classNames(PANEL, 'max-w-dialog')}
    >
      <div className="flex flex-col gap-5 p-5 sm:p-7">
        <div className="flex items-start gap-3">
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
        </div>
        {children}
        {footer && <div className="flex flex-wrap justify-end gap-3">{footer}</div>}
      </div>
    </dialog>
  )
}

interface AlertDialogProps {
  title: string
  message: string
  confirmLabel: string
  onConfirm: () => void
  onCancel: () => void
}

/** Asks for confirmation before something that cannot be undone. Open while it is mounted; Cancel has the initial focus. */
export function AlertDialog({ title, message, confirmLabel, onConfirm, onCancel }: AlertDialogProps) {
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
      className={classNames(PANEL, 'max-w-form')}
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
            Cancel
          </Button>
          <Button variant="danger" onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </div>
      </div>
    </dialog>
  )
}

interface ModalOptions {
  ref: RefObject<HTMLDialogElement | null>
  onClose: () => void
  initialFocusRef?: RefObject<HTMLElement | null> | undefined
}

/**
 * Shows a native dialog as modal while the component is mounted. The browser traps the focus, makes the page inert and
 * restores the focus afterwards. `onClose` is called on Esc and on a click on the backdrop.
 */
function useModal({ ref, onClose, initialFocusRef }: ModalOptions): void {
  const close = useEffectEvent(onClose)

  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    initialFocusRef?.current?.focus()
    return () => {
      dialog?.close()
      ignoreSecondClick()
    }
  }, [ref, initialFocusRef])

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return undefined
    const controller = new AbortController()
    const { signal } = controller
    // Selecting text can start inside and end on the backdrop: only a press that starts there closes the dialog.
    let pressedOnBackdrop = false
    const cancel = (event: Event) => {
      if (event.target !== dialog) return
      event.preventDefault()
      close()
    }
    const press = (event: PointerEvent) => {
      pressedOnBackdrop = event.target === dialog
    }
    const click = (event: MouseEvent) => {
      if (event.target === dialog && pressedOnBackdrop) close()
    }
    dialog.addEventListener('cancel', cancel, { signal })
    dialog.addEventListener('pointerdown', press, { signal })
    dialog.addEventListener('click', click, { signal })
    return () => controller.abort()
  }, [ref])
}

/** The longest time between the clicks of a double click, in milliseconds, with the default settings of Windows. */
const DOUBLE_CLICK_MS = 500

/** The second click of a double click on a button that closes a dialog must not press what is below it. */
function ignoreSecondClick(): void {
  const ignore = (event: MouseEvent) => {
    if (event.detail < 2) return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', ignore, { capture: true })
  setTimeout(() => removeEventListener('click', ignore, { capture: true }), DOUBLE_CLICK_MS)
}
