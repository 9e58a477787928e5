import type { User } from '@supabase/auth-js'
import { useRef, useState } from 'react'
import { useKeyQuestion } from '#web/data/key-question.ts'
import { type Proof, updateUser } from '#web/lib/session/change-account.ts'
import { newPasswordError, useNewPasswordHint } from '#web/lib/session/credentials.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import type { ReadField } from '#web/ui/use-form.ts'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { ChangeForm } from './change-form.tsx'

export function PasswordSection({ user }: { user: User }) {
  const change = useRef<HTMLButtonElement>(null)
  const [isChanging, setChanging] = useState(false)
  const announce = useAnnounce()
  const keyQuestion = useKeyQuestion()
  const close = () =>
    keepFocus(
      () => setChanging(false),
      () => change.current,
    )
  return (
    <SettingsSection
      id="password"
      title="Password"
      text={
        <p>
          {hasPassword(user)
            ? 'A new password signs out all your other devices.'
            : 'You sign in with X. With a password, you can also sign in with your email address.'}
          {hasPassword(user) && keyQuestion !== null && ` ${keyQuestion}`}
        </p>
      }
    >
      {isChanging ? (
        <NewPasswordForm
          user={user}
          onDone={() => {
            close()
            announce('Password changed. All other devices are signed out.')
          }}
          onCancel={close}
        />
      ) : (
        <div className={SECTION_BUTTONS}>
          <Button ref={change} onClick={() => setChanging(true)}>
            {hasPassword(user) ? 'Change password' : 'Set a password'}
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}

interface NewPasswordFormProps {
  user: User
  onDone: () => void
  onCancel: () => void
}

function NewPasswordForm({ user, onDone, onCancel }: NewPasswordFormProps) {
  const newPasswordHint = useNewPasswordHint()
  const save = async (proof: Proof, read: ReadField) => {
    await updateUser({ password: read('new-password'), ...proof })
    onDone()
  }
  return (
    <ChangeForm
      user={user}
      operation="update password"
      submitLabel="Save password"
      check={(read) => ({ password: newPasswordError(read('new-password')) })}
      save={save}
      onCancel={onCancel}
      proofFirst
    >
      {(errors) => (
        <PasswordField
          label="New password"
          name="new-password"
          required
          autoComplete="new-password"
          error={errors.password}
          {...newPasswordHint}
        />
      )}
    </ChangeForm>
  )
}
