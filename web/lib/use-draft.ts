import { useEffect, useEffectEvent, useState } from 'react'
import { deleteDraft, keepWhenHidden, readDraft, saveDraft } from './drafts.ts'

/** Unsaved text of a dialog, until it is saved or the user signs out. */
export interface Draft<T> {
  /** The draft that existed when the dialog was opened; undefined if there was none. */
  before: T | undefined
  /** Saves the current text as a draft, if there is any. */
  keep: () => void
  forget: () => void
}

/**
 * The draft of one dialog. It is saved whenever the page is hidden, since a phone may never show it again, and when
 * the server ends the session; and the browser asks for confirmation before unsaved text is lost.
 *
 * @param dialog identifies the dialog, for example `['prayer', id]`
 * @param unsaved the text that isn't saved yet; null if there is none
 * @param isValid checks a stored draft: another version of the app may have written it
 */
export function useDraft<T>(
  dialog: readonly string[],
  unsaved: T | null,
  isValid: (value: unknown) => value is T,
): Draft<T> {
  const name = JSON.stringify(dialog)
  const [before] = useState(() => readDraft(name, isValid))
  const keep = () => {
    if (unsaved !== null) saveDraft(name, unsaved)
  }
  const onHide = useEffectEvent(keep)
  const hasUnsaved = unsaved !== null
  useEffect(() => {
    if (!hasUnsaved) return undefined
    const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const hide = () => onHide()
    const stopKeeping = keepWhenHidden(hide)
    addEventListener('beforeunload', confirmUnload)
    addEventListener('pagehide', hide)
    document.addEventListener('visibilitychange', hide)
    return () => {
      stopKeeping()
      removeEventListener('beforeunload', confirmUnload)
      removeEventListener('pagehide', hide)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [hasUnsaved])
  return { before, keep, forget: () => deleteDraft(name) }
}
