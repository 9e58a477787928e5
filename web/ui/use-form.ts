import { type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSubmission } from './use-submission.ts'

/** The message below each field that is not valid, by the name of the field. */
export type FieldErrors<Field extends string> = Partial<Record<Field, string | null>>

/** Reads the value of a field of the form, by its name; empty if the form has no such field, or it is not checked. */
export type ReadField = (name: string) => string

export interface FormOutcome<Field extends string = never> {
  /** Why nothing was saved. */
  error?: string | null
  /** The same about single fields, of which the first gets the focus. */
  errors?: FieldErrors<Field>
  /** Whether its text is also selected, so that typing replaces it. */
  select?: boolean
  /** As for a submission. */
  busy?: boolean
  success?: boolean
}

type Save<Field extends string> = (read: ReadField) => Promise<void | FormOutcome<Field>>

interface FormOptions<Field extends string> {
  /** What has to be corrected before the form can be submitted. */
  check?: (read: ReadField) => FieldErrors<Field>
  /** Saves a form in which nothing has to be corrected. */
  save: Save<NoInfer<Field>>
  /** Focuses what has to be corrected; by default the first field with an error. */
  onInvalid?: (errors: FieldErrors<Field>) => void
}

/**
 * A form: its errors, and submitting it. Its values are where the caller keeps them, in the fields or in a state. Errors appear when
 * the form is submitted; while the user types, each one disappears as soon as its field is valid, and no other appears.
 */
export function useForm<Field extends string = never>({ check, save, onInvalid }: FormOptions<Field>) {
  const ref = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState<FieldErrors<Field>>({})
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()

  const read: ReadField = (name) => {
    const field = ref.current?.elements.namedItem(name)
    if (field instanceof HTMLInputElement && field.type === 'checkbox' && !field.checked) return ''
    return field && 'value' in field && typeof field.value === 'string' ? field.value : ''
  }
  const findInvalid = () => ref.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')
  /** Shows errors, and focuses the first field that has one. */
  const show = (found: FieldErrors<Field>) => {
    flushSync(() => setErrors(found))
    if (onInvalid) onInvalid(found)
    else findInvalid()?.focus()
  }
  /** Saves, or does something else with the form, without checking it. */
  const run = (action: Save<Field> = save) =>
    void submit(async () => {
      setError(null)
      const outcome = await action(read)
      if (typeof outcome !== 'object') return undefined
      if (outcome.errors) show(outcome.errors)
      if (outcome.select) findInvalid()?.select()
      setError(outcome.error ?? null)
      return { busy: outcome.busy ?? false }
    })
  /** Does the same if nothing has to be corrected, and otherwise says what. */
  const submitForm = (action: Save<Field> = save) => {
    if (busy || !ref.current) return
    const date = invalidDate(ref.current)
    if (date) return date.focus()
    const found = check?.(read) ?? {}
    setError(null)
    show(found)
    if (Object.values(found).every((message) => !message)) run(action)
  }
  return {
    errors,
    /** What went wrong when it was saved; null if nothing. */
    error,
    busy,
    run,
    submit: submitForm,
    show,
    /** Hides the error of a control that reports no change to the form. */
    clear: (field: Field) => setErrors((shown) => ({ ...shown, [field]: null })),
    /** For the form element. */
    props: {
      ref,
      noValidate: true,
      onSubmit: (event: SubmitEvent) => {
        event.preventDefault()
        submitForm()
      },
      onChange: () => {
        const found = check?.(read) ?? {}
        setErrors((shown) => stillInvalid(shown, found))
      },
    },
  }
}

/** What shows a form: see FormDialog. */
export type Form = Pick<ReturnType<typeof useForm>, 'props' | 'error' | 'busy'>

function stillInvalid<Field extends string>(
  shown: FieldErrors<Field>,
  found: FieldErrors<Field>,
): FieldErrors<Field> {
  if (Object.keys(shown).length === 0) return shown
  const left: FieldErrors<Field> = {}
  for (const field in shown) if (shown[field] && found[field]) left[field] = found[field]
  return left
}

/** The first date that has no valid value; its field then shows the error. */
function invalidDate(form: HTMLFormElement): HTMLInputElement | undefined {
  return [...form.querySelectorAll<HTMLInputElement>('input[type="date"]')].find(
    (input) => !input.checkValidity(),
  )
}
