import { useEffect, useRef, useState } from 'react'
import type { GenericSchema } from 'valibot'
import { deleteDraft, type DraftName, readDraft, readDrafts, saveDraft } from './drafts.ts'

interface DraftOptions<T> {
  /** Identifies the form and what it is about. */
  form: DraftName
  /** Of what is typed into the form. */
  schema: GenericSchema<T>
  /** What the form begins with. What is typed will be saved under its id. */
  initial: T
  /** Whether the form begins with the draft of that id, instead of offering the draft that it finds. */
  restore?: boolean | undefined
  /** Whether there is text that would be lost with the form. */
  isUnsaved: (typed: T) => boolean
}

/**
 * What is typed into a form. Every change is stored as a draft at once: it takes a tenth of a millisecond, and a browser that
 * crashes gives no notice. The draft is deleted when the text has been saved, discarded or taken back. The browser asks for
 * confirmation before it leaves a page with unsaved text.
 */
export function useDraft<T extends { id: string }>(options: DraftOptions<T>) {
  const { form, schema, initial, restore = false, isUnsaved } = options
  const [typed, setTyped] = useState(
    () => (restore ? readDraft([...form, initial.id], schema) : undefined) ?? initial,
  )
  const [offered, setOffered] = useState(() =>
    restore ? null : (readDrafts(form, schema)[0]?.draft ?? null),
  )
  /** Also what was typed while the form is being saved. */
  const latest = useRef(typed)
  const hasUnsaved = isUnsaved(typed)
  useConfirmUnload(hasUnsaved)

  /** The name of the draft of the row with this id. */
  const nameOf = (id: string) => [...form, id]
  const replace = (changed: T, stillOffered: T | null) => {
    latest.current = changed
    setTyped(changed)
    setOffered(stillOffered)
    if (changed.id !== typed.id) deleteDraft(nameOf(typed.id))
    // What is offered can be under the same id.
    const kept = isUnsaved(changed) ? changed : stillOffered
    if (kept?.id === changed.id) saveDraft(nameOf(changed.id), kept)
    else deleteDraft(nameOf(changed.id))
  }
  return {
    typed,
    isUnsaved: hasUnsaved,
    change: (changed: T) => replace(changed, offered),
    /** A draft that existed when the form was opened; null if there was none, or once it has been restored or discarded. */
    offered,
    /** Replaces what is typed by the draft that is offered, changed by `adapt`. */
    restore: (adapt: (draft: T) => T = (draft) => draft) => {
      if (offered) replace(adapt(offered), null)
    },
    discard: () => {
      if (offered && !(hasUnsaved && offered.id === typed.id)) deleteDraft(nameOf(offered.id))
      setOffered(null)
    },
    /**
     * Saves what is typed with `write`, and then deletes the draft, even if the form has been closed meanwhile. What was typed in the
     * meantime stays a draft.
     *
     * @param next what the form goes on with, unless something was typed meanwhile, which then gets its id
     */
    save: async <Result extends { success: boolean }>(
      write: (typed: T) => Promise<Result>,
      next?: T,
    ): Promise<Result> => {
      const saved = latest.current
      const result = await write(typed)
      if (!result.success) return result
      const isDone = latest.current === saved
      if (next) replace(isDone ? next : { ...latest.current, id: next.id }, offered)
      else if (isDone) deleteDraft(nameOf(typed.id))
      return result
    },
  }
}

/** Has the browser ask for confirmation before it leaves the page, while that would lose something. */
export function useConfirmUnload(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined
    const confirmUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', confirmUnload)
    return () => removeEventListener('beforeunload', confirmUnload)
  }, [isUnsaved])
}
