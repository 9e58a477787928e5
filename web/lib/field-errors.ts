import { useState } from 'react'

/** The message below each field that is not valid. */
export type FieldErrors<Field extends string> = Partial<Record<Field, string | null>>

/**
 * The errors of a form's fields. They appear when the form is submitted (`show`). While the user types (`recheck`), each one
 * disappears as soon as its field is valid, and no other appears.
 */
export function useFieldErrors<Field extends string>() {
  const [errors, setErrors] = useState<FieldErrors<Field>>({})
  return {
    errors,
    show: setErrors,
    recheck: (found: FieldErrors<Field>) => setErrors((shown) => stillInvalid(shown, found)),
  }
}

function stillInvalid<Field extends string>(
  shown: FieldErrors<Field>,
  found: FieldErrors<Field>,
): FieldErrors<Field> {
  const left: FieldErrors<Field> = {}
  for (const field in shown) if (shown[field] && found[field]) left[field] = found[field]
  return left
}
