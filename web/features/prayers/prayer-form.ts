import { isRecord } from '#shared/is-record.ts'
import type { NewPrayer, PrayerFields } from '#web/data/prayers.ts'

/** The fields of a prayer as controls hold them: a missing note is an empty text. */
export interface PrayerForm extends Pick<PrayerFields, 'category_id' | 'person_name' | 'resolved'> {
  note: string
}

/**
 * Unsaved text, and the id under which it is saved: if the prayer was saved and only the response was lost, saving again
 * must not add it twice.
 */
export interface PrayerDraft {
  id: string
  form: PrayerForm
}

/** Checks a stored draft. */
export function isPrayerDraft(value: unknown): value is PrayerDraft {
  if (!isRecord(value) || typeof value['id'] !== 'string' || !isRecord(value['form'])) return false
  const { category_id: categoryId, person_name: name, note, resolved } = value['form']
  const texts = [categoryId, name, note]
  return texts.every((text) => typeof text === 'string') && typeof resolved === 'boolean'
}

/** The names of the drafts of new prayers, by the category in which they were begun, and of changed ones. */
export const NEW_PRAYER_DRAFTS = ['new-prayer']
export const CHANGED_PRAYER_DRAFTS = ['prayer']

/** The message below each field that is not valid. */
export type PrayerFormErrors = Partial<Record<keyof PrayerForm, string>>

export function emptyForm(category_id: string): PrayerForm {
  return { category_id, person_name: '', note: '', resolved: false }
}

export function formOf({ category_id, person_name, note, resolved }: PrayerFields): PrayerForm {
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
  return fieldsOfNewPrayer(prayerFieldsOf(form))
}

/** The fields that a new prayer can have. */
export function fieldsOfNewPrayer(given: PrayerFields): NewPrayer {
  const { resolved: _resolved, answered_on: _answeredOn, answer: _answer, ...fields } = given
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
