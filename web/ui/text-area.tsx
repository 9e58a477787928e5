import type { ComponentProps, InputEvent } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL, Field, type FieldText } from './field.tsx'
import { useLengthLimit } from './length-limit.ts'

interface TextAreaProps extends FieldText, ComponentProps<'textarea'> {}

/** Several lines of text, in the direction in which they are written. */
export function TextArea({ label, error, hint, id, className, onInput, ...rest }: TextAreaProps) {
  const limit = useLengthLimit(rest.maxLength)
  const typed = (event: InputEvent<HTMLTextAreaElement>) => {
    limit.watch(event.currentTarget.value)
    onInput?.(event)
  }
  return (
    <Field id={id} label={label} error={error} hint={hint} limit={limit.message}>
      {(wiring) => (
        <textarea
          dir="auto"
          {...rest}
          {...wiring}
          onInput={typed}
          className={classNames(CONTROL, 'resize-y', className)}
        />
      )}
    </Field>
  )
}
