import { useEffect, useRef, useState } from 'react'
import { array, type GenericSchema, is, parse } from 'valibot'
import { newId } from '#web/lib/new-id.ts'
import { draftOwner } from './draft-owner.ts'
import { deleteDraft, deleteSameDraft, type DraftName, readDraft, readDrafts, saveDraft } from './drafts.ts'

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
  /** For the form of a new row: the form of the row once it exists, and what is typed as that form would have it. */
  ofSaved?: ((typed: T) => { form: DraftName; typed: T }) | undefined
}

interface Draft<T> {
  typed: T
  /** What the form had begun with when this was typed: what was seen, and is to be replaced. */
  base: T
  /** What this and earlier pages have sent to be saved under this id. Perhaps it was not saved. */
  sent: readonly T[]
}

/** The ids under which this page has tried to save something for the present user: the engine knows what has become of that. */
const triedIds = new Set<string>()
draftOwner.subscribe(() => triedIds.clear())

/**
 * What is typed into a form. Every change is stored as a draft at once: it takes a tenth of a millisecond, and a browser that
 * crashes gives no notice. The draft is deleted when the text has been saved, discarded or taken back. The browser asks for
 * confirmation before it leaves a page with unsaved text.
 */
export function useDraft<T extends { id: string }>(options: DraftOptions<T>) {
  const { form, schema, initial, restore = false, isUnsaved, ofSaved } = options
  const textOf = (text: T) => JSON.stringify(parse(schema, text))
  /** Older versions of the app have stored only what was typed. */
  const parseDraft = (stored: T): Draft<T> => {
    const { base, sent }: Partial<Record<string, unknown>> = { ...stored }
    const tried = is(array(schema), sent) ? sent : []
    // What shows may be what was sent before the page was closed.
    const isBase = is(schema, base) && !tried.some((each) => textOf(each) === textOf(initial))
    return { typed: parse(schema, stored), base: isBase ? parse(schema, base) : initial, sent: tried }
  }
  const begin = (text: T): Draft<T> => ({ typed: text, base: initial, sent: [] })
  const [shown, setShown] = useState<Draft<T> & { offered: Draft<T> | null }>(() => {
    const stored = restore ? readDraft([...form, initial.id], schema) : undefined
    // If it was saved meanwhile, what is typed now is another new row.
    const fresh = restore && ofSaved ? { ...initial, id: newId() } : initial
    const begun = stored ? parseDraft(stored) : begin(fresh)
    const found = restore ? undefined : readDrafts(form, schema)[0]?.draft
    return { ...begun, offered: found ? parseDraft(found) : null }
  })
  /** Also what happens while the form is being saved. */
  const latest = useRef(shown)
  const { typed, base, offered } = shown
  const hasUnsaved = isUnsaved(typed)
  useConfirmUnload(hasUnsaved)

  /** The name of the draft of the row with this id. */
  const nameOf = (id: string) => [...form, id]
  const asStored = ({ typed: text, base: begun, sent }: Draft<T>) => ({ ...text, base: begun, sent })
  const store = (name: DraftName, draft: Draft<T>) => saveDraft(name, asStored(draft))
  const show = (next: typeof shown) => {
    latest.current = next
    setShown(next)
  }
  const replace = (changed: Draft<T>, stillOffered = latest.current.offered) => {
    const { id: formerId } = latest.current.typed
    show({ ...changed, offered: stillOffered })
    const { id } = changed.typed
    if (id !== formerId) deleteDraft(nameOf(formerId))
    // What is offered can be under the same id.
    const kept = isUnsaved(changed.typed) ? changed : stillOffered
    if (kept?.typed.id === id) store(nameOf(id), kept)
    else deleteDraft(nameOf(id))
  }
  return {
    typed,
    base,
    isUnsaved: hasUnsaved,
    change: (changed: T) => replace({ ...latest.current, typed: changed }),
    /** A draft that existed when the form was opened; null if there was none, or once it has been restored or discarded. */
    offered: offered && offered.typed,
    /** Replaces what is typed by the draft that is offered, changed by `adapt`. */
    restore: (adapt: (draft: T) => T = (draft) => draft) => {
      if (offered) replace({ ...offered, typed: adapt(offered.typed) }, null)
    },
    discard: () => {
      if (offered && !(hasUnsaved && offered.typed.id === typed.id)) deleteDraft(nameOf(offered.typed.id))
      show({ ...latest.current, offered: null })
    },
    /**
     * Saves what is typed with `write`, and then deletes the draft, even if the form has been closed meanwhile. What was typed in the
     * meantime stays a draft: of the saved row, if it is a new one.
     *
     * @param next what the form goes on with, unless something was typed meanwhile, which then gets its id
     */
    save: async <Result extends { success: boolean }>(
      write: (typed: T) => Promise<Result>,
      next?: T,
    ): Promise<Result> => {
      const { typed: entered, sent, base: begun } = latest.current
      const isOther = (each: T) => textOf(each) !== textOf(entered)
      // An earlier page may have saved something else under this id: then both are kept.
      const saved =
        ofSaved && !triedIds.has(entered.id) && sent.some(isOther) ? { ...entered, id: newId() } : entered
      triedIds.add(saved.id)
      const others = sent.filter((each) => each.id === saved.id && isOther(each))
      const trying = { typed: saved, base: begun, sent: [...others, saved] }
      replace(trying)
      const result = await write(saved)
      const { typed: current, offered: found } = latest.current
      if (!result.success) {
        // Another draft was brought back meanwhile.
        if (current.id !== saved.id) store(nameOf(saved.id), trying)
        return result
      }
      const isDone = current === saved
      if (next && (isDone || current.id === saved.id))
        replace(begin(isDone ? next : { ...current, id: next.id }))
      // What is still offered was seen, but neither used nor discarded.
      else if (isDone && found?.typed.id === saved.id) store(nameOf(saved.id), found)
      // If the form was closed and opened again meanwhile, it may have another one.
      else if (isDone) deleteSameDraft(nameOf(saved.id), asStored(trying))
      else if (current.id === saved.id) {
        deleteDraft(nameOf(saved.id))
        const ofRow = (text: T) => ofSaved?.(text) ?? { form, typed: text }
        const { form: rowForm, typed: left } = ofRow(current)
        store([...rowForm, left.id], { ...begin(left), base: ofRow(saved).typed })
      }
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
