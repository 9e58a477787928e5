import { boolean, type GenericSchema, object, string } from 'valibot'
import type { NewPrayer, Prayer, PrayerFields } from '#web/data/prayers.ts'

/** The fields of a prayer as controls hold them: a missing note is an empty text. */
export type PrayerForm = { [Name in keyof PrayerFields]: NonNullable<PrayerFields[Name]> }

/** A form that was stored as a draft. */
export const prayerFormSchema = object({
  category_id: string(),
  person_name: string(),
  note: string(),
  resolved: boolean(),
}) satisfies GenericSchema<unknown, PrayerForm>

/** The message below each field that is not valid. */
export type PrayerFormErrors = Partial<Record<keyof PrayerForm, string>>

export function emptyForm(category_id: string): PrayerForm {
  return { category_id, person_name: '', note: '', resolved: false }
}

export function formOf({ category_id, person_name, note, resolved }: Prayer): PrayerForm {
  return { category_id, person_name, note: note ?? '', resolved }
}

/** What must be corrected before the form can be saved; empty if nothing. */
export function formErrors(form: PrayerForm): PrayerFormErrors {
  return {
    ...(form.person_name.trim() === '' && { person_name: 'Please enter a name' }),
    ...(form.category_id === '' && { category_id: 'Please select a category' }),
  }
}

/** The fields to save: the name is trimmed, a blank note becomes null. */
export function prayerFieldsOf(form: PrayerForm): PrayerFields {
  const note = form.note.trim() === '' ? null : form.note
  return { ...form, person_name: form.person_name.trim(), note }
}

/** The fields to save of a new prayer. */
export function newPrayerOf(form: PrayerForm): NewPrayer {
  const { resolved: _notForNewPrayers, ...fields } = prayerFieldsOf(form)
  return fields
}

/** Only the fields that differ, so that changes to other fields on another device are kept. */
export function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {}
  for (const name in after) if (after[name] !== before[name]) changed[name] = after[name]
  return changed
}

/** Whether the form has text that would be lost if it were closed. */
export function hasUnsavedText(form: PrayerForm, initial: PrayerForm): boolean {
  const isUnsaved = (name: 'person_name' | 'note') => form[name] !== initial[name] && form[name].trim() !== ''
  return isUnsaved('person_name') || isUnsaved('note')
}
