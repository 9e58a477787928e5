import { type SubmitEvent, useId, useRef, useState } from 'react'
import { XLogo } from '#web/ui/brand-icons.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/fields.tsx'
import { CardError } from './card-error.tsx'
import type { DeletionProof } from './deletion-proof.ts'
import { consequence } from './deletion-words.ts'
import type { DeletionPreview } from './account-data-requests.ts'
import { SaveFirst } from './save-first.tsx'

interface DeleteDialogProps {
  account: string
  productName: string
  preview: DeletionPreview
  proof: DeletionProof
  busy: boolean
  error: string | null
  /** With the password, where one was asked for. */
  onConfirm: (password: string | null) => void
  onLeaveForX: () => void
  onCancel: () => void
}

/** Says what deleting the account means, offers the data once more, and asks for proof. */
export function DeleteDialog({
  account,
  productName,
  preview,
  proof,
  busy,
  error,
  onConfirm,
  onLeaveForX,
  onCancel,
}: DeleteDialogProps) {
  const formId = useId()
  const password = useRef<HTMLInputElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const [missing, setMissing] = useState<string | null>(null)
  const asksPassword = proof === 'password' || proof === 'password or X'
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (busy) return
    const typed = password.current?.value ?? ''
    setMissing(asksPassword && typed === '' ? 'Please enter your password' : null)
    if (asksPassword && typed === '') password.current?.focus()
    else onConfirm(asksPassword ? typed : null)
  }
  const close = () => {
    if (!busy) onCancel()
  }
  return (
    <Dialog
      open
      title="Delete my account"
      initialFocusRef={cancel}
      onClose={close}
      footer={
        <>
          <Button ref={cancel} onClick={close}>
            Cancel
          </Button>
          {proof !== 'X' && (
            <Button type="submit" form={formId} variant="danger" loading={busy}>
              {busy ? 'Deleting...' : 'Delete my account'}
            </Button>
          )}
        </>
      }
    >
      <p className="wrap-anywhere">{consequence(preview, account)}</p>
      <SaveFirst productName={productName} />
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {asksPassword && (
          <>
            {/* For password managers, which fill in by account. */}
            <input type="email" name="email" autoComplete="username" value={account} readOnly hidden />
            <PasswordField
              ref={password}
              label="Your password"
              name="password"
              required
              autoComplete="current-password"
              error={missing}
              hint="To show that it is you"
              onInput={() => setMissing(null)}
            />
          </>
        )}
        {(proof === 'X' || proof === 'password or X') && (
          <div className="flex flex-col gap-3">
            <p className="text-sm text-ink-soft">
              {proof === 'X'
                ? 'To show that it is you, sign in with X once more. You come back to this question.'
                : 'Or sign in with X once more; you come back to this question.'}
            </p>
            <Button loading={busy && proof === 'X'} onClick={onLeaveForX}>
              <XLogo />
              Sign in with X again
            </Button>
          </div>
        )}
      </form>
      <CardError>{error}</CardError>
    </Dialog>
  )
}
