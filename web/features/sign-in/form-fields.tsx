import { type InputEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { EMAIL_MAX_LENGTH, PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '#shared/limits.ts'
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

export const MISSING_EMAIL = 'Please enter your email address'

/** The error message for an email address, or null. Whether it is complete is the browser's own check. */
export function emailError(input: HTMLInputElement | null): string | null {
  if (!input || input.value.trim() === '') return MISSING_EMAIL
  return input.validity.typeMismatch ? 'Please enter a full email address, like ruth@example.com' : null
}

/** The error message for a password to sign in with, or null. */
export function passwordError(password: string): string | null {
  return password === '' ? 'Please enter your password' : null
}

/** The error message for a new password, or null. */
export function newPasswordError(password: string): string | null {
  if (password === '') return 'Please choose a password'
  if (password.length < PASSWORD_MIN_LENGTH)
    return `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`
  if (new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES)
    return `Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`
  return null
}

/** The hint below a new password: the rule or, without rejecting the password, that it is one of the most common ones. */
export function useNewPasswordHint() {
  const [isCommon, setIsCommon] = useState(false)
  return {
    hint: isCommon
      ? 'This is one of the most common passwords. Another one protects your prayers better.'
      : `At least ${PASSWORD_MIN_LENGTH} characters`,
    onInput: ({ currentTarget: { value } }: InputEvent<HTMLInputElement>) => {
      import('./common-passwords.ts').then(
        ({ isCommonPassword }) => setIsCommon(isCommonPassword(value)),
        // Offline; the hint is not worth an error message.
        () => undefined,
      )
    },
  }
}

/** The error message for the second entry of a new password, or null. */
export function confirmationError(password: string, confirmation: string): string | null {
  return password === confirmation ? null : 'Passwords do not match'
}
