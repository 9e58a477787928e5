import { useEffect, useRef, useState } from 'react'
import { array, type GenericSchema, is, parse } from 'valibot'
import { newId } from '#web/lib/new-id.ts'
import { draftOwner } from './draft-owner.ts'
import { deleteDraft, deleteSameDraft, type DraftName, readDrafts, saveDraft } from './drafts.ts'

interface DraftOptions<T> {
  /** Identifies the form and what it is about. */
  form: DraftName
  /** Of what is typed into the form. */
  schema: GenericSchema<T>
  /** What the form begins with. What is typed will be saved under its id. */
  initial: T
  /** Whether the form begins with a draft, instead of offering the one that it finds: with that of this key, or of the id of `initial`. */
  restore?: string | boolean | undefined
  /** Whether there is text that would be lost with the form. */
  isUnsaved: (typed: T) => boolean
  /** For the form of a new row: the form of the row once it exists, and what is typed as that form would have it. */
  ofSaved?: ((typed: T) => { form: DraftName; typed: T }) | undefined
  /** Whether others refer to the new row already: then it always gets the id of `initial`. */
  keepsId?: boolean
}

interface Draft<T> {
  /** The last part of its name: a form leaves the draft that it offers, and what else was typed for its row. */
  key: string
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
  const { form, schema, initial, restore = false, isUnsaved, ofSaved, keepsId = false } = options
  const isNew = ofSaved !== undefined && !keepsId
  const textOf = (text: T) => JSON.stringify(parse(schema, text))
  /** Older versions of the app have stored only what was typed. */
  const parseDraft = ({ name, draft: stored }: { name: DraftName; draft: T }): Draft<T> => {
    const { base, sent }: Partial<Record<string, unknown>> = { ...stored }
    const tried = is(array(schema), sent) ? sent : []
    // What shows may be what was sent before the page was closed.
    const isBase = is(schema, base) && !tried.some((each) => textOf(each) === textOf(initial))
    const key = name.at(-1) ?? ''
    return { key, typed: parse(schema, stored), base: isBase ? parse(schema, base) : initial, sent: tried }
  }
  /** Of the copies of a draft in several tabs, each is saved as a row of its own, unless one was sent before it was copied. */
  const broughtBack = (draft: Draft<T>): Draft<T> =>
    isNew && draft.sent.length === 0 ? { ...draft, typed: { ...draft.typed, id: newId() } } : draft
  const begin = (text: T): Draft<T> => ({ key: newId(), typed: text, base: initial, sent: [] })
  const [shown, setShown] = useState<Draft<T> & { offered: Draft<T> | null }>(() => {
    const found = readDrafts(form, schema).map(parseDraft)
    const ofRow = found.filter(({ typed }) => typed.id === initial.id)
    const restored = restore && (found.find(({ key }) => key === restore) ?? ofRow[0])
    const offered = (restore ? ofRow : found).find((each) => each !== restored) ?? null
    if (restored) return { ...broughtBack(restored), offered }
    // A draft that is to be restored may have been saved meanwhile; another one may be saved under its id, or have been.
    const isOther = isNew && (restore || ofRow.length > 0)
    return { ...begin(isOther ? { ...initial, id: newId() } : initial), offered }
  })
  /** Also what happens while the form is being saved. */
  const latest = useRef(shown)
  const { typed, base, offered } = shown
  const hasUnsaved = isUnsaved(typed)
  useConfirmUnload(hasUnsaved)

  const nameOf = ({ key }: Draft<T>) => [...form, key]
  const asStored = ({ typed: text, base: begun, sent }: Draft<T>) => ({ ...text, base: begun, sent })
  const store = (draft: Draft<T>, name: DraftName = nameOf(draft)) => saveDraft(name, asStored(draft))
  /** Deletes a draft, unless another form has gone on with it: this one may have been closed meanwhile. */
  const forget = (draft: Draft<T>) => deleteSameDraft(nameOf(draft), asStored(draft))
  const replace = (changed: Draft<T>, stillOffered = latest.current.offered) => {
    const former = latest.current
    latest.current = { ...changed, offered: stillOffered }
    setShown(latest.current)
    if (![changed.key, stillOffered?.key].includes(former.key)) forget(former)
    if (isUnsaved(changed.typed)) store(changed)
    else deleteDraft(nameOf(changed))
  }
  return {
    typed,
    base,
    isUnsaved: hasUnsaved,
    change: (changed: T) => replace({ ...latest.current, typed: changed }),
    /** A draft that existed when the form was opened; null if there was none, or once it has been restored or discarded. */
    offered: offered && offered.typed,
    /** Replaces what is typed by the draft that is offered, changed by `adapt`. Then what was typed is offered. */
    restore: (adapt: (draft: T) => T = (draft) => draft) => {
      if (!offered) return
      const [former, back] = [latest.current, broughtBack(offered)]
      replace({ ...back, typed: adapt(back.typed) }, isUnsaved(former.typed) ? former : null)
    },
    discard: () => {
      if (offered) deleteDraft(nameOf(offered))
      replace(latest.current, null)
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
      const { key, typed: entered, sent, base: begun } = latest.current
      const isOther = (each: T) => textOf(each) !== textOf(entered)
      // An earlier page may have saved something else under this id: then both are kept.
      const saved =
        isNew && !triedIds.has(entered.id) && sent.some(isOther) ? { ...entered, id: newId() } : entered
      triedIds.add(saved.id)
      const others = sent.filter((each) => each.id === saved.id && isOther(each))
      const trying = { key, typed: saved, base: begun, sent: [...others, saved] }
      replace(trying)
      const result = await write(saved)
      if (!result.success) return result
      const draft = latest.current
      const own = [draft, draft.offered].find((each) => each?.key === key) ?? trying
      const isDone = own.typed === saved
      if (own === draft && next) {
        replace(begin(isDone ? next : { ...own.typed, id: next.id }))
        return result
      }
      // Another draft was brought back meanwhile.
      if (own === draft.offered) replace(draft, null)
      forget(own)
      if (!isDone && isUnsaved(own.typed)) {
        const ofRow = (text: T) => ofSaved?.(text) ?? { form, typed: text }
        const { form: rowForm, typed: left } = ofRow(own.typed)
        store({ ...trying, typed: left, base: ofRow(saved).typed, sent: [] }, [...rowForm, key])
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
