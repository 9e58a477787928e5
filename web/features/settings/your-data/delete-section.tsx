import type { User } from '@supabase/auth-js'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { useDeletion } from './use-deletion.ts'

export function DeleteSection({ user }: { user: User }) {
  const { state, busy, start, cancel, confirm, signInWithX } = useDeletion(user)
  return (
    <SettingsSection
      id="delete"
      title="Delete my account"
      text={
        <p>
          Permanently deletes your account and everything in it. You will see exactly what that is, and be
          asked to confirm, before anything is deleted.
        </p>
      }
    >
      {state.step === 'idle' && state.error && <InlineError>{state.error}</InlineError>}
      <div className={SECTION_BUTTONS}>
        <Button loading={state.step === 'loading'} onClick={start}>
          {state.step !== 'loading' && <TrashIcon />}
          Delete my account
        </Button>
      </div>
      {state.step === 'confirm' && (
        <DeleteDialog
          user={user}
          preview={state.preview}
          proof={state.proof}
          busy={busy}
          error={state.error}
          onConfirm={(password) => confirm(state, password)}
          onSignInWithX={() => signInWithX(state)}
          onCancel={cancel}
        />
      )}
    </SettingsSection>
  )
}
