import type { User } from '@supabase/auth-js'
import { useEffect, useRef, useState } from 'react'
import { useFieldErrors } from '#web/lib/field-errors.ts'
import { type Proof, updateUser } from '#web/lib/session/change-account.ts'
import { newPasswordError, useNewPasswordHint } from '#web/lib/session/credentials.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { ChangeForm } from './change-form.tsx'
import { SECTION_BUTTONS, SettingsSection } from './settings-section.tsx'

export function PasswordSection({ user }: { user: User }) {
  const change = useRef<HTMLButtonElement>(null)
  const [isChanging, setChanging] = useState(false)
  const announce = useAnnounce()
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
  const field = useRef<HTMLInputElement>(null)
  const { errors, show, recheck } = useFieldErrors<'password'>()
  const { hint, onInput } = useNewPasswordHint()
  useEffect(() => field.current?.focus(), [])
  const check = () => ({ password: newPasswordError(field.current?.value ?? '') })
  const checkAndShow = () => {
    const found = check()
    show(found)
    if (found.password !== null) field.current?.focus()
    return found.password === null
  }
  const save = async (proof: Proof) => {
    await updateUser({ password: field.current?.value ?? '', ...proof })
    onDone()
  }
  return (
    <ChangeForm
      user={user}
      operation="update password"
      submitLabel="Save password"
      check={checkAndShow}
      save={save}
      onCancel={onCancel}
    >
      <PasswordField
        ref={field}
        label="New password"
        name="new-password"
        required
        autoComplete="new-password"
        error={errors.password}
        hint={hint}
        onInput={(event) => {
          onInput(event)
          recheck(check())
        }}
      />
    </ChangeForm>
  )
}
