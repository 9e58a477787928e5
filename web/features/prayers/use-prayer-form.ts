import { useRef, useState } from 'react'
import { object, string } from 'valibot'
import type { ActionResult } from '#web/data/change-list.ts'
import { useDraft } from '#web/lib/use-draft.ts'
import { reportError } from '#web/lib/error-message.ts'
import type { CardCategory } from './category-card.tsx'
import {
  formErrors,
  hasUnsavedText,
  type PrayerForm,
  type PrayerFormErrors,
  prayerFormSchema,
} from './prayer-form.ts'

export interface PrayerFormOptions {
  mode: 'add' | 'edit'
  id: string
  initial: PrayerForm
  /** The categories that can be selected. */
  categories: readonly CardCategory[]
  /** Saves under the given id, which differs from `id` if a draft was restored. */
  onSave: (id: string, form: PrayerForm) => Promise<ActionResult>
}

/**
 * Unsaved text and the id that the prayer was to get: if it was saved and only the response was lost, saving it again
 * must not add it twice.
 */
const PRAYER_DRAFT = object({ id: string(), form: prayerFormSchema })

/** The state of the prayer dialog: its fields, their errors, and saving. */
export function usePrayerForm({ mode, id, initial, categories, onSave }: PrayerFormOptions) {
  const [typed, setTyped] = useState({ id, form: initial })
  const [errors, setErrors] = useState<PrayerFormErrors>({})
  const [saveError, setSaveError] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  // State changes take effect with the next render; two clicks can come before it.
  const isSaving = useRef(false)

  const form = { ...typed.form, category_id: selectable(typed.form.category_id, categories) }
  const unsaved = hasUnsavedText(form, initial) ? { id: typed.id, form } : null
  const draft = useDraft(mode === 'add' ? ['prayer'] : ['prayer', id], unsaved, PRAYER_DRAFT)
  const [offeredDraft, setOfferedDraft] = useState(draft.before)

  const save = async () => {
    isSaving.current = true
    setSaving(true)
    setSaveError(null)
    // The dialog may be closed before the response arrives: the draft stays until the prayer is saved.
    draft.keep()
    try {
      const result = await onSave(typed.id, form)
      if (result.success) draft.forget()
      else setSaveError(result.error)
    } catch (failure) {
      setSaveError(reportError(mode === 'add' ? 'add prayer' : 'update prayer', failure))
    } finally {
      setSaving(false)
      isSaving.current = false
    }
  }

  return {
    form,
    errors,
    saveError,
    saving,
    draft: offeredDraft,
    change: (change: Partial<PrayerForm>) => {
      setTyped({ ...typed, form: { ...typed.form, ...change } })
      setErrors({})
    },
    /** Saves the form if it is valid. Returns what must be corrected first. */
    submit: () => {
      const newErrors = formErrors(form)
      setErrors(newErrors)
      if (Object.keys(newErrors).length === 0 && !isSaving.current) void save()
      return newErrors
    },
    keepDraft: () => {
      if (!isSaving.current) draft.keep()
    },
    restoreDraft: () => {
      if (offeredDraft) setTyped(offeredDraft)
      setOfferedDraft(undefined)
    },
  }
}

/** The selected category, unless it has been hidden or deleted in the meantime. */
function selectable(categoryId: string, categories: readonly CardCategory[]): string {
  return categories.some((category) => category.id === categoryId) ? categoryId : ''
}
