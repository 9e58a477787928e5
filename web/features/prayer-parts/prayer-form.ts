import { boolean, exactOptional, type InferOutput, nullable, number, object, string } from 'valibot'
import type { Category, NamedCategory } from '#web/data/categories.ts'
import type { NewPrayer, PrayerFields } from '#web/data/prayers.ts'
import type { FieldErrors } from '#web/ui/use-form.ts'
import { NO_SCHEDULE, type Schedule, scheduleFieldsOf, scheduleOf } from './schedule.ts'

/** The fields of a prayer as controls hold them: a missing note is an empty text. */
export interface PrayerForm extends Pick<PrayerFields, 'category_id' | 'person_name' | 'resolved'>, Schedule {
  note: string
}

/**
 * Unsaved text, and the id under which it is saved: if the prayer was saved and only the response was lost, saving again
 * must not add it twice.
 */
export const prayerDraftSchema = object({
  id: string(),
  form: object({
    category_id: string(),
    person_name: string(),
    note: string(),
    resolved: boolean(),
    // Older versions of the app have written drafts without a schedule, or without a repetition.
    due_on: exactOptional(string()),
    due_repeats: exactOptional(nullable(string())),
    pray_days: exactOptional(number()),
    resting_until: exactOptional(string()),
  }),
})
export type PrayerDraft = InferOutput<typeof prayerDraftSchema>

/** The names of the drafts of new prayers, by the category in which they were begun, and of changed ones. */
export const NEW_PRAYER_DRAFTS = ['new-prayer']
export const CHANGED_PRAYER_DRAFTS = ['prayer']

type RequiredField = 'category_id' | 'person_name'

export function emptyForm(category_id: string): PrayerForm {
  return { category_id, person_name: '', note: '', resolved: false, ...NO_SCHEDULE }
}

export function formOf(fields: PrayerFields): PrayerForm {
  const { category_id, person_name, note, resolved } = fields
  return { category_id, person_name, note: note ?? '', resolved, ...scheduleOf(fields) }
}

/** The categories that a prayer can be in: the visible ones, and its own even if that is hidden. */
export function selectableCategories(categories: readonly Category[], ownId: string): NamedCategory[] {
  return categories
    .filter(({ id, is_visible: isVisible }) => isVisible || id === ownId)
    .map(({ id, name, is_visible: isVisible }) => ({ id, name: isVisible ? name : `${name} (hidden)` }))
}

/** What must be corrected before the form can be saved; empty if nothing. */
export function formErrors(form: Pick<PrayerForm, RequiredField>): FieldErrors<RequiredField> {
  return {
    ...(form.person_name.trim() === '' && { person_name: 'Please enter a name' }),
    ...(form.category_id === '' && { category_id: 'Please select a category' }),
  }
}

/** The fields to save: the name is trimmed; a blank note, and what is unused of the schedule, become null. */
export function prayerFieldsOf(form: PrayerForm): PrayerFields {
  const note = form.note.trim() === '' ? null : form.note
  return { ...form, person_name: form.person_name.trim(), note, ...scheduleFieldsOf(form) }
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

/** Whether the form has a text, or a schedule for a name, that would be lost if it were closed. */
export function hasUnsavedText(form: PrayerForm, initial: PrayerForm): boolean {
  const isUnsaved = (name: 'person_name' | 'note') => form[name] !== initial[name] && form[name].trim() !== ''
  const rescheduled = changedFields(scheduleFieldsOf(initial), scheduleFieldsOf(form))
  const isRescheduled = Object.keys(rescheduled).length > 0
  return isUnsaved('person_name') || isUnsaved('note') || (isRescheduled && form.person_name.trim() !== '')
}
