import type { User } from '@supabase/auth-js'
import { type SubmitEvent, useState } from 'react'
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
  /** Null while the field shows the stored name, which another device may change. */
  const [typed, setTyped] = useState<string | null>(null)
  const name = typed ?? ownName(user) ?? ''
  const [error, setError] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const announce = useAnnounce()
  const save = async () => {
    const full_name = name.trim()
    setError(null)
    try {
      // The server removes what is null.
      await updateUser({ data: { full_name: full_name === '' ? null : full_name } })
      setTyped((current) => (current === typed ? null : current))
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
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={FULL_NAME_MAX_LENGTH}
          value={name}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
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
