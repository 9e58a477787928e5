import { type SyntheticEvent, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { CONTROL, Field, type FieldText } from './fields.tsx'

interface DateFieldProps extends Omit<FieldText, 'error'> {
  /** For example `2026-11-27`; empty for no date. */
  value: string
  onChange: (value: string) => void
}

/** Years outside of these are typing errors. */
const [EARLIEST, LATEST] = ['1900-01-01', '9999-12-31']

/**
 * A date, with a button to clear it. It shows its error when the focus leaves it, and when its validity is checked
 * (`checkValidity`): a date that is typed in part has no value.
 */
export function DateField({ label, hint, value, onChange }: DateFieldProps) {
  const ref = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)
  const showError = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
    setError(errorText(currentTarget.validity))
  const clear = () => {
    // What is typed in part is not part of the value.
    if (ref.current) ref.current.value = ''
    ref.current?.focus()
    setError(null)
    onChange('')
  }
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div className="flex flex-wrap gap-x-1">
          <input
            {...control}
            ref={ref}
            type="date"
            min={EARLIEST}
            max={LATEST}
            value={value}
            className={CONTROL}
            onChange={(event) => {
              setError(null)
              onChange(event.currentTarget.value)
            }}
            onBlur={showError}
            onInvalid={showError}
          />
          {(value !== '' || error !== null) && (
            <Button
              variant="ghost"
              className="-me-4 ms-auto text-sm"
              aria-label={`Clear “${label}”`}
              // Pressing it does not show an error first, which would move it.
              onPointerDown={(event) => event.preventDefault()}
              onClick={clear}
            >
              Clear
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

function errorText({ badInput, rangeOverflow, rangeUnderflow }: ValidityState): string | null {
  if (badInput) return 'Please enter a complete date'
  return rangeOverflow || rangeUnderflow ? 'Please check the year' : null
}
