import type { ComponentProps, InputEvent } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL, Field, type FieldText } from './field.tsx'
import { useLengthLimit } from './length-limit.ts'

interface TextFieldProps extends FieldText, ComponentProps<'input'> {}

/** One line of text, in the direction in which it is written. */
export function TextField({ label, error, hint, id, className, onInput, ...rest }: TextFieldProps) {
  const limit = useLengthLimit(rest.maxLength)
  const typed = (event: InputEvent<HTMLInputElement>) => {
    limit.watch(event.currentTarget.value)
    onInput?.(event)
  }
  return (
    <Field id={id} label={label} error={error} hint={hint} limit={limit.message}>
      {(wiring) => (
        <input
          type="text"
          dir="auto"
          {...rest}
          {...wiring}
          onInput={typed}
          className={classNames(CONTROL, className)}
        />
      )}
    </Field>
  )
}
