import { useCategories } from '#web/data/categories.ts'
import { type PrayerFields, usePrayerActions } from '#web/data/prayers.ts'
import type { RejectedForm } from '#web/data/rejected-changes.ts'
import { PrayerDialog } from './prayer-dialog.tsx'
import {
  changedFields,
  fieldsOfNewPrayer,
  formOf,
  newPrayerOf,
  type PrayerForm,
  prayerFieldsOf,
  selectableCategories,
} from './prayer-form.ts'

interface CorrectPrayerDialogProps {
  /** Id of the change that could not be saved. */
  changeId: string
  form: Extract<RejectedForm, { kind: 'prayer' }>
  onSaved: () => void
  onClose: () => void
}

/** Corrects a prayer that could not be saved, with everything that was typed. */
export function CorrectPrayerDialog({ changeId, form, onSaved, onClose }: CorrectPrayerDialogProps) {
  const { id, row, fields } = form
  const actions = usePrayerActions()
  const before: PrayerFields = { ...row, ...fields }
  const categories = selectableCategories(useCategories().rows ?? [], before.category_id)
  const save = async (enteredId: string, entered: PrayerForm) => {
    const result = row
      ? await actions.change(row, changedFields<PrayerFields>(row, { ...before, ...prayerFieldsOf(entered) }))
      : await actions.add(enteredId, { ...fieldsOfNewPrayer(fields), ...newPrayerOf(entered) })
    if (result.success) onSaved()
    return result
  }
  return (
    <PrayerDialog
      mode={row ? 'edit' : 'add'}
      id={id}
      initial={formOf(before)}
      categories={categories}
      draftName={['rejected', changeId]}
      onSave={save}
      onClose={onClose}
    />
  )
}
