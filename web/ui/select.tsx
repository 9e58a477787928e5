import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL, Field, type FieldText } from './fields.tsx'
import { ChevronDownIcon } from './icons.tsx'

export interface SelectOption {
  value: string
  label: string
}

interface SelectProps extends FieldText, Omit<ComponentProps<'select'>, 'children'> {
  /** Shown while the value is empty; without it, the value never is. */
  placeholder?: string
  options: readonly SelectOption[]
}

/** A native select. */
export function Select({ label, error, hint, id, placeholder, options, className, ...rest }: SelectProps) {
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      {(control) => (
        <div className="relative">
          <select {...rest} {...control} className={classNames(CONTROL, 'appearance-none pr-10', className)}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronDownIcon className="pointer-events-none absolute inset-y-0 right-3 my-auto text-ink-faint" />
        </div>
      )}
    </Field>
  )
}
