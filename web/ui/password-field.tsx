import { type ComponentProps, useState } from 'react'
import { classNames } from './class-names.ts'
import { CONTROL, Field, type FieldText } from './field.tsx'
import { IconButton } from './icon-button.tsx'
import { EyeIcon, EyeOffIcon } from './icons/visibility-icons.tsx'

interface PasswordFieldProps extends FieldText, Omit<ComponentProps<'input'>, 'type'> {
  autoComplete: 'current-password' | 'new-password'
}

/** A password that can be looked at while it is typed. */
export function PasswordField({ label, error, hint, id, className, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      {(wiring) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...rest}
            {...wiring}
            type={shown ? 'text' : 'password'}
            className={classNames(CONTROL, 'pr-12', className)}
          />
          <IconButton
            label={shown ? 'Hide password' : 'Show password'}
            className="absolute top-0 right-0"
            onClick={() => setShown(!shown)}
          >
            {shown ? <EyeOffIcon /> : <EyeIcon />}
          </IconButton>
        </div>
      )}
    </Field>
  )
}
