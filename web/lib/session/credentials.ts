import { type InputEvent, useState } from 'react'
import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '#shared/limits.ts'

export const MISSING_EMAIL = 'Please enter your email address'

/** The error message for an email address, or null. Whether it is complete is the browser's own check. */
export function emailError(address: string): string | null {
  if (address.trim() === '') return MISSING_EMAIL
  const input = Object.assign(document.createElement('input'), { type: 'email', value: address })
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
