import type { User } from '@supabase/auth-js'
import { type SubmitEvent, useRef, useState } from 'react'
import { FULL_NAME_MAX_LENGTH } from '#shared/limits.ts'
import { reportError } from '#web/lib/error-message.ts'
import { updateUser } from '#web/lib/session/change-account.ts'
import { ownName } from '#web/lib/session/user-profile.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError, TextField } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { SECTION_BUTTONS, SettingsSection } from './settings-section.tsx'

export function NameSection({ user }: { user: User }) {
  const name = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const announce = useAnnounce()
  const save = async () => {
    const full_name = name.current?.value.trim() ?? ''
    setError(null)
    try {
      // The server removes what is null.
      await updateUser({ data: { full_name: full_name === '' ? null : full_name } })
      announce(full_name === '' ? 'Name removed' : 'Name saved')
    } catch (failure) {
      setError(reportError('save your name', failure))
    }
  }
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    void submit(save)
  }
  return (
    <SettingsSection
      id="name"
      title="Name"
      text={<p>Shown at the top of the page instead of your email address. Only you see it.</p>}
    >
      <form noValidate onSubmit={handleSubmit} className="flex max-w-form flex-col gap-4">
        {error && <InlineError>{error}</InlineError>}
        <TextField
          // A name that was changed on another device is filled in.
          key={ownName(user)}
          ref={name}
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={FULL_NAME_MAX_LENGTH}
          defaultValue={ownName(user) ?? ''}
        />
        <div className={SECTION_BUTTONS}>
          <Button type="submit" loading={busy}>
            Save name
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
