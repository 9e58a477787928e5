import type { User } from '@supabase/auth-js'
import { useEffect, useId, useRef } from 'react'
import type { DeletionPreview } from '#web/data/account-data.ts'
import { XLogo } from '#web/ui/brand-icons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineError, PasswordField } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { ExportOffer } from './export-section.tsx'
import type { DeletionError, DeletionProof } from './use-deletion.ts'
import { deletionText } from './your-data-texts.ts'

interface DeleteDialogProps {
  user: User
  preview: DeletionPreview
  proof: DeletionProof
  busy: boolean
  error: DeletionError | null
  /** With the password if it is the proof, else null. */
  onConfirm: (password: string | null) => void
  onSignInWithX: () => void
  onCancel: () => void
}

/** Shows what would be deleted, offers a last export, and asks for proof. */
export function DeleteDialog({
  user,
  preview,
  proof,
  busy,
  error,
  onConfirm,
  onSignInWithX,
  onCancel,
}: DeleteDialogProps) {
  const formId = useId()
  const email = user.email ?? null
  const field = useRef<HTMLDivElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const needsPassword = proof === 'password' || proof === 'password-or-x'
  const form = useForm({
    check: (read) => ({
      password: needsPassword && read('password') === '' ? 'Please enter your password' : null,
    }),
    save: async (read) => onConfirm(needsPassword ? read('password') : null),
  })
  useEffect(() => {
    if (!error?.isWrongPassword) return
    const password = field.current?.querySelector('input')
    password?.focus()
    password?.select()
    // The error is below the field, where the buttons may cover it.
    field.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  const close = () => {
    if (!busy) onCancel()
  }
  return (
    <Dialog
      title="Delete my account"
      initialFocusRef={cancel}
      onClose={close}
      footer={
        <>
          <Button ref={cancel} onClick={close}>
            Cancel
          </Button>
          {proof !== 'x' && (
            <Button type="submit" form={formId} variant="danger" loading={busy}>
              {busy ? 'Deleting...' : 'Delete my account'}
            </Button>
          )}
        </>
      }
    >
      <p className="wrap-anywhere">{deletionText(preview, email)}</p>
      <ExportOffer user={user} text="You may want to keep your prayers." />
      <form id={formId} {...form.props} className="flex flex-col gap-4">
        {needsPassword && (
          <>
            {/* Password managers fill in the password of this account. */}
            <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
            <div ref={field}>
              <PasswordField
                label="Your password"
                name="password"
                required
                autoComplete="current-password"
                error={form.errors.password ?? (error?.isWrongPassword ? error.message : null)}
                hint="To confirm that it is you"
              />
            </div>
          </>
        )}
        {(proof === 'x' || proof === 'password-or-x') && (
          <div className="flex flex-col gap-3">
            <p className="text-sm text-ink-soft">
              {proof === 'x'
                ? 'To confirm that it is you, sign in with X again. You will then return to this dialog.'
                : 'Or sign in with X again; you will then return to this dialog.'}
            </p>
            <Button loading={busy && proof === 'x'} onClick={onSignInWithX}>
              <XLogo />
              Sign in with X again
            </Button>
          </div>
        )}
      </form>
      {error && !error.isWrongPassword && <InlineError>{error.message}</InlineError>}
    </Dialog>
  )
}
