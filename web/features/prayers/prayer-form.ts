import { boolean, type InferOutput, object, string } from 'valibot'
import type { NewPrayer, Prayer, PrayerFields } from '#web/data/prayers.ts'

export const prayerFormSchema = object({
  categoryId: string(),
  name: string(),
  note: string(),
  resolved: boolean(),
})

/** A prayer as it is being typed. */
export type PrayerForm = InferOutput<typeof prayerFormSchema>

export type PrayerFormErrors = { name?: string; categoryId?: string }

/** A new prayer: nothing said yet, in the category whose card was used. */
export function emptyForm(categoryId: string): PrayerForm {
  return { categoryId, name: '', note: '', resolved: false }
}

export function formOf(prayer: Prayer): PrayerForm {
  return {
    categoryId: prayer.category_id,
    name: prayer.person_name,
    note: prayer.note ?? '',
    resolved: prayer.resolved,
  }
}

/** What keeps the form from being saved; empty if nothing does. */
export function formErrors(form: PrayerForm): PrayerFormErrors {
  return {
    ...(form.name.trim() === '' && { name: 'Please enter a name' }),
    ...(form.categoryId === '' && { categoryId: 'Please select a category' }),
  }
}

/** The form as it is kept: the name trimmed, a blank note left out. */
export function prayerFieldsOf(form: PrayerForm): PrayerFields {
  return {
    category_id: form.categoryId,
    person_name: form.name.trim(),
    note: form.note.trim() === '' ? null : form.note,
    resolved: form.resolved,
  }
}

/** The same for a new prayer. */
export function newPrayerOf(form: PrayerForm): NewPrayer {
  const { resolved: _always, ...fields } = prayerFieldsOf(form)
  return fields
}

/** Whether something was typed that would be missed. */
export function hasUnsavedText(form: PrayerForm, start: PrayerForm): boolean {
  return (
    (form.name !== start.name && form.name.trim() !== '') ||
    (form.note !== start.note && form.note.trim() !== '')
  )
}
