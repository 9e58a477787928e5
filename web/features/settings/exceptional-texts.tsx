import { useEffect, useState } from 'react'
import { typingError, useEncryption, useEncryptionActions } from '#web/data/encryption.ts'
import { UNREADABLE, useUnreadableTexts } from '#web/data/encryption-status.ts'
import { useConnection } from '#web/data/sync-status.ts'
import { countText } from '#web/lib/count-text.ts'
import { reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError, TextField } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { SECTION_BUTTONS, SectionForm } from './settings-section.tsx'
import { attempt, useServerAction } from './use-server-action.ts'

/** Texts that are sealed with an earlier prayer key, or damaged: as long as there are any, a key is not replaced completely. */
export function UnreadableTexts() {
  const count = useUnreadableTexts()
  const { replacing } = useEncryption()
  const { enter } = useEncryptionActions()
  const announce = useAnnounce()
  const form = useForm({
    check: (read) => ({ earlierKey: typingError(read('earlierKey')) }),
    save: (read) =>
      attempt('check the prayer key', async () => {
        if ((await enter(read('earlierKey'))) === null)
          return { errors: { earlierKey: 'Your account has never had this prayer key.' } }
        announce('Prayer key entered')
        return {}
      }),
  })
  const isKeyMissing = replacing?.isKeyMissing ?? false
  if (count === 0 && !isKeyMissing) return null
  return (
    <>
      <h3 className="mt-2 border-t border-line pt-5 text-lg">
        {count === 0 ? 'Your earlier prayer key is needed' : `${countText(count, 'text')} cannot be read`}
      </h3>
      <p className="max-w-prose">
        {count === 0
          ? 'Until you enter it, your new prayer key cannot take its place completely.'
          : `Where they should be, you see “${UNREADABLE}”. If you have had another prayer key before, enter it. What no key opens cannot be brought back: delete these prayers, updates and categories, so that all others can be encrypted completely.`}
      </p>
      <SectionForm
        form={form}
        buttons={
          <Button type="submit" loading={form.busy}>
            Enter the earlier key
          </Button>
        }
      >
        <TextField
          label="Earlier prayer key"
          name="earlierKey"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={form.errors.earlierKey}
        />
      </SectionForm>
    </>
  )
}

/** Texts that the server has plain, for example because somebody has put them there. */
export function PlainTexts() {
  const { countPlainTexts, sealPlainTexts } = useEncryptionActions()
  const isConnected = useConnection() === 'connected'
  const [count, setCount] = useState(0)
  const { busy, error, run } = useServerAction()
  useEffect(() => {
    if (!isConnected) return
    let isClosed = false
    countPlainTexts().then(
      (found) => {
        if (!isClosed) setCount(found)
      },
      (failure: unknown) => reportError('check your prayers', failure),
    )
    return () => {
      isClosed = true
    }
  }, [isConnected, countPlainTexts])
  if (count === 0) return null
  const seal = () =>
    run('encrypt your prayers', async () => {
      await sealPlainTexts()
      setCount(0)
      return 'Your prayers are encrypted'
    })
  return (
    <>
      <h3 className="mt-2 border-t border-line pt-5 text-lg">{countText(count, 'text')} not encrypted</h3>
      <p className="max-w-prose">
        Whoever runs this server can read what is not encrypted, and may have put it there. Look through your
        prayers first.
      </p>
      {error && <InlineError>{error}</InlineError>}
      <div className={SECTION_BUTTONS}>
        <Button loading={busy} onClick={seal}>
          Encrypt now
        </Button>
      </div>
    </>
  )
}
