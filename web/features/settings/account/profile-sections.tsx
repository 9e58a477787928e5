import type { User } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { FULL_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { useConnection } from '#web/data/sync-status.ts'
import { reportError } from '#web/lib/error-message.ts'
import { refreshUser, updateUser } from '#web/lib/session/change-account.ts'
import { useUser } from '#web/lib/session/session.ts'
import { ownName } from '#web/lib/session/user-profile.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { SectionForm, SettingsSection } from '../settings-section.tsx'
import { EmailSection } from './email-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { TwoFactorSection } from './two-factor-section.tsx'

/** The name, the address, the password, and two-factor sign-in. */
export function ProfileSections() {
  const user = useUser()
  const isConnected = useConnection() === 'connected'
  useEffect(() => {
    // Another device may have changed them. Otherwise what this one knows is shown.
    if (isConnected) refreshUser().catch(() => undefined)
  }, [isConnected])
  return (
    <>
      <NameSection user={user} />
      <EmailSection user={user} />
      <PasswordSection user={user} />
      <TwoFactorSection user={user} />
    </>
  )
}

function NameSection({ user }: { user: User }) {
  /** Null while the field shows the stored name, which another device may change. */
  const [typed, setTyped] = useState<string | null>(null)
  const announce = useAnnounce()
  const form = useForm({
    save: async (read) => {
      const full_name = read('name').trim()
      try {
        // The server removes what is null.
        await updateUser({ data: { full_name: full_name === '' ? null : full_name } })
      } catch (failure) {
        return { error: reportError('save your name', failure) }
      }
      setTyped((current) => (current === typed ? null : current))
      announce(full_name === '' ? 'Name removed' : 'Name saved')
      return undefined
    },
  })
  return (
    <SettingsSection
      id="name"
      title="Name"
      text={<p>Shown at the top of the page instead of your email address. Only you see it.</p>}
    >
      <SectionForm
        form={form}
        buttons={
          <Button type="submit" variant="primary" loading={form.busy}>
            Save name
          </Button>
        }
      >
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={FULL_NAME_MAX_LENGTH}
          value={typed ?? ownName(user) ?? ''}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </SectionForm>
    </SettingsSection>
  )
}
