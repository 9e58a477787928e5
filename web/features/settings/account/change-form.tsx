import { isAuthError, type User } from '@supabase/auth-js'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { type Proof, sendCode } from '#web/lib/session/change-account.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { Button, type ButtonVariant } from '#web/ui/button.tsx'
import { PasswordField, TextField } from '#web/ui/fields.tsx'
import { type FieldErrors, type FormOutcome, type ReadField, useForm } from '#web/ui/use-form.ts'
import { SectionForm } from '../settings-section.tsx'

/** How users prove who they are: by their password, by having signed in lately, or by a code sent to their address. */
type Method = 'password' | 'recent-sign-in' | 'code'

/** What can be changed, and the proof. */
type Field = 'name' | 'email' | 'password' | 'proof'

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
  /** What has to be corrected in the fields before the proof. */
  check: (read: ReadField) => FieldErrors<Field>
  /** Makes the change. */
  save: (proof: Proof, read: ReadField) => Promise<void>
  onCancel: () => void
  /** Whether the proof comes before the other fields. */
  proofFirst?: boolean
  children: (errors: FieldErrors<Field>) => ReactNode
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
  proofFirst = false,
  children,
}: ChangeFormProps) {
  const [method, setMethod] = useState(begin)
  const proofField = method === 'code' ? 'code' : 'current-password'
  const askForCode = async (): Promise<FormOutcome> => {
    try {
      await sendCode()
      setMethod('code')
      return { errors: {} }
    } catch (failure) {
      const error = reportError('send the code', failure)
      return {
        errors: {},
        error: method === 'recent-sign-in' && NO_ADDRESS.has(codeOf(failure)) ? SIGN_IN_AGAIN : error,
      }
    }
  }
  const explain = async (failure: unknown): Promise<FormOutcome<Field>> => {
    const error = reportError(operation, failure)
    const code = codeOf(failure)
    const wrongProof = PROOF_ERRORS.get(code ?? '')
    if (wrongProof !== undefined) return { errors: { proof: wrongProof }, select: true }
    if (code !== 'reauthentication_needed') return { error }
    if (method === 'code') return { error: SIGN_IN_AGAIN }
    if (method !== 'recent-sign-in' || !hasPassword(user)) return askForCode()
    setMethod('password')
    return {}
  }
  const form = useForm<Field>({
    check: (read) => {
      const found = check(read)
      const isProven = method === 'recent-sign-in' || read(proofField).trim() !== ''
      if (isProven || Object.values(found).some(Boolean)) return found
      return { proof: method === 'code' ? 'Please enter the code' : 'Please enter your current password' }
    },
    save: async (read) => {
      try {
        await save(proofIn(method, read(proofField)), read)
        return {}
      } catch (failure) {
        return explain(failure)
      }
    },
  })
  const { ref } = form.props
  useEffect(() => {
    // The field has just appeared.
    if (method !== begin) ref.current?.querySelector<HTMLElement>(`[name="${proofField}"]`)?.focus()
  }, [method, begin, ref, proofField])
  const proof = (
    <>
      {method === 'password' && (
        <PasswordField
          label="Current password"
          name={proofField}
          required
          autoComplete="current-password"
          error={form.errors.proof}
          hint={begin === 'password' ? undefined : 'To confirm that it is you'}
        />
      )}
      {method === 'code' && (
        <TextField
          label="Code"
          name={proofField}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          error={form.errors.proof}
          hint={`To confirm that it is you: it was sent to ${user.email ?? 'your address'} just now.`}
        />
      )}
      {method === 'password' && (
        <Button variant="ghost" className="-mx-4 self-start" onClick={() => form.run(askForCode)}>
          Use a code sent by email instead
        </Button>
      )}
    </>
  )
  return (
    <SectionForm
      form={form}
      takesFocus
      buttons={
        <>
          <Button type="submit" variant={submitVariant} loading={form.busy}>
            {submitLabel}
          </Button>
          <Button disabled={form.busy} onClick={onCancel}>
            Cancel
          </Button>
        </>
      }
    >
      {/* Password managers know by it whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      {proofFirst && proof}
      {children(form.errors)}
      {!proofFirst && proof}
    </SectionForm>
  )
}

interface ConfirmFormProps extends Omit<ChangeFormProps, 'begin' | 'check' | 'proofFirst' | 'children'> {
  /** What the change does. */
  children: ReactNode
}

/** The same form for a change that needs nothing but the proof: a text instead of fields. */
export function ConfirmForm({ children, ...form }: ConfirmFormProps) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => text.current?.focus(), [])
  return (
    <ChangeForm {...form} begin="recent-sign-in" check={() => ({})}>
      {() => (
        <p ref={text} tabIndex={-1}>
          {children}
        </p>
      )}
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
