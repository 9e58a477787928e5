import { useRef, useState } from 'react'
import { object, string } from 'valibot'
import { useDraft } from '#web/lib/drafts.ts'
import type { ActionResult } from '#web/data/change-list.ts'
import {
  formErrors,
  hasUnsavedText,
  type PrayerForm,
  type PrayerFormErrors,
  prayerFormSchema,
} from './prayer-form.ts'
import type { PrayerCategory } from './prayer-category.ts'

interface PrayerFormOptions {
  mode: 'add' | 'edit'
  id: string
  start: PrayerForm
  categories: readonly PrayerCategory[]
  onSave: (id: string, form: PrayerForm) => Promise<ActionResult>
}

/** The text, and the id of the prayer: an earlier attempt to save it may have succeeded although it got no response. */
const PRAYER_DRAFT = object({ id: string(), form: prayerFormSchema })

/** The state of the prayer dialog: what is typed, what is wrong with it, and how saving it goes. */
export function usePrayerForm({ mode, id, start, categories, onSave }: PrayerFormOptions) {
  const [typed, setTyped] = useState({ id, form: start })
  const [errors, setErrors] = useState<PrayerFormErrors>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const busy = useRef(false)

  const form = { ...typed.form, categoryId: choosable(typed.form.categoryId, categories) }
  const unsaved = hasUnsavedText(form, start) ? { id: typed.id, form } : null
  const draft = useDraft(mode === 'add' ? ['prayer'] : ['prayer', id], unsaved, PRAYER_DRAFT)
  const [offered, setOffered] = useState(draft.before)

  const save = async () => {
    busy.current = true
    setSaving(true)
    setRefusal(null)
    // The dialog may be closed before the answer comes: what is typed is kept until it is known to be saved.
    draft.keep()
    const result = await onSave(typed.id, form)
    if (result.success) draft.forget()
    else setRefusal(result.error)
    setSaving(false)
    busy.current = false
  }

  return {
    form,
    errors,
    refusal,
    saving,
    draft: offered,
    change: (change: Partial<PrayerForm>) => {
      setTyped({ ...typed, form: { ...typed.form, ...change } })
      setErrors({})
    },
    submit: () => {
      const wrong = formErrors(form)
      setErrors(wrong)
      if (Object.keys(wrong).length === 0 && !busy.current) void save()
      return wrong
    },
    keepDraft: () => {
      if (!busy.current) draft.keep()
    },
    restoreDraft: () => {
      if (offered) setTyped(offered)
      setOffered(undefined)
    },
  }
}

/** The chosen category, unless it has been hidden or deleted meanwhile. */
function choosable(categoryId: string, categories: readonly PrayerCategory[]): string {
  return categories.some((category) => category.id === categoryId) ? categoryId : ''
}
