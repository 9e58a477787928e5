import { PASSWORD_MAX_BYTES, PASSWORD_MIN_LENGTH } from '#shared/limits.ts'

/** What is wrong with an e-mail address that was typed, or null. `malformed` is what the browser thinks of it. */
export function emailProblem(email: string, malformed: boolean): string | null {
  if (email.trim() === '') return 'Please enter your email address'
  return malformed ? 'Please enter a full email address, like ruth@example.com' : null
}

/** What is wrong with a password to sign in with, or null: only the server knows more. */
export function passwordProblem(password: string): string | null {
  return password === '' ? 'Please enter your password' : null
}

/** What is wrong with a password that is to be set, or null. */
export function newPasswordProblem(password: string): string | null {
  if (password === '') return 'Please choose a password'
  if (password.length < PASSWORD_MIN_LENGTH)
    return `Password must be at least ${PASSWORD_MIN_LENGTH} characters long`
  if (new TextEncoder().encode(password).length > PASSWORD_MAX_BYTES)
    return `Password cannot be longer than ${PASSWORD_MAX_BYTES} characters`
  return null
}

/** What is wrong with the second entry of a new password, or null. */
export function confirmationProblem(password: string, confirmation: string): string | null {
  return password === confirmation ? null : 'Passwords do not match'
}
