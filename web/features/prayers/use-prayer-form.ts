import { useState } from 'react'
import type { ActionResult } from '#web/data/changes.ts'
import type { DraftName } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import type { CardCategory } from './category-card.tsx'
import {
  CHANGED_PRAYER_DRAFTS,
  formErrors,
  hasUnsavedText,
  NEW_PRAYER_DRAFTS,
  type PrayerDraft,
  prayerDraftSchema,
  type PrayerForm,
  type PrayerFormErrors,
} from './prayer-form.ts'

export interface PrayerFormOptions {
  mode: 'add' | 'edit'
  id: string
  initial: PrayerForm
  /** The categories that can be selected. */
  categories: readonly CardCategory[]
  /** Identifies the drafts of unsaved text. */
  draftName?: DraftName
  /** Unsaved text to begin with. */
  draft?: PrayerDraft | undefined
  /** Saves under the given id, which differs from `id` if a draft was restored. */
  onSave: (id: string, form: PrayerForm) => Promise<ActionResult>
}

/** The state of the prayer dialog: its fields, their errors, and saving. */
export function usePrayerForm(options: PrayerFormOptions) {
  const { mode, id, initial, categories, onSave } = options
  const draftName = options.draftName ?? draftNameOf(mode, id, initial.category_id)
  const [typed, setTyped] = useState(() =>
    options.draft ? restored(options.draft, initial) : { id, form: initial },
  )
  /** Shared texts that were added to the note. */
  const [added, setAdded] = useState<readonly string[]>([])
  const [errors, setErrors] = useState<PrayerFormErrors>({})
  const [saveError, setSaveError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()

  const form = { ...typed.form, category_id: selectable(typed.form.category_id, categories) }
  const unsaved = hasUnsavedText(form, initial) ? { id: typed.id, form } : null
  const draft = useDraft(draftName, typed.id, unsaved, prayerDraftSchema)
  const [offeredDraft, setOfferedDraft] = useState(options.draft ? undefined : draft.before)

  const save = async () => {
    setSaveError(null)
    // The dialog may be closed before the response arrives: the draft stays until the prayer is saved.
    draft.keep()
    const result = await onSave(typed.id, form)
    if (result.success) draft.forget()
    else setSaveError(result.error)
  }

  return {
    form,
    errors,
    saveError,
    saving: busy,
    draft: offeredDraft,
    change: (change: Partial<PrayerForm>) => {
      setTyped({ ...typed, form: { ...typed.form, ...change } })
      setErrors({})
    },
    /** Saves the form if it is valid. Returns what must be corrected first. */
    submit: () => {
      const newErrors = formErrors(form)
      setErrors(newErrors)
      if (Object.keys(newErrors).length === 0) void submit(save)
      return newErrors
    },
    keepDraft: () => {
      if (!busy) draft.keep()
    },
    restoreDraft: () => {
      if (offeredDraft) {
        const { id: draftId, form: drafted } = restored(offeredDraft, initial)
        setTyped({ id: draftId, form: added.reduce(withNote, drafted) })
      }
      setOfferedDraft(undefined)
    },
    /** Adds a shared text to the note, and keeps it as a draft: from then on, it is nowhere else. */
    addToNote: (text: string) => {
      const changed = { id: typed.id, form: withNote(form, text) }
      setTyped(changed)
      setAdded([...added, text])
      draft.keep(changed)
    },
    discardDraft: () => {
      draft.forget(offeredDraft?.id)
      setOfferedDraft(undefined)
    },
  }
}

/** A new prayer has a draft for the category in which it was begun, another one a draft for itself. */
function draftNameOf(mode: 'add' | 'edit', id: string, categoryId: string): DraftName {
  return mode === 'add' ? [...NEW_PRAYER_DRAFTS, categoryId] : [...CHANGED_PRAYER_DRAFTS, id]
}

/** The content of a draft; what it lacks is as in the form that was opened. */
function restored({ id, form }: PrayerDraft, initial: PrayerForm): { id: string; form: PrayerForm } {
  return { id, form: { ...initial, ...form } }
}

/** The form with a text added to its note, unless the note has it already. */
function withNote(form: PrayerForm, text: string): PrayerForm {
  if (form.note.includes(text)) return form
  return { ...form, note: form.note === '' ? text : `${form.note}\n\n${text}` }
}

/** The selected category, unless it has been hidden or deleted in the meantime. */
function selectable(categoryId: string, categories: readonly CardCategory[]): string {
  return categories.some((category) => category.id === categoryId) ? categoryId : ''
}
