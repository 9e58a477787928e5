import { useEffect, useEffectEvent, useState } from 'react'
import type { GenericSchema } from 'valibot'
import { keepWhenHidden } from './draft-owner.ts'
import { deleteDraft, type DraftName, readDrafts, saveDraft } from './drafts.ts'

/** Unsaved text of a dialog, until it is saved or the user signs out. */
export interface Draft<T> {
  /** A draft of this form that existed when the dialog was opened; undefined if there was none. */
  before: T | undefined
  /** Saves a text as a draft: by default the current one, if there is any. */
  keep: (text?: T) => void
  /** Deletes a draft, by default that of the current text. */
  forget: (id?: string) => void
}

/**
 * The draft of one dialog. It is saved whenever the page is hidden, since a phone may never show it again, and when
 * the server ends the session; and the browser asks for confirmation before unsaved text is lost.
 *
 * @param form identifies the form; each row that it is used for has a draft of its own
 * @param id of the row, under which the text will be saved
 * @param unsaved the text that isn't saved yet; null if there is none
 * @param schema of a stored draft: another version of the app may have written it
 */
export function useDraft<T extends { id: string }>(
  form: DraftName,
  id: string,
  unsaved: T | null,
  schema: GenericSchema<T>,
): Draft<T> {
  const [before] = useState(() => readDrafts(form, schema)[0]?.draft)
  const keep = (text = unsaved) => {
    if (text !== null) saveDraft([...form, id], text)
  }
  const onHide = useEffectEvent(() => keep())
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
  return { before, keep, forget: (forgotten = id) => deleteDraft([...form, forgotten]) }
}
