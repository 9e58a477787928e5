import type { User } from '@supabase/auth-js'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { canEncrypt, groupsOf, makePrayerKey, useEncryptionActions } from '#web/data/encryption.ts'
import { type EncryptionStatus, useEncryption } from '#web/data/encryption-status.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { YOUR_DATA } from '#web/lib/navigation/routes.ts'
import { useUser } from '#web/lib/session/session.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError, TextField } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { type FieldErrors, type ReadField, useForm } from '#web/ui/use-form.ts'
import { PlainTexts, UnreadableTexts } from './exceptional-texts.tsx'
import { checkProof, ProofField, proveSignIn } from './recent-sign-in.tsx'
import { saveFile } from './save-file.ts'
import { SECTION_BUTTONS, SectionForm, SettingsSection } from './settings-section.tsx'
import { attempt, useServerAction } from './use-server-action.ts'
import './prayer-key-section.css'

type Step =
  { kind: 'overview' } | { kind: 'shown' | 'confirming'; prayerKey: string } | { kind: 'turning-off' }

const OVERVIEW: Step = { kind: 'overview' }
const WITHOUT_IT =
  'Without it and without a device that has it, nobody can bring your prayers back, not even whoever runs this server.'
const KEEP_IT = 'Write it down and keep it where you keep your passport.'
const AFTER_IT =
  'Whoever runs this server will be able to read your prayers again. Your other devices will ask you before they go on.'
/** In which the server can read the prayers, or some of them. */
const READABLE_STATES: ReadonlySet<EncryptionStatus['state']> = new Set([
  'off',
  'ending',
  'turned-off',
  'restored',
  'restored-key-needed',
])
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
  const close = () => keepFocus(() => setStep(OVERVIEW))
  return (
    <SettingsSection id="prayer-key" {...titleAndText(step.kind, encryption)}>
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

/** In each step only what it is about, so that on phones, too, its buttons are in view. */
function titleAndText(step: Step['kind'], { state }: EncryptionStatus): { title: string; text: ReactNode } {
  switch (step) {
    case 'shown':
      return { title: 'Your prayer key', text: <StepText key={step} text={`${KEEP_IT} ${WITHOUT_IT}`} /> }
    case 'confirming':
      return {
        title: 'Your prayer key',
        text: <p>Please enter two of the six groups that you have written down.</p>,
      }
    case 'turning-off':
      return { title: 'Turn off the prayer key', text: <StepText key={step} text={AFTER_IT} /> }
    case 'overview':
      return { title: 'Prayer key', text: <Explanation isSealed={!READABLE_STATES.has(state)} /> }
  }
}

/** Takes the focus. */
function StepText({ text }: { text: string }) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <p ref={ref} tabIndex={-1} className="text-ink">
      {text}
    </p>
  )
}

function Explanation({ isSealed }: { isSealed: boolean }) {
  return (
    <>
      <p>
        {isSealed
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
        <Progress what="The prayer key is being turned off" replacing={replacing} />
        <UnreadableTexts />
      </>
    )
  return (
    <>
      {!isOn && (
        <p>
          This is new:{' '}
          <Link href={YOUR_DATA} className={`${TEXT_LINK} touch-area`}>
            export your prayers
          </Link>{' '}
          first.
        </p>
      )}
      {isOn && <Progress what="Your prayers are being encrypted" replacing={replacing} />}
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

function Progress({ what, replacing }: { what: string; replacing: EncryptionStatus['replacing'] }) {
  if (replacing === null) return null
  const { done, total } = replacing
  return (
    <label className="flex max-w-form flex-col gap-2">
      <span>{what}. You can go on using the app.</span>
      <progress value={done} max={Math.max(total, 1)} className="replacement-progress" />
    </label>
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
  const announce = useAnnounce()
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
      {/* Where it needs two lines, three groups on each. */}
      <p className="rounded-md bg-sunken px-4 py-3 text-xl tracking-wide text-balance print:border print:border-line">
        <code>{key}</code>
      </p>
      <p className="hidden wrap-anywhere print:block">
        {PRODUCT_NAME}, {location.origin}
        <br />
        {user.email}
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
      {ASKED.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          name={name}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          error={form.errors[name]}
        />
      ))}
      <ProofField user={user} error={form.errors.password} />
    </SectionForm>
  )
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const { turnOff } = useEncryptionActions()
  const { busy, error, run } = useServerAction()
  const start = () =>
    run('turn off encryption', async () => {
      await turnOff()
      onDone()
      return 'The prayer key is being turned off'
    })
  return (
    <div className="flex max-w-form flex-col gap-4">
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
