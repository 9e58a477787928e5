import type { User } from '@supabase/auth-js'
import { useEffect, useRef, useState } from 'react'
import { canEncrypt, groupsOf, makePrayerKey, useEncryptionActions } from '#web/data/encryption.ts'
import { type EncryptionStatus, useEncryption } from '#web/data/encryption-status.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { useUser } from '#web/lib/session/session.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError, TextField } from '#web/ui/fields.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { type FieldErrors, type ReadField, useForm } from '#web/ui/use-form.ts'
import { PlainTexts, UnreadableTexts } from './exceptional-texts.tsx'
import { checkProof, ProofField, proveSignIn } from './recent-sign-in.tsx'
import { saveFile } from './save-file.ts'
import { SECTION_BUTTONS, SectionForm, SettingsSection } from './settings-section.tsx'
import { attempt, useServerAction } from './use-server-action.ts'

type Step =
  { kind: 'overview' } | { kind: 'shown' | 'confirming'; prayerKey: string } | { kind: 'turning-off' }

const OVERVIEW: Step = { kind: 'overview' }
const WITHOUT_IT =
  'Without it and without a device that has it, nobody can bring your prayers back, not even whoever runs this server.'
const KEEP_IT = 'Write it down and keep it where you keep your passport.'
/** The two groups that users have to enter, to show that they have written the key down. */
const ASKED = [
  { name: 'second', label: 'Second group', index: 1 },
  { name: 'fifth', label: 'Fifth group', index: 4 },
] as const

/** Turning encryption on and off, and making another prayer key. */
export function PrayerKeySection() {
  const user = useUser()
  const encryption = useEncryption()
  const [step, setStep] = useState(OVERVIEW)
  const isOn = encryption.state === 'on'
  const close = () => setStep(OVERVIEW)
  return (
    <SettingsSection id="prayer-key" title="Prayer key" text={<Explanation isOn={isOn} />}>
      {step.kind === 'overview' && (
        <Overview
          encryption={encryption}
          onNewKey={(prayerKey) => setStep({ kind: 'shown', prayerKey })}
          onOff={() => setStep({ kind: 'turning-off' })}
        />
      )}
      {step.kind === 'shown' && (
        <ShownKey
          prayerKey={step.prayerKey}
          user={user}
          onKept={() => setStep({ kind: 'confirming', prayerKey: step.prayerKey })}
          onCancel={close}
        />
      )}
      {step.kind === 'confirming' && (
        <ConfirmKey
          prayerKey={step.prayerKey}
          user={user}
          onDone={close}
          onBack={() => setStep({ kind: 'shown', prayerKey: step.prayerKey })}
        />
      )}
      {step.kind === 'turning-off' && <TurnOff onDone={close} />}
    </SettingsSection>
  )
}

function Explanation({ isOn }: { isOn: boolean }) {
  return (
    <>
      <p>
        {isOn
          ? 'Only devices that have your prayer key can read your prayers. The server keeps names and texts in a form that nobody else can read.'
          : 'Whoever runs this server can read your prayers. With a prayer key, only your own devices can: names and texts leave them in a form that nobody else can read.'}
      </p>
      <p>
        The server still sees your address, how many prayers you have, and when you add, pray and answer them.
        A prayer key does not protect you from a server that sends you a changed app, or from someone who
        holds your unlocked device.
      </p>
    </>
  )
}

interface OverviewProps {
  encryption: EncryptionStatus
  onNewKey: (prayerKey: string) => void
  onOff: () => void
}

function Overview({ encryption: { state, replacing }, onNewKey, onOff }: OverviewProps) {
  const isOn = state === 'on'
  const make = () => void makePrayerKey().then(onNewKey)
  if (!canEncrypt()) return <p>This needs a site address that begins with https.</p>
  if (state !== 'off' && !isOn)
    return (
      <>
        <Progress verb="decrypted" replacing={replacing} />
        <UnreadableTexts />
      </>
    )
  return (
    <>
      {!isOn && <p>This is new and not tested to the end yet: export your prayers first.</p>}
      {isOn && <Progress verb="encrypted" replacing={replacing} />}
      <div className={SECTION_BUTTONS}>
        <Button variant={isOn ? 'secondary' : 'primary'} disabled={replacing !== null} onClick={make}>
          Make a {isOn && 'new '}prayer key
        </Button>
        {isOn && <Button onClick={onOff}>Turn off</Button>}
      </div>
      {isOn && (
        <>
          <UnreadableTexts />
          <PlainTexts />
        </>
      )}
    </>
  )
}

/** @param verb what is done with the prayers */
function Progress({ verb, replacing }: { verb: string; replacing: EncryptionStatus['replacing'] }) {
  if (replacing === null) return null
  const { done, total } = replacing
  return (
    <div className="flex max-w-form flex-col gap-1">
      <label className="flex flex-col gap-1">
        <span>Your prayers are being {verb}. You can go on using the app.</span>
        <progress value={done} max={Math.max(total, 1)} className="w-full accent-accent-fill" />
      </label>
    </div>
  )
}

interface ShownKeyProps {
  prayerKey: string
  user: User
  onKept: () => void
  onCancel: () => void
}

/** Shows the prayer key, this once. Printed, the page has it with what belongs to it. */
function ShownKey({ prayerKey, user, onKept, onCancel }: ShownKeyProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const announce = useAnnounce()
  useEffect(() => heading.current?.focus(), [])
  const key = groupsOf(prayerKey).join(' ')
  const save = () => {
    const lines = [
      `Prayer key, ${PRODUCT_NAME}`,
      '',
      key,
      '',
      location.origin,
      user.email ?? '',
      '',
      KEEP_IT,
      WITHOUT_IT,
      '',
    ]
    saveFile('intercede-prayer-key.txt', 'text/plain', lines.join('\n'))
    announce('Prayer key saved')
  }
  return (
    <div className="flex max-w-form flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="text-lg">
        Your prayer key
      </h3>
      <p className="rounded-md bg-sunken px-4 py-3 text-lg">
        <code className="wrap-anywhere">{key}</code>
      </p>
      <p className="hidden print:block">
        {location.origin}
        <br />
        {user.email}
      </p>
      <p>
        {KEEP_IT} {WITHOUT_IT}
      </p>
      <p className="print:hidden">
        You will not see it again. Another device asks for it when you sign in there, and this one when you
        sign in again.
      </p>
      <div className={`${SECTION_BUTTONS} print:hidden`}>
        <Button onClick={() => print()}>Print</Button>
        <Button onClick={save}>
          <DownloadIcon />
          Save as text
        </Button>
        <Button variant="primary" onClick={onKept}>
          I have written it down
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  )
}

interface ConfirmKeyProps {
  prayerKey: string
  user: User
  onDone: () => void
  onBack: () => void
}

/** Asks for two groups of the key before anything is encrypted with it. */
function ConfirmKey({ prayerKey, user, onDone, onBack }: ConfirmKeyProps) {
  const { begin } = useEncryptionActions()
  const announce = useAnnounce()
  const checkGroups = (read: ReadField): FieldErrors<(typeof ASKED)[number]['name']> =>
    Object.fromEntries(
      ASKED.map(({ name, index }) => {
        const isRight = read(name).trim().toUpperCase() === groupsOf(prayerKey)[index]
        return [name, isRight ? null : 'This is not what you were shown']
      }),
    )
  const form = useForm({
    check: (read) => ({ ...checkGroups(read), ...checkProof(user, read) }),
    save: (read) =>
      attempt('make a prayer key', async () => {
        const wrong = await proveSignIn(user, read)
        if (wrong) return wrong
        await begin(prayerKey)
        announce('Your prayers are being encrypted')
        onDone()
        return {}
      }),
  })
  return (
    <SectionForm
      form={form}
      takesFocus
      buttons={
        <>
          <Button type="submit" variant="primary" loading={form.busy}>
            Encrypt my prayers
          </Button>
          <Button disabled={form.busy} onClick={onBack}>
            Show the key again
          </Button>
        </>
      }
    >
      <p>Please enter two of the six groups that you have written down.</p>
      {ASKED.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          name={name}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={4}
          error={form.errors[name]}
        />
      ))}
      <ProofField user={user} error={form.errors.password} />
    </SectionForm>
  )
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const { turnOff } = useEncryptionActions()
  const text = useRef<HTMLParagraphElement>(null)
  const { busy, error, run } = useServerAction()
  useEffect(() => text.current?.focus(), [])
  const start = () =>
    run('turn off encryption', async () => {
      await turnOff()
      onDone()
      return 'Your prayers are being decrypted'
    })
  return (
    <div className="flex max-w-form flex-col gap-4">
      <p ref={text} tabIndex={-1}>
        Whoever runs this server will be able to read your prayers again. Your other devices will ask you
        before they go on.
      </p>
      {error && <InlineError>{error}</InlineError>}
      <div className={SECTION_BUTTONS}>
        <Button variant="danger" loading={busy} onClick={start}>
          Turn off
        </Button>
        <Button disabled={busy} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
