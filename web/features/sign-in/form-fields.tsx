import { type RefObject, useEffect, useEffectEvent } from 'react'
import { EMAIL_MAX_LENGTH } from '#shared/limits.ts'
import { TextField } from '#web/ui/fields.tsx'

interface EmailFieldProps {
  ref: RefObject<HTMLInputElement | null>
  value: string
  onValue: (value: string) => void
  error: string | null | undefined
}

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

/** Focuses a field when the form appears, unless that would open the keyboard of a touch screen. */
export function useInitialFocus(field: RefObject<HTMLInputElement | null>): void {
  const focus = useEffectEvent(() => field.current?.focus())
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) focus()
  }, [])
}
