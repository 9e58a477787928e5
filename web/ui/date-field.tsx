import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Choice, Choices } from './choices.tsx'
import { CONTROL, Field, type FieldText } from './fields.tsx'

interface DateFieldProps extends Omit<FieldText, 'error'> {
  /** For example `2026-11-27`; empty for no date. */
  value: string
  /** The last day that is accepted, because those after it are in the future; by default there is none. */
  last?: string
  /** Days that can be chosen in one tap, before the field. */
  suggestions?: readonly { label: string; day: string }[]
  /** Shown below the field. */
  children?: ReactNode
  onChange: (value: string) => void
}

/** Years outside of these are typing errors, and the database rejects them. */
const [EARLIEST, LATEST] = ['1900-01-01', '2199-12-31']

/**
 * A date, with a button to clear it. It shows its error when the focus leaves it, and when its validity is checked
 * (`checkValidity`): a date that is typed in part has no value.
 */
export function DateField({ label, hint, value, last, suggestions, children, onChange }: DateFieldProps) {
  const ref = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)
  const showError = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
    setError(errorText(currentTarget))
  const set = (day: string) => {
    // What is typed in part is not part of the value.
    if (ref.current) ref.current.value = day
    setError(null)
    onChange(day)
  }
  const clear = () => {
    set('')
    ref.current?.focus()
  }
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <div className="flex flex-col gap-2">
          {suggestions && (
            <Choices label={`Suggestions for “${label}”`}>
              {suggestions.map((suggestion) => (
                <Choice
                  key={suggestion.label}
                  chosen={suggestion.day === value}
                  onClick={() => set(suggestion.day === value ? '' : suggestion.day)}
                >
                  {suggestion.label}
                </Choice>
              ))}
            </Choices>
          )}
          <div className="flex flex-wrap gap-x-1">
            <input
              {...control}
              ref={ref}
              type="date"
              min={EARLIEST}
              max={last ?? LATEST}
              value={value}
              className={CONTROL}
              onChange={({ currentTarget }) => {
                // While the user types, an error disappears as soon as the date is valid, and none appears.
                if (error !== null) setError(errorText(currentTarget))
                onChange(currentTarget.value)
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
          {children}
        </div>
      )}
    </Field>
  )
}

function errorText({ validity, max }: HTMLInputElement): string | null {
  if (validity.badInput) return 'Please enter a complete date'
  if (validity.rangeOverflow && max !== LATEST) return 'The date cannot be in the future'
  return validity.rangeOverflow || validity.rangeUnderflow ? 'Please check the year' : null
}
