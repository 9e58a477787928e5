import type { RefObject } from 'react'
import { EMAIL_MAX_LENGTH } from '#shared/limits.ts'
import { TextField } from '#web/ui/fields.tsx'

interface EmailFieldProps {
  ref: RefObject<HTMLInputElement | null>
  value: string
  onValue: (value: string) => void
  error: string | null
}

/** An e-mail address, as password managers and telephone keyboards know it. */
export function EmailField({ ref, value, onValue, error }: EmailFieldProps) {
  return (
    <TextField
      ref={ref}
      label="Email"
      type="email"
      name="email"
      required
      autoComplete="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={EMAIL_MAX_LENGTH}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      error={error}
    />
  )
}
