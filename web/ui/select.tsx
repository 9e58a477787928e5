import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL, Field, type FieldText } from './field.tsx'
import { ChevronDownIcon } from './icons/navigation-icons.tsx'

export interface SelectOption {
  value: string
  label: string
}

interface SelectProps extends FieldText, Omit<ComponentProps<'select'>, 'children'> {
  /** Shown while nothing is chosen (value ''). */
  placeholder: string
  options: readonly SelectOption[]
}

/** One choice out of a list: the browser's own control, so that it behaves as people know it. */
export function Select({ label, error, hint, id, placeholder, options, className, ...rest }: SelectProps) {
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      {(wiring) => (
        <div className="relative">
          <select {...rest} {...wiring} className={classNames(CONTROL, 'appearance-none pr-10', className)}>
            <option value="">{placeholder}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDownIcon className="pointer-events-none absolute top-3 right-3 text-ink-faint" />
        </div>
      )}
    </Field>
  )
}
