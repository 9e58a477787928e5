import type { User } from '@supabase/auth-js'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { useDeletion } from './use-deletion.ts'

export function DeleteCard({ user }: { user: User }) {
  const { state, busy, start, cancel, confirm, signInWithX } = useDeletion(user)
  return (
    <Card aria-labelledby="delete" className="flex flex-col gap-4 p-5 sm:p-6 md:col-span-2">
      <h2 id="delete" className="text-xl">
        Delete my account
      </h2>
      <p className="max-w-prose text-ink-soft">
        Permanently deletes your account and everything in it. You will see exactly what that is, and be asked
        to confirm, before anything is deleted.
      </p>
      {state.step === 'idle' && state.error && <InlineError>{state.error}</InlineError>}
      <div>
        <Button loading={state.step === 'loading'} onClick={start}>
          {state.step !== 'loading' && <TrashIcon />}
          Delete my account
        </Button>
      </div>
      {state.step === 'confirm' && (
        <DeleteDialog
          email={user.email ?? null}
          preview={state.preview}
          proof={state.proof}
          busy={busy}
          error={state.error}
          onConfirm={(password) => confirm(state, password)}
          onSignInWithX={() => signInWithX(state)}
          onCancel={cancel}
        />
      )}
    </Card>
  )
}
