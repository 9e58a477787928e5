import { type ReactNode, type RefObject, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { closeOnBack } from './close-on-back.ts'
import { CloseIcon } from './icons.tsx'

/**
 * On small screens a sheet at the bottom, elsewhere in the middle. Its buttons stay in view, also above a keyboard and at
 * 200 % zoom: only what is above them scrolls.
 */
const PANEL =
  'dialog-panel m-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] flex-col rounded-xl border border-line bg-raised ' +
  'text-ink shadow-raised open:flex max-sm:mb-0 max-sm:max-h-[calc(100dvh-1rem)] max-sm:w-full max-sm:max-w-none ' +
  'max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0'
const STEADY = 'max-sm:h-dvh sm:mt-[8dvh] sm:max-h-[calc(90dvh-1rem)]'
const CONTENT =
  'dialog-content flex min-h-0 flex-col overflow-y-auto overscroll-contain px-5 pt-5 pb-1 sm:px-7 sm:pt-7'
const BUTTONS = 'flex flex-wrap justify-end gap-3 px-5 pt-4 pb-safe max-sm:*:flex-auto sm:px-7 sm:pb-7'

export interface DialogProps {
  /** Called on Esc, "back", a click on the backdrop and the close button. */
  onClose: () => void
  title: string
  subtitle?: string
  /** What was just done: takes the place of the subtitle, and is announced. */
  status?: string | null | undefined
  /** A quiet control below the title. */
  titleAction?: ReactNode
  /** Keeps its place while the user makes its content higher: on small screens it fills the screen, elsewhere it grows downwards. */
  steady?: boolean
  children: ReactNode
  /** Buttons at the end of the dialog. */
  footer?: ReactNode
  /** Receives the focus on opening, by default the first control. */
  initialFocusRef?: RefObject<HTMLElement | null>
}

/** A modal dialog, open while it is mounted. */
export function Dialog(props: DialogProps) {
  const { onClose, title, subtitle, status, titleAction, steady, children, footer, initialFocusRef } = props
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal({ ref, onClose, initialFocusRef })
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={subtitle ? `${id}-subtitle` : undefined}
      className={classNames(PANEL, 'max-w-dialog', steady && STEADY)}
    >
      <div className={classNames(CONTENT, 'flex-1 gap-4', footer ? undefined : 'pb-safe sm:pb-7')}>
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 id={`${id}-title`} className="text-2xl tracking-tight">
              {title}
            </h2>
            <div className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm empty:hidden">
              {subtitle && (
                <p
                  id={`${id}-subtitle`}
                  role={status === undefined ? undefined : 'status'}
                  // On a line of its own, a status moves nothing of what is below it.
                  className={classNames(
                    status !== undefined && 'basis-full',
                    status ? 'truncate text-success' : 'wrap-anywhere text-ink-soft',
                  )}
                >
                  {status ?? subtitle}
                </p>
              )}
              {titleAction}
            </div>
          </div>
          <IconButton label="Close" className="-mt-1.5 -mr-2" onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        {children}
      </div>
      {footer && <div className={BUTTONS}>{footer}</div>}
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
      <div className={classNames(CONTENT, 'gap-3')}>
        <h2 id={`${id}-title`} className="text-xl wrap-anywhere">
          {title}
        </h2>
        <p id={`${id}-message`} className="text-ink-soft wrap-anywhere">
          {message}
        </p>
      </div>
      <div className={BUTTONS}>
        <Button ref={cancelRef} onClick={onCancel}>
          Cancel
        </Button>
        <Button variant="danger" onClick={onConfirm}>
          {confirmLabel}
        </Button>
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
 * restores the focus afterwards. `onClose` is called on Esc, on "back" and on a click on the backdrop.
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

  // Not in effects that run later: Esc would close a dialog that has just appeared without `onClose`.
  useLayoutEffect(() => closeOnBack(() => close()), [])

  useLayoutEffect(() => {
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

let ignoring = new AbortController()

/**
 * The second click of a double click must not press what appears in place of a button, or take the focus to it: call it when
 * one disappears.
 */
export function ignoreSecondClick(): void {
  ignoring.abort()
  const controller = new AbortController()
  ignoring = controller
  const ignore = (event: MouseEvent) => {
    // The first click of another series ends this one.
    if (event.detail < 2) controller.abort()
    else {
      event.preventDefault()
      event.stopPropagation()
    }
  }
  for (const type of ['mousedown', 'click'] as const)
    addEventListener(type, ignore, { capture: true, signal: controller.signal })
  setTimeout(() => controller.abort(), DOUBLE_CLICK_MS)
}
