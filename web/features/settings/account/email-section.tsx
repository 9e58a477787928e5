import type { User } from '@supabase/auth-js'
import { useRef, useState } from 'react'
import { EMAIL_MAX_LENGTH } from '#shared/limits.ts'
import { reportError } from '#web/lib/error-message.ts'
import { type Proof, updateUser } from '#web/lib/session/change-account.ts'
import { emailError } from '#web/lib/session/credentials.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmailField, InlineError } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { type ReadField } from '#web/ui/use-form.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { ChangeForm } from './change-form.tsx'

const OPERATION = 'change your email address'

/** The address, and changing it: it takes effect when the links that are sent have been opened. */
export function EmailSection({ user }: { user: User }) {
  const change = useRef<HTMLButtonElement>(null)
  const [isChanging, setChanging] = useState(false)
  const announce = useAnnounce()
  const { busy, error, cancel } = useCancel(user, () => change.current)
  const close = () =>
    keepFocus(
      () => setChanging(false),
      () => change.current,
    )
  return (
    <SettingsSection
      id="email"
      title="Email address"
      text={
        <>
          <p className="wrap-anywhere">{user.email ? <strong>{user.email}</strong> : 'You have none.'}</p>
          {user.new_email && <Pending address={user.new_email} />}
        </>
      }
    >
      {error && <InlineError>{error}</InlineError>}
      {isChanging ? (
        <NewAddressForm
          user={user}
          onDone={(address) => {
            close()
            announce(`Email sent to ${address}`)
          }}
          onCancel={close}
        />
      ) : (
        <div className={SECTION_BUTTONS}>
          <Button ref={change} onClick={() => setChanging(true)}>
            {user.new_email ? 'Send again' : 'Change email address'}
          </Button>
          {user.new_email && (
            <Button loading={busy} onClick={cancel}>
              Cancel the change
            </Button>
          )}
        </div>
      )}
    </SettingsSection>
  )
}

function Pending({ address }: { address: string }) {
  return (
    <p className="wrap-anywhere">
      Waiting for <strong>{address}</strong>: please open the link that was sent there, and the one in the
      email to your present address if you got one. They work for an hour.
    </p>
  )
}

interface NewAddressFormProps {
  user: User
  onDone: (address: string) => void
  onCancel: () => void
}

function NewAddressForm({ user, onDone, onCancel }: NewAddressFormProps) {
  const check = (read: ReadField) => {
    const isSame = read('email').trim().toLowerCase() === user.email?.toLowerCase()
    return { email: isSame ? 'This is your address already' : emailError(read('email')) }
  }
  const save = async (proof: Proof, read: ReadField) => {
    const email = read('email').trim()
    await updateUser({ email, ...proof })
    onDone(email)
  }
  return (
    <ChangeForm
      user={user}
      operation={OPERATION}
      submitLabel="Send link"
      check={check}
      save={save}
      onCancel={onCancel}
    >
      {(errors) => (
        <EmailField
          label="New email address"
          maxLength={EMAIL_MAX_LENGTH}
          defaultValue={user.new_email ?? ''}
          error={errors.email}
        />
      )}
    </ChangeForm>
  )
}

/**
 * Cancels a change that is waiting for its links.
 *
 * @param find what has the focus after that
 */
function useCancel({ email }: User, find: () => HTMLElement | null) {
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const announce = useAnnounce()
  const cancel = async () => {
    setError(null)
    try {
      const changed = await updateUser({ email: email ?? '' })
      // Supabase cannot cancel it.
      const message = changed.new_email ? 'The change ends when its links expire' : 'Change cancelled'
      keepFocus(() => announce(message), find)
    } catch (failure) {
      setError(reportError(OPERATION, failure))
    }
  }
  return { busy, error, cancel: () => void submit(cancel) }
}
