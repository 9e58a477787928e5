import { useEffect, useEffectEvent, useState } from 'react'
import { forgetDraft, keepDraft, readDraft } from './draft-storage.ts'

/** Text that was typed into a dialog and not saved, until it is saved or the person signs out. */
export interface Draft<T> {
  /** What was there when the dialog was opened; undefined if nothing was. */
  before: T | undefined
  /** Keeps what is typed now, if that is anything. */
  keep: () => void
  forget: () => void
}

/**
 * The draft of one dialog. While something typed is not saved it is kept whenever the page goes out of sight, since a
 * phone may not bring it back, and the browser asks before it leaves the page.
 *
 * @param dialog names the dialog, for example `['prayer', id]`
 * @param typed what is typed and not saved; null when that is nothing
 * @param isDraft whether a stored value has the shape that this version of the dialog writes
 */
export function useDraft<T>(
  dialog: readonly string[],
  typed: T | null,
  isDraft: (value: unknown) => value is T,
): Draft<T> {
  const name = JSON.stringify(dialog)
  const [before] = useState(() => {
    const stored = readDraft(name)
    return isDraft(stored) ? stored : undefined
  })
  const keep = () => {
    if (typed !== null) keepDraft(name, typed)
  }
  const pageHides = useEffectEvent(keep)
  const unsaved = typed !== null
  useEffect(() => {
    if (!unsaved) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    const hide = () => pageHides()
    addEventListener('beforeunload', ask)
    addEventListener('pagehide', hide)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('pagehide', hide)
      document.removeEventListener('visibilitychange', hide)
    }
  }, [unsaved])
  return { before, keep, forget: () => forgetDraft(name) }
}
