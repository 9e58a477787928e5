import { type ReactNode, useState } from 'react'
import { isRecord } from '#shared/is-record.ts'
import { isKeyNeeded, useEncryptionActions, useIsGivenUp, useNeededKey } from '#web/data/encryption.ts'
import { type EncryptionStatus, useEncryptionProblem } from '#web/data/encryption-status.ts'
import {
  checkTyping,
  NOT_A_KEY,
  PrayerKeyField,
} from '#web/features/settings/prayer-key/prayer-key-field.tsx'
import { LostKeyForm } from '#web/features/settings/prayer-key/lost-key-form.tsx'
import { checkSignIn, proveSignIn, SignInFields } from '#web/features/settings/prayer-key/recent-sign-in.tsx'
import { SECTION_BUTTONS, SectionForm, SettingsSection } from '#web/features/settings/settings-section.tsx'
import { attempt } from '#web/features/settings/use-server-action.ts'
import { ExportOffer } from '#web/features/settings/your-data/export-section.tsx'
import { UserError } from '#web/lib/error-message.ts'
import { useUser } from '#web/lib/session/session.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { useForm } from '#web/ui/use-form.ts'

/** What the user has to do before anything of an encrypted account is sent or received. */
export function EncryptionProblem() {
  const problem = useEncryptionProblem()
  const isGivenUp = useIsGivenUp()
  if (problem === null) return null
  const { state, hasRows } = problem
  if (isKeyNeeded(problem)) return <KeyNeeded {...problem} />
  if (state === 'turned-off')
    return (
      <GoOnWithout title="Encryption was turned off on another device" mayDelete={isGivenUp}>
        Go on without encryption here? Whoever runs this server can then read your prayers, also earlier ones.
        If you have not turned it off, do not go on: nothing is sent until you do.
      </GoOnWithout>
    )
  if (state === 'unproven')
    return (
      <GoOnWithout title="The server says that your account is not encrypted any more" mayDelete={hasRows}>
        That is so if you have turned encryption off, deleted your account and made a new one, or lost your
        prayer key and deleted what could not be read. But it cannot be proven: a server that wants to read
        what you write would say the same. If you have not done that yourself, do not go on: nothing is sent
        until you do. If you go on, whoever runs this server can then read your prayers, also earlier ones.
      </GoOnWithout>
    )
  if (state === 'restored') return isGivenUp ? <GivenUp /> : <Restored hasRows={hasRows} />
  if (state === 'insecure')
    return (
      <Problem title="This account needs https">
        Your prayers can only be read with your prayer key, and browsers allow that only on a site whose
        address begins with https. Until you open it at such an address, nothing is sent or received here.
        What you change is kept on this device.
      </Problem>
    )
  return (
    <Problem title="Nothing is being saved on the server">
      The server has sent something that was not made with your prayer key. Nothing is lost, but nothing is
      sent or received on this device. Please ask whoever runs this server.
    </Problem>
  )
}

const SECTION = 'encryption-problem'

interface ProblemProps {
  title: string
  children: ReactNode
  /** Whether prayers that this device shows may disappear afterwards, because of what was given up elsewhere, or is here. */
  mayDelete?: boolean
  form?: ReactNode
}

function Problem({ title, children, mayDelete = false, form }: ProblemProps) {
  const user = useUser()
  return (
    <Card>
      <SettingsSection id={SECTION} title={title} text={children}>
        {mayDelete && (
          <ExportOffer
            user={user}
            text="What this device still shows may then be deleted, too. Save it first: the file can be imported again."
          />
        )}
        {form}
      </SettingsSection>
    </Card>
  )
}

/** Shows something else in the section, whose title then has the focus. */
function showNext(change: () => void): void {
  keepFocus(change, () => document.getElementById(SECTION))
}

interface KeyNeededProps {
  state: EncryptionStatus['state']
  hasRows: boolean
}

function KeyNeeded({ state, hasRows }: KeyNeededProps) {
  const isGivenUp = useIsGivenUp()
  const neededKey = useNeededKey()
  const { enter } = useEncryptionActions()
  const announce = useAnnounce()
  const [isLost, setLost] = useState(false)
  // Whoever has turned it off may have thrown the key away.
  const withoutKey =
    state === 'turned-off-key-needed' ? 'Go on without encryption' : 'I have lost my prayer key'
  const form = useForm({
    check: checkTyping,
    save: (read) =>
      attempt('check the prayer key', async () => {
        const entered = await enter(read('key'))
        if (entered === null) return { errors: { key: NOT_A_KEY } }
        if (entered === 'earlier')
          return {
            errors: {
              key:
                state === 'restored-key-needed'
                  ? 'This key is right. Please enter your other prayer key as well.'
                  : 'This is an earlier prayer key. It opens older texts, but your latest prayer key is needed as well.',
            },
          }
        announce('Prayer key entered')
        return {}
      }),
  })
  if (isLost && state === 'key-needed')
    return <LostKey hasRows={hasRows} onCancel={() => showNext(() => setLost(false))} />
  if (isLost)
    return (
      <GoOnWithout title={withoutKey} onCancel={() => showNext(() => setLost(false))}>
        {state === 'turned-off-key-needed' &&
          'Without it, nothing proves that encryption was turned off. If you have not turned it off yourself, do not go on. '}
        Go on without encryption? Whoever runs this server can then read your prayers, also earlier ones. You
        can make another prayer key in the settings.
      </GoOnWithout>
    )
  return (
    <Problem
      title="Enter your prayer key"
      mayDelete={isGivenUp}
      form={
        <SectionForm
          form={form}
          buttons={
            <>
              <Button type="submit" variant="primary" loading={form.busy}>
                Continue
              </Button>
              <Button variant="ghost" disabled={form.busy} onClick={() => showNext(() => setLost(true))}>
                {withoutKey}
              </Button>
            </>
          }
        >
          <PrayerKeyField error={form.errors.key} />
        </SectionForm>
      }
    >
      {neededKey ? NEEDED_KEY[neededKey] : keyNeededText(state, hasRows)}
    </Problem>
  )
}

const NEEDED_KEY = {
  later:
    'A new prayer key was made on another device: please enter that one. What you change here is kept, and sent once you have entered it.',
  earlier:
    'The server was restored to an earlier time, and your prayers there are encrypted: please enter their prayer key. What you change here is kept, and sent once you have entered it.',
}

function keyNeededText(state: EncryptionStatus['state'], hasRows: boolean): string {
  if (state === 'turned-off-key-needed')
    return 'The server says that encryption was turned off on another device. Only your prayer key can prove it. Until you have entered it, nothing is sent.'
  if (state === 'restored-key-needed')
    return 'The server was restored to a time before your prayers were encrypted as they are now. They can be encrypted again with the prayer key that you have written down. Until then, nothing is sent.'
  return hasRows
    ? 'Your prayers are encrypted with a prayer key that this device does not have yet: please enter the latest one. What you change here is kept, and sent once you have entered it.'
    : 'Your prayers are encrypted: they can be read only with the prayer key that you have written down.'
}

/** First the ways back; the form only for those who want to delete. */
function LostKey({ hasRows, onCancel }: { hasRows: boolean; onCancel: () => void }) {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <Problem
      title="I have lost my prayer key"
      mayDelete={hasRows}
      form={
        isDeleting ? (
          <LostKeyForm onCancel={() => showNext(() => setDeleting(false))} />
        ) : (
          <div className={SECTION_BUTTONS}>
            <Button onClick={() => setDeleting(true)}>Delete what cannot be read…</Button>
            <Button onClick={onCancel}>Cancel</Button>
          </div>
        )
      }
    >
      <ul className="flex list-disc flex-col gap-1 ps-5">
        <li>
          If another of your devices shows your prayers and does not ask for the key, make a new prayer key
          there, in its settings.
        </li>
        <li>If you have had another prayer key before, enter that first: it may open some of them.</li>
        <li>
          If you have saved a data file, you can import it afterwards, in the settings under “Your data”.
        </li>
      </ul>
      <p>
        If none of this helps, nobody can bring your prayers back, not even whoever runs this server. You can
        delete what cannot be read, and then use your account again. It is not encrypted any more then:
        whoever runs this server can read what you write here.
      </p>
    </Problem>
  )
}

interface GoOnWithoutProps extends Omit<ProblemProps, 'form'> {
  onCancel?: () => void
}

/** Asks for the consent to send texts as they are typed. */
function GoOnWithout({ onCancel, ...problem }: GoOnWithoutProps) {
  const { goOnWithout } = useEncryptionActions()
  const form = useForm({
    save: () =>
      attempt('go on', async () => {
        await goOnWithout()
        return {}
      }),
  })
  return (
    <Problem
      {...problem}
      form={
        <SectionForm
          form={form}
          buttons={
            <>
              <Button type="submit" loading={form.busy}>
                Go on without encryption
              </Button>
              {onCancel && (
                <Button disabled={form.busy} onClick={onCancel}>
                  Cancel
                </Button>
              )}
            </>
          }
        >
          {null}
        </SectionForm>
      }
    />
  )
}

/** Asks before this device deletes what only a key could open that was lost elsewhere. */
function GivenUp() {
  const { acceptDeletion } = useEncryptionActions()
  const form = useForm({
    save: () =>
      attempt('go on', async () => {
        await acceptDeletion()
        return {}
      }),
  })
  return (
    <Problem
      title="Prayers were deleted on another device"
      mayDelete
      form={
        <SectionForm
          form={form}
          buttons={
            <Button type="submit" loading={form.busy}>
              Continue
            </Button>
          }
        >
          {null}
        </SectionForm>
      }
    >
      A prayer key was reported lost there, and what only that key could open was deleted on the server. If
      you continue, it is deleted on this device, too. Until then, nothing is sent or received here. An
      earlier prayer key may be in use then: if somebody else may know it, make a new one in the settings.
    </Problem>
  )
}

/** The database's code if the user has not signed in lately. */
const SIGN_IN_NEEDED = 'PT403'
const SAVE_FIRST =
  'This is only possible shortly after signing in. Save your prayers as a file first, because signing out deletes what only this device has. Then sign out, sign in again, enter your prayer key when you are asked for it, encrypt your prayers again within five minutes, and import the file.'

function Restored({ hasRows }: { hasRows: boolean }) {
  const user = useUser()
  const { encryptAgain } = useEncryptionActions()
  const form = useForm({
    check: (read) => checkSignIn(user, read),
    save: (read) =>
      attempt('encrypt your prayers', async () => {
        // The database asks for a recent sign-in only if it has lost the key.
        const wrong = hasPassword(user) ? await proveSignIn(user, read) : null
        if (wrong) return wrong
        await encryptAgain().catch((failure: unknown) => {
          throw isRecord(failure) && failure['code'] === SIGN_IN_NEEDED ? new UserError(SAVE_FIRST) : failure
        })
        return {}
      }),
  })
  return (
    <Problem
      title="The server was restored to an earlier time"
      mayDelete={hasRows}
      form={
        <SectionForm
          form={form}
          buttons={
            <Button type="submit" variant="primary" loading={form.busy}>
              Encrypt my prayers again
            </Button>
          }
        >
          <SignInFields user={user} errors={form.errors} />
        </SectionForm>
      }
    >
      It was restored to a time before your prayers were encrypted as they are now. Nothing was sent since.
      This device can encrypt them again, and send what the server has lost. An earlier prayer key may be in
      use then: if you do not have that any more, or somebody else may know it, make a new one in the
      settings.
    </Problem>
  )
}
