import { useState } from 'react'
import type { ActionResult } from '#web/data/make-change.ts'
import { useFieldErrors } from '#web/lib/field-errors.ts'
import { newId } from '#web/lib/new-id.ts'
import type { DraftName } from '#web/lib/storage/drafts.ts'
import { useDraft } from '#web/lib/storage/use-draft.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import type { CardCategory } from './category-card.tsx'
import {
  CHANGED_PRAYER_DRAFTS,
  emptyForm,
  formErrors,
  hasUnsavedText,
  NEW_PRAYER_DRAFTS,
  type PrayerDraft,
  prayerDraftSchema,
  type PrayerForm,
  type RequiredField,
} from './prayer-form.ts'

export interface PrayerFormOptions {
  mode: 'add' | 'edit'
  id: string
  initial: PrayerForm
  /** The categories that can be selected. */
  categories: readonly CardCategory[]
  /** Identifies the drafts of unsaved text. */
  draftName?: DraftName
  /** Whether the form begins with its draft. */
  restore?: boolean | undefined
  /** Saves under the given id, which differs from `id` if a draft was restored. */
  onSave: (id: string, form: PrayerForm) => Promise<ActionResult>
  /** The same, before another prayer is added with this form. Without it, only one can be added. */
  onSaveAnother?: (id: string, form: PrayerForm) => Promise<ActionResult>
}

/** The state of the prayer dialog: its fields, their errors, and saving. */
export function usePrayerForm(options: PrayerFormOptions) {
  const { mode, id, initial, categories, onSave, onSaveAnother = onSave } = options
  const draft = useDraft<PrayerDraft>({
    form: options.draftName ?? draftNameOf(mode, id, initial.category_id),
    schema: prayerDraftSchema,
    initial: { id, form: initial },
    restore: options.restore,
    isUnsaved: (typed) => hasUnsavedText({ ...initial, ...typed.form }, initial),
  })
  /** Shared texts that were added to the note. */
  const [added, setAdded] = useState<readonly string[]>([])
  const { errors, show, recheck } = useFieldErrors<RequiredField>()
  /** Says what was saved before this prayer. */
  const [savedText, setSavedText] = useState<string | null>(null)
  const [saveError, setSaveError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()

  const { typed, offered } = draft
  const complete = (values: PrayerDraft['form']): PrayerForm => ({
    // What a draft lacks is as in the form that was opened.
    ...initial,
    ...values,
    category_id: selectable(values.category_id, categories),
  })
  const form = complete(typed.form)

  const save = async (another: boolean) => {
    setSaveError(null)
    const write = another ? onSaveAnother : onSave
    const result = await draft.save(({ id: typedId }) => write(typedId, form))
    if (!result.success) return setSaveError(result.error)
    if (!another) return undefined
    draft.change({ id: newId(), form: emptyForm(form.category_id) })
    setAdded([])
    const category = categories.find((each) => each.id === form.category_id)
    return setSavedText(
      `${shortName(form.person_name.trim())} was added to ${shortName(category?.name ?? '')}.`,
    )
  }

  return {
    form,
    errors,
    savedText,
    saveError,
    saving: busy,
    offered,
    change: (change: Partial<PrayerForm>) => {
      const changed = { ...typed.form, ...change }
      draft.change({ ...typed, form: changed })
      recheck(formErrors(complete(changed)))
    },
    /**
     * Saves the form if it is valid. Returns what must be corrected first.
     *
     * @param another whether the form is then emptied for another prayer, in the same category
     */
    submit: (another = false) => {
      const newErrors = formErrors(form)
      show(newErrors)
      if (Object.keys(newErrors).length === 0) void submit(() => save(another))
      return newErrors
    },
    restoreDraft: () => {
      draft.restore((drafted) => {
        // Another prayer may have been saved under the same id.
        const isTaken = savedText !== null && drafted.id === id
        return added.reduce(withNote, isTaken ? { ...drafted, id: newId() } : drafted)
      })
      show({})
    },
    discardDraft: draft.discard,
    /** Adds a shared text to the note. */
    addToNote: (text: string) => {
      draft.change(withNote(typed, text))
      setAdded([...added, text])
    },
  }
}

/** A new prayer has a draft for the category in which it was begun, another one a draft for itself. */
function draftNameOf(mode: 'add' | 'edit', id: string, categoryId: string): DraftName {
  return mode === 'add' ? [...NEW_PRAYER_DRAFTS, categoryId] : [...CHANGED_PRAYER_DRAFTS, id]
}

/** What is typed with a text added to the note, unless the note has it already. */
function withNote({ id, form }: PrayerDraft, text: string): PrayerDraft {
  if (form.note.includes(text)) return { id, form }
  return { id, form: { ...form, note: form.note === '' ? text : `${form.note}\n\n${text}` } }
}

/** The selected category, unless it has been hidden or deleted in the meantime. */
function selectable(categoryId: string, categories: readonly CardCategory[]): string {
  return categories.some((category) => category.id === categoryId) ? categoryId : ''
}
