import { useEncryptionActions } from '#web/data/encryption.ts'
import { useUser } from '#web/lib/session/session.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { checkSignIn, proveSignIn, SignInFields } from './recent-sign-in.tsx'
import { SectionForm } from '../settings-section.tsx'
import { attempt } from '../use-server-action.ts'

const WORD = 'DELETE'

/** Gives up prayer keys that are lost, and deletes what only they can open. */
export function LostKeyForm({ onCancel }: { onCancel: () => void }) {
  const user = useUser()
  const { abandon } = useEncryptionActions()
  const announce = useAnnounce()
  const form = useForm({
    check: (read) => ({
      word: read('word').trim() === WORD ? null : `Please type ${WORD}`,
      ...checkSignIn(user, read),
    }),
    save: (read) =>
      attempt('delete your prayers', async () => {
        const wrong = await proveSignIn(user, read)
        if (wrong) return wrong
        await abandon()
        announce('What could not be read is deleted')
        return {}
      }),
  })
  return (
    <SectionForm
      form={form}
      takesFocus
      buttons={
        <>
          <Button type="submit" variant="danger" loading={form.busy}>
            Delete what cannot be read
          </Button>
          <Button disabled={form.busy} onClick={onCancel}>
            Cancel
          </Button>
        </>
      }
    >
      <TextField
        label={`Type ${WORD} to confirm`}
        name="word"
        autoComplete="off"
        autoCapitalize="characters"
        error={form.errors.word}
      />
      <SignInFields user={user} errors={form.errors} />
    </SectionForm>
  )
}
