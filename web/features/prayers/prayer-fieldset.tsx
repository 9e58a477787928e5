import { type SubmitEvent, type KeyboardEvent, type RefObject, useRef } from 'react'
import { NOTE_MAX_LENGTH, PERSON_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { Checkbox, Select, TextArea, TextField } from '#web/ui/fields.tsx'
import type { PrayerForm, PrayerFormErrors } from './prayer-form.ts'
import type { PrayerCategory } from './prayer-category.ts'

interface PrayerFieldsetProps {
  formId: string
  nameRef: RefObject<HTMLInputElement | null>
  form: PrayerForm
  errors: PrayerFormErrors
  categories: readonly PrayerCategory[]
  withResolved: boolean
  onChange: (change: Partial<PrayerForm>) => void
  /** Says what keeps the form from being saved; nothing if it is being saved. */
  onSubmit: () => PrayerFormErrors
}

/** The fields of a prayer. Enter in Name saves, and so does Ctrl or Cmd with Enter in the note. */
export function PrayerFieldset(props: PrayerFieldsetProps) {
  const { formId, nameRef, form, errors, categories, withResolved, onChange, onSubmit } = props
  const categoryRef = useRef<HTMLSelectElement>(null)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const missing = onSubmit()
    if (missing.categoryId) categoryRef.current?.focus()
    else if (missing.name) nameRef.current?.focus()
  }
  return (
    <form id={formId} noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Select
        ref={categoryRef}
        label="Category"
        placeholder="Select a category"
        options={categories.map((category) => ({ value: category.id, label: category.name }))}
        value={form.categoryId}
        error={errors.categoryId}
        required
        onChange={(event) => onChange({ categoryId: event.currentTarget.value })}
      />
      <TextField
        ref={nameRef}
        label="Name"
        placeholder="Enter person's name"
        autoComplete="off"
        maxLength={PERSON_NAME_MAX_LENGTH}
        value={form.name}
        error={errors.name}
        required
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextArea
        label="Prayer Details (Optional)"
        rows={4}
        maxLength={NOTE_MAX_LENGTH}
        value={form.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
        onKeyDown={saveByKey}
      />
      {withResolved && (
        <Checkbox
          label="Mark as resolved"
          checked={form.resolved}
          onChange={(event) => onChange({ resolved: event.currentTarget.checked })}
        />
      )}
    </form>
  )
}

function saveByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
