import { isAuthError, type User } from '@supabase/auth-js'
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { type Proof, sendCode } from '#web/lib/session/change-account.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { Button, type ButtonVariant } from '#web/ui/button.tsx'
import { InlineError, PasswordField, TextField } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { SECTION_BUTTONS } from './settings-section.tsx'

/** How users prove who they are: by their password, by having signed in lately, or by a code sent to their address. */
type Method = 'password' | 'recent-sign-in' | 'code'

const PROOF_ERRORS = new Map([
  ['current_password_invalid', 'This is not your current password'],
  ['reauthentication_not_valid', 'This code is wrong or too old'],
])

/** Errors that mean that the account has no confirmed address, to which a code could be sent. */
const NO_ADDRESS = new Set<unknown>(['validation_failed', 'email_not_confirmed'])
const SIGN_IN_AGAIN =
  'This is only possible shortly after signing in. Please sign out, sign in again, and then come back here.'

interface ChangeFormProps {
  user: User
  /** What the user wants, for error messages. */
  operation: Operation
  submitLabel: string
  submitVariant?: ButtonVariant
  /** The first proof that is tried. `recent-sign-in` asks for nothing unless the server wants more. */
  begin?: Method
  /** Whether the other fields are valid; otherwise they say so. */
  check: () => boolean
  /** Makes the change. */
  save: (proof: Proof) => Promise<void>
  onCancel: () => void
  /** The fields before the proof. */
  children: ReactNode
}

/** A form for what takes a proof: the password, if there is one; a code for users who have forgotten it or not signed in lately. */
export function ChangeForm({
  user,
  operation,
  submitLabel,
  submitVariant = 'primary',
  begin = hasPassword(user) ? 'password' : 'recent-sign-in',
  check,
  save,
  onCancel,
  children,
}: ChangeFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const [method, setMethod] = useState(begin)
  const [proofError, setProofError] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()

  useEffect(() => {
    // The field has just appeared, below the others.
    if (method !== begin) field.current?.focus()
  }, [method, begin])
  const rejectProof = (message: string) => {
    setProofError(message)
    field.current?.focus()
    field.current?.select()
  }
  const askForCode = async () => {
    setError(null)
    setProofError(null)
    try {
      await sendCode()
      setMethod('code')
    } catch (failure) {
      const message = reportError('send the code', failure)
      setError(method === 'recent-sign-in' && NO_ADDRESS.has(codeOf(failure)) ? SIGN_IN_AGAIN : message)
    }
  }
  const explain = async (failure: unknown) => {
    const message = reportError(operation, failure)
    const code = codeOf(failure)
    const wrongProof = PROOF_ERRORS.get(code ?? '')
    if (wrongProof !== undefined) return rejectProof(wrongProof)
    if (code !== 'reauthentication_needed') return setError(message)
    if (method === 'code') return setError(SIGN_IN_AGAIN)
    if (method === 'recent-sign-in' && hasPassword(user)) setMethod('password')
    else await askForCode()
  }
  const send = async (proof: Proof) => {
    try {
      await save(proof)
    } catch (failure) {
      await explain(failure)
    }
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    const isValid = check()
    const typed = field.current?.value ?? ''
    setError(null)
    if (!isValid) return
    if (method !== 'recent-sign-in' && typed.trim() === '')
      return rejectProof(method === 'code' ? 'Please enter the code' : 'Please enter your current password')
    void submit(() => send(proofIn(method, typed)))
  }
  return (
    <form
      noValidate
      onSubmit={handleSubmit}
      onInput={() => setProofError(null)}
      className="flex max-w-form flex-col gap-4"
    >
      {error && <InlineError>{error}</InlineError>}
      {/* Password managers know by it whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      {children}
      {method === 'password' && (
        <PasswordField
          ref={field}
          label="Current password"
          name="current-password"
          required
          autoComplete="current-password"
          error={proofError}
          hint={begin === 'password' ? undefined : 'To confirm that it is you'}
        />
      )}
      {method === 'code' && (
        <TextField
          ref={field}
          label="Code"
          name="code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          error={proofError}
          hint={`To confirm that it is you: it was sent to ${user.email ?? 'your address'} just now.`}
        />
      )}
      {method === 'password' && (
        <Button variant="ghost" className="-mx-4 self-start" onClick={() => void submit(askForCode)}>
          Use a code sent by email instead
        </Button>
      )}
      <div className={SECTION_BUTTONS}>
        <Button type="submit" variant={submitVariant} loading={busy}>
          {submitLabel}
        </Button>
        <Button disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface ConfirmFormProps extends Omit<ChangeFormProps, 'begin' | 'check'> {
  /** What the change does. */
  children: ReactNode
}

/** The same form for a change that needs nothing but the proof: a text instead of fields. */
export function ConfirmForm({ children, ...form }: ConfirmFormProps) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <ChangeForm {...form} begin="recent-sign-in" check={() => true}>
      <p ref={text} tabIndex={-1}>
        {children}
      </p>
    </ChangeForm>
  )
}

function codeOf(failure: unknown): string | undefined {
  return isAuthError(failure) ? failure.code : undefined
}

function proofIn(method: Method, typed: string): Proof {
  if (method === 'recent-sign-in') return {}
  return method === 'code' ? { nonce: typed.trim() } : { current_password: typed }
}
