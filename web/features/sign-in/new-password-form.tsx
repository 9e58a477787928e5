import { type SubmitEvent, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields.tsx'
import { confirmationProblem, newPasswordProblem } from './entries.ts'
import { ErrorBox } from './error-box.tsx'
import { setPassword } from './set-password.ts'
import { useSubmission } from './use-submission.ts'

const NO_PROBLEMS: { password: string | null; confirmation: string | null } = {
  password: null,
  confirmation: null,
}

/** The new password, twice. */
export function NewPasswordForm() {
  const passwordRef = useRef<HTMLInputElement>(null)
  const confirmationRef = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState(NO_PROBLEMS)
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()

  const submitted = (event: SubmitEvent) => {
    event.preventDefault()
    const password = passwordRef.current?.value ?? ''
    const mismatch = confirmationProblem(password, confirmationRef.current?.value ?? '')
    const unfit = newPasswordProblem(password)
    setError(null)
    setProblems({ password: mismatch ? null : unfit, confirmation: mismatch })
    if (mismatch) confirmationRef.current?.focus()
    else if (unfit) passwordRef.current?.focus()
    else void submit(() => send(password))
  }
  const send = async (password: string) => {
    const outcome = await setPassword(password)
    if (!outcome.done) setError(outcome.error)
    return 'ready' as const
  }
  return (
    <form noValidate onSubmit={submitted} className="flex flex-col gap-5">
      {error && <ErrorBox>{error}</ErrorBox>}
      <PasswordField
        ref={passwordRef}
        label="New Password"
        name="new-password"
        required
        autoComplete="new-password"
        error={problems.password}
        hint="At least 6 characters"
      />
      <PasswordField
        ref={confirmationRef}
        label="Confirm Password"
        name="confirm-password"
        required
        autoComplete="new-password"
        error={problems.confirmation}
      />
      <Button type="submit" variant="primary" loading={busy}>
        {busy ? 'Updating Password...' : 'Update Password'}
      </Button>
    </form>
  )
}
