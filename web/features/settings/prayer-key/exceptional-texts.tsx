import { useEffect, useState } from 'react'
import { useCategories } from '#web/data/categories.ts'
import {
  type PlainText,
  typingError,
  useEncryption,
  useEncryptionActions,
  useUnreadableTexts,
} from '#web/data/encryption.ts'
import { UNREADABLE } from '#web/data/encryption-status.ts'
import { usePrayerUpdates } from '#web/data/prayer-updates.ts'
import { usePrayers } from '#web/data/prayers.ts'
import { useConnection } from '#web/data/sync-status.ts'
import { PrayerLink } from '#web/features/prayer-parts/prayer-link.tsx'
import { countText } from '#web/lib/count-text.ts'
import { reportError } from '#web/lib/error-message.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError, TextField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { SECTION_BUTTONS, SectionForm } from '../settings-section.tsx'
import { attempt, useServerAction } from '../use-server-action.ts'
import { LostKeyForm } from './lost-key-form.tsx'
import { ReplacementProgress } from './replacement-progress.tsx'

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
  const [isLost, setLost] = useState(false)
  const isKeyMissing = replacing?.isKeyMissing ?? false
  if (count === 0 && !isKeyMissing) return null
  if (isLost && isKeyMissing) return <LostEarlierKey onCancel={() => setLost(false)} />
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
          <>
            <Button type="submit" loading={form.busy}>
              Enter the earlier key
            </Button>
            {isKeyMissing && (
              <Button disabled={form.busy} onClick={() => setLost(true)}>
                I have lost the earlier key
              </Button>
            )}
          </>
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

function LostEarlierKey({ onCancel }: { onCancel: () => void }) {
  return (
    <>
      <h3 className="mt-2 border-t border-line pt-5 text-lg">I have lost the earlier key</h3>
      <p className="max-w-prose">
        If another of your devices still shows what cannot be read here, open the app there first, and enter
        your new prayer key if it asks: that device encrypts it. Otherwise, nobody can bring it back, not even
        whoever runs this server. You can delete it, so that everything else can be encrypted completely with
        your new prayer key.
      </p>
      <LostKeyForm onCancel={onCancel} />
    </>
  )
}

/** Texts that the server has plain, for example because somebody has put them there. */
export function PlainTexts() {
  const { findPlainTexts, sealPlainTexts } = useEncryptionActions()
  const isConnected = useConnection() === 'connected'
  const [found, setFound] = useState<readonly PlainText[]>([])
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const { busy, error, run } = useServerAction()
  useEffect(() => {
    if (!isConnected) return
    let isClosed = false
    findPlainTexts().then(
      (texts) => {
        if (!isClosed) setFound(texts)
      },
      (failure: unknown) => reportError('check your prayers', failure),
    )
    return () => {
      isClosed = true
    }
  }, [isConnected, findPlainTexts])
  if (found.length === 0) return null
  const seal = () =>
    run('encrypt your prayers', async () => {
      await sealPlainTexts(found, setProgress)
      const left = await findPlainTexts()
      setFound(left)
      return left.length === 0 ? 'Your prayers are encrypted' : countNotEncrypted(left)
    })
  return (
    <>
      <h3 className="mt-2 border-t border-line pt-5 text-lg">{countNotEncrypted(found)}</h3>
      <p className="max-w-prose">
        Whoever runs this server can read what is not encrypted, and may have put it there. Look through it
        first:
      </p>
      <Owners rowIds={found.map(({ id }) => id)} />
      {error && <InlineError>{error}</InlineError>}
      {busy && (
        <ReplacementProgress
          text="Your prayers are being encrypted. Please keep the app open until that is done."
          {...progress}
        />
      )}
      <div className={SECTION_BUTTONS}>
        <Button loading={busy} onClick={seal}>
          Encrypt now
        </Button>
      </div>
    </>
  )
}

function countNotEncrypted(texts: readonly PlainText[]): string {
  return `${countText(texts.length, 'text')} not encrypted`
}

/** How many prayers and categories are listed. */
const MAX_LISTED = 20

/** The names of the prayers and categories to which rows belong. */
function Owners({ rowIds }: { rowIds: readonly string[] }) {
  const prayers = usePrayers().rows ?? []
  const categories = useCategories().rows ?? []
  const updates = usePrayerUpdates().rows ?? []
  const prayerOf = new Map(updates.map(({ id, prayer_id }) => [id, prayer_id]))
  const ids = new Set(rowIds.map((id) => prayerOf.get(id) ?? id))
  const items = [
    ...categories.filter(({ id }) => ids.has(id)).map(({ id, name }) => ({ id, text: <bdi>{name}</bdi> })),
    ...prayers
      .filter(({ id }) => ids.has(id))
      .map(({ id, person_name }) => ({
        id,
        text: (
          <PrayerLink prayerId={id} className={`${TEXT_LINK} touch-area`}>
            <bdi>{person_name}</bdi>
          </PrayerLink>
        ),
      })),
  ]
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-2 wrap-anywhere">
      {items.slice(0, MAX_LISTED).map(({ id, text }) => (
        <li key={id}>{text}</li>
      ))}
      {items.length > MAX_LISTED && <li>and {items.length - MAX_LISTED} more</li>}
    </ul>
  )
}
