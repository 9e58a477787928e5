import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'

interface ModalOptions {
  ref: RefObject<HTMLDialogElement | null>
  onClose: () => void
  initialFocusRef?: RefObject<HTMLElement | null> | undefined
}

/**
 * Shows a native dialog as a modal for as long as the component lives. The browser keeps the focus inside, makes the
 * page behind it inert and gives the focus back; Esc and a press on the backdrop ask the owner to close.
 */
export function useModal({ ref, onClose, initialFocusRef }: ModalOptions): void {
  const askToClose = useEffectEvent(onClose)

  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    initialFocusRef?.current?.focus()
    return () => dialog?.close()
  }, [ref, initialFocusRef])

  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return undefined
    const leaving = new AbortController()
    const { signal } = leaving
    let pressedOutside = false
    dialog.addEventListener(
      'cancel',
      (event) => {
        if (event.target !== dialog) return
        event.preventDefault()
        askToClose()
      },
      { signal },
    )
    // A press that starts on the text and ends outside is a selection, not a wish to close.
    dialog.addEventListener('pointerdown', (event) => (pressedOutside = event.target === dialog), { signal })
    dialog.addEventListener(
      'click',
      (event) => {
        if (event.target === dialog && pressedOutside) askToClose()
      },
      { signal },
    )
    return () => leaving.abort()
  }, [ref])
}
