import type { User } from '@supabase/auth-js'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { CardError } from './card-error.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { useDeletion } from './use-deletion.ts'

interface DeleteCardProps {
  user: User
  productName: string
  /** Leaves for X; resolves to what went wrong, in words for the person. */
  signInWithX: () => Promise<string | null>
}

/** The way out for good. */
export function DeleteCard({ user, productName, signInWithX }: DeleteCardProps) {
  const { state, ask, cancel, confirm, leaveForX } = useDeletion(user, signInWithX)
  return (
    <Card aria-labelledby="delete" className="flex flex-col gap-4 p-5 sm:p-6 md:col-span-2">
      <h2 id="delete" className="text-xl">
        Delete my account
      </h2>
      <p className="max-w-prose text-ink-soft">
        Removes your account and everything in it for good. You are told exactly what that is, and asked once
        more, before anything happens.
      </p>
      <CardError>{state.step === 'resting' ? state.error : null}</CardError>
      <div>
        <Button loading={state.step === 'counting'} onClick={ask}>
          {state.step !== 'counting' && <TrashIcon />}
          Delete my account
        </Button>
      </div>
      {state.step === 'asking' && (
        <DeleteDialog
          account={user.email ?? 'of yours'}
          productName={productName}
          preview={state.preview}
          proof={state.proof}
          busy={state.busy}
          error={state.error}
          onConfirm={(password) => confirm(state, password)}
          onLeaveForX={() => leaveForX(state)}
          onCancel={cancel}
        />
      )}
    </Card>
  )
}
