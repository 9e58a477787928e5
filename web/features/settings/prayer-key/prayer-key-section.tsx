import type { User } from '@supabase/auth-js'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { canEncrypt, makePrayerKey, useEncryption, useEncryptionActions } from '#web/data/encryption.ts'
import type { EncryptionStatus } from '#web/data/encryption-status.ts'
import { useUser } from '#web/lib/session/session.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { useForm } from '#web/ui/use-form.ts'
import { SECTION_BUTTONS, SectionForm, SettingsSection } from '../settings-section.tsx'
import { attempt } from '../use-server-action.ts'
import { ExportOffer } from '../your-data/export-section.tsx'
import { PlainTexts, UnreadableTexts } from './exceptional-texts.tsx'
import { type KeyStep, MadeKey, madeKeyTexts, StepText, WITHOUT_IT } from './made-key.tsx'
import { checkTyping, NOT_A_KEY, PrayerKeyField } from './prayer-key-field.tsx'
import { checkSignIn, proveSignIn, SignInFields } from './recent-sign-in.tsx'
import { ReplacementProgress } from './replacement-progress.tsx'

type Step = { kind: 'overview' } | KeyStep | { kind: 'checking' } | { kind: 'turning-off' }

const OVERVIEW: Step = { kind: 'overview' }
const CHECK_IT = 'Please enter it as you have written it down. It does not leave this device.'
const EARLIER_KEY = 'This is an earlier prayer key: your prayers are encrypted with a later one.'
const AFTER_IT =
  'Whoever runs this server will be able to read your prayers again. Your other devices will ask you before they go on, and may need the key for that: keep it. It is also needed if the server is restored from an older backup.'
/** In which the server can read the prayers, or some of them. */
const READABLE_STATES: ReadonlySet<EncryptionStatus['state']> = new Set([
  'off',
  'ending',
  'turned-off',
  'turned-off-key-needed',
  'unproven',
  'restored',
  'restored-key-needed',
])

/** What is being done with all texts. */
type Replacement = 'encrypting' | 'new-key' | 'turning-off'
const RUNNING: Record<Replacement, string> = {
  encrypting: 'Your prayers are being encrypted',
  'new-key': 'Your prayers are being encrypted with your new prayer key',
  'turning-off': 'The prayer key is being turned off',
}
const WAITING =
  'Not all of your prayers are encrypted yet. The rest is below, or follows when you open the app on the device where you have begun.'
const DONE: Record<Replacement, string> = {
  encrypting: 'Your prayers are encrypted',
  'new-key':
    'Your prayers are encrypted with your new prayer key. Mark the old one as old: it is needed only if the server is restored from an older backup.',
  'turning-off':
    'The prayer key is turned off. Mark it as old: it is needed only if the server is restored from an older backup.',
}

function replacementOf({ state, replacing }: EncryptionStatus): Replacement | null {
  if (replacing === null) return null
  if (state === 'ending') return 'turning-off'
  return replacing.isNewKey ? 'new-key' : 'encrypting'
}

/** Turning encryption on and off, and making another prayer key. */
export function PrayerKeySection() {
  const user = useUser()
  const encryption = useEncryption()
  const [step, setStep] = useState(OVERVIEW)
  const progress = useRef<HTMLParagraphElement>(null)
  const close = () =>
    keepFocus(
      () => setStep(OVERVIEW),
      () => progress.current,
    )
  useAnnounceDone(encryption)
  return (
    <SettingsSection id="prayer-key" {...titleAndText(step, encryption)}>
      {step.kind === 'overview' && (
        <Overview
          encryption={encryption}
          user={user}
          progressRef={progress}
          onMade={(prayerKey) => setStep({ kind: 'shown', prayerKey, isNew: encryption.state === 'on' })}
          onCheck={() => setStep({ kind: 'checking' })}
          onOff={() => setStep({ kind: 'turning-off' })}
        />
      )}
      {(step.kind === 'shown' || step.kind === 'confirming') && (
        <MadeKey step={step} user={user} onStep={setStep} onClose={close} />
      )}
      {step.kind === 'checking' && <CheckKey onDone={close} />}
      {step.kind === 'turning-off' && <TurnOff user={user} onDone={close} />}
    </SettingsSection>
  )
}

function useAnnounceDone(encryption: EncryptionStatus) {
  const announce = useAnnounce()
  const replacement = replacementOf(encryption)
  const onEnd = useEffectEvent((ended: Replacement) => {
    const isDone = encryption.state === (ended === 'turning-off' ? 'off' : 'on')
    if (isDone && replacement === null) announce(DONE[ended])
  })
  useEffect(() => (replacement === null ? undefined : () => onEnd(replacement)), [replacement])
}

/** In each step only what it is about, so that on phones, too, its buttons are in view. */
function titleAndText(step: Step, encryption: EncryptionStatus): { title: string; text: ReactNode } {
  switch (step.kind) {
    case 'shown':
    case 'confirming':
      return madeKeyTexts(step)
    case 'checking':
      return { title: 'Check your prayer key', text: <StepText key={step.kind} text={CHECK_IT} /> }
    case 'turning-off':
      return { title: 'Turn off the prayer key', text: <StepText key={step.kind} text={AFTER_IT} /> }
    case 'overview':
      return { title: 'Prayer key', text: <Explanation {...encryption} /> }
  }
}

function Explanation({ state, replacing }: EncryptionStatus) {
  return (
    <>
      <p>
        {state === 'on' && replacing === null && `${DONE.encrypting}. `}
        {!READABLE_STATES.has(state) && (replacing === null || replacing.isNewKey)
          ? 'Only devices that have your prayer key can read your prayers. The server keeps names and texts in a form that nobody else can read.'
          : 'Whoever runs this server can read your prayers. With a prayer key, only your own devices can: names and texts leave them in a form that nobody else can read.'}
      </p>
      <details>
        <summary className="flex min-h-11 items-center justify-between gap-3">
          What it does not protect
          <ChevronDownIcon className="text-ink-faint" />
        </summary>
        <p>
          The server still sees your email address, how many prayers you have, and when you add, pray and
          answer them. A prayer key does not protect you from a server that sends you a changed app, or from
          someone who holds your unlocked device.
        </p>
      </details>
    </>
  )
}

interface OverviewProps {
  encryption: EncryptionStatus
  user: User
  progressRef: RefObject<HTMLParagraphElement | null>
  onMade: (prayerKey: string) => void
  onCheck: () => void
  onOff: () => void
}

function Overview({ encryption, user, progressRef, onMade, onCheck, onOff }: OverviewProps) {
  const { state } = encryption
  const isOn = state === 'on'
  const make = () => void makePrayerKey().then(onMade)
  if (!canEncrypt()) return <p>This needs a site address that begins with https.</p>
  if (state !== 'off' && !isOn)
    return (
      <>
        <Progress encryption={encryption} textRef={progressRef} />
        <UnreadableTexts />
      </>
    )
  return (
    <>
      {!isOn && (
        <>
          <p className="max-w-prose">{WITHOUT_IT}</p>
          <ExportOffer
            user={user}
            text="Save your prayers first: if the key is lost, this file can be imported again. Whoever has the file can read it."
          />
        </>
      )}
      <Progress encryption={encryption} textRef={progressRef} />
      <div className={SECTION_BUTTONS}>
        <Button
          variant={isOn ? 'secondary' : 'primary'}
          disabled={encryption.replacing !== null}
          onClick={make}
        >
          Make a {isOn && 'new '}prayer key
        </Button>
        {isOn && (
          <>
            <Button onClick={onCheck}>Check my key</Button>
            <Button disabled={encryption.replacing?.isNewKey} onClick={onOff}>
              Turn off
            </Button>
          </>
        )}
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

interface ProgressProps {
  encryption: EncryptionStatus
  textRef: RefObject<HTMLParagraphElement | null>
}

function Progress({ encryption, textRef }: ProgressProps) {
  const replacement = replacementOf(encryption)
  if (encryption.replacing === null || replacement === null) return null
  const { done, total, isWaiting } = encryption.replacing
  if (isWaiting)
    return (
      <p ref={textRef} tabIndex={-1} className="max-w-prose">
        {WAITING}
      </p>
    )
  return (
    <ReplacementProgress
      text={`${RUNNING[replacement]}. You can use the app or close it: this goes on when you open it again.`}
      textRef={textRef}
      done={done}
      total={total}
    />
  )
}

/** Tells whether what the user has written down is the key. */
function CheckKey({ onDone }: { onDone: () => void }) {
  const { recognize } = useEncryptionActions()
  const announce = useAnnounce()
  const form = useForm({
    check: checkTyping,
    save: (read) =>
      attempt('check the prayer key', async () => {
        const recognized = await recognize(read('key'))
        if (recognized === null) return { errors: { key: NOT_A_KEY } }
        if (recognized === 'earlier') return { errors: { key: EARLIER_KEY } }
        onDone()
        announce('This is your prayer key')
        return {}
      }),
  })
  return (
    <SectionForm
      form={form}
      buttons={
        <>
          <Button type="submit" variant="primary" loading={form.busy}>
            Check
          </Button>
          <Button disabled={form.busy} onClick={onDone}>
            Cancel
          </Button>
        </>
      }
    >
      <PrayerKeyField error={form.errors.key} />
    </SectionForm>
  )
}

function TurnOff({ user, onDone }: { user: User; onDone: () => void }) {
  const { turnOff } = useEncryptionActions()
  const form = useForm({
    check: (read) => checkSignIn(user, read),
    save: (read) =>
      attempt('turn off encryption', async () => {
        // The database asks for no recent sign-in: others would have to sign out, which makes this device forget the key.
        const wrong = hasPassword(user) ? await proveSignIn(user, read) : null
        if (wrong) return wrong
        await turnOff()
        onDone()
        return {}
      }),
  })
  return (
    <SectionForm
      form={form}
      buttons={
        <>
          <Button type="submit" variant="danger" loading={form.busy}>
            Turn off
          </Button>
          <Button disabled={form.busy} onClick={onDone}>
            Cancel
          </Button>
        </>
      }
    >
      <SignInFields user={user} errors={form.errors} />
    </SectionForm>
  )
}
