import type { User } from '@supabase/auth-js'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import {
  canEncrypt,
  groupsOf,
  makePrayerKey,
  readAsTyped,
  useEncryption,
  useEncryptionActions,
} from '#web/data/encryption.ts'
import type { EncryptionStatus } from '#web/data/encryption-status.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { today } from '#web/lib/days/days.ts'
import { PRAYER_KEY } from '#web/lib/navigation/routes.ts'
import { useUser } from '#web/lib/session/session.ts'
import { useConfirmUnload } from '#web/lib/storage/use-draft.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError, TextField } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { type FieldErrors, type ReadField, useForm } from '#web/ui/use-form.ts'
import { saveFile } from '../save-file.ts'
import { SECTION_BUTTONS, SectionForm, SettingsSection } from '../settings-section.tsx'
import { useCopy } from '../use-copy.ts'
import { attempt, useServerAction } from '../use-server-action.ts'
import { ExportOffer } from '../your-data/export-section.tsx'
import { PlainTexts, UnreadableTexts } from './exceptional-texts.tsx'
import { checkProof, ProofField, proveSignIn } from './recent-sign-in.tsx'
import './prayer-key-section.css'

type Step = { kind: 'overview' } | KeyStep | { kind: 'turning-off' }
interface KeyStep {
  kind: 'shown' | 'confirming'
  prayerKey: string
  /** Whether it is to replace another one. */
  isNew: boolean
  /** Whether the server may have it, although that was reported to have failed. */
  isTried?: true
}

const OVERVIEW: Step = { kind: 'overview' }
const WITHOUT_IT =
  'Without the key and without a device that has it, nobody can bring your prayers back, not even whoever runs this server.'
const KEEP_IT = 'Write it down and keep it where you keep your passport.'
const NOT_COPIED = 'This browser could not copy the key. It is selected, so that you can copy it.'
const AFTER_IT =
  'Whoever runs this server will be able to read your prayers again. Your other devices will ask you before they go on.'
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
/** The two groups that users have to enter, to show that they have written the key down. */
const ASKED = [
  { name: 'second', label: 'Second group', index: 1 },
  { name: 'fifth', label: 'Fifth group', index: 4 },
] as const

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
  'new-key': 'Your prayers are encrypted with your new prayer key',
  'turning-off': 'The prayer key is turned off',
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
          onOff={() => setStep({ kind: 'turning-off' })}
        />
      )}
      {(step.kind === 'shown' || step.kind === 'confirming') && (
        <MadeKey step={step} user={user} onStep={setStep} onClose={close} />
      )}
      {step.kind === 'turning-off' && <TurnOff onDone={close} />}
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
      return {
        title: titleOf(step),
        text: (
          <>
            <div className="print:hidden">
              <StepText key={step.kind} text={`Step 1 of 2. ${notInUseText(step)}`} />
            </div>
            <p className="text-ink">{KEEP_IT}</p>
            <p className="hidden print:block">{WITHOUT_IT}</p>
          </>
        ),
      }
    case 'confirming':
      return {
        title: titleOf(step),
        text: (
          <StepText
            key={step.kind}
            text={`Step 2 of 2. ${notInUseText(step)} Please enter two of the six groups that you have written down.`}
          />
        ),
      }
    case 'turning-off':
      return { title: 'Turn off the prayer key', text: <StepText key={step.kind} text={AFTER_IT} /> }
    case 'overview':
      return { title: 'Prayer key', text: <Explanation {...encryption} /> }
  }
}

function titleOf({ isNew }: KeyStep): string {
  return isNew ? 'Your new prayer key' : 'Your prayer key'
}

function notInUseText({ isNew, isTried }: KeyStep): string {
  if (isTried) return `The prayer key may be in use already: keep ${isNew ? 'both' : 'it'}.`
  return isNew
    ? 'The new prayer key is not in use yet: keep your old one.'
    : 'The prayer key is not in use yet: nothing is encrypted.'
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

function Explanation({ state, replacing }: EncryptionStatus) {
  return (
    <>
      <p>
        {state === 'on' && replacing === null && `${DONE.encrypting}. `}
        {!READABLE_STATES.has(state) && (replacing === null || replacing.isNewKey)
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
  user: User
  progressRef: RefObject<HTMLParagraphElement | null>
  onMade: (prayerKey: string) => void
  onOff: () => void
}

function Overview({ encryption, user, progressRef, onMade, onOff }: OverviewProps) {
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
            text="Save your prayers first: if the key is lost, this file can be imported again."
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

interface ProgressProps {
  encryption: EncryptionStatus
  textRef: RefObject<HTMLParagraphElement | null>
}

function Progress({ encryption, textRef }: ProgressProps) {
  const id = useId()
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
    <div className="flex max-w-form flex-col gap-2">
      <p ref={textRef} id={id} tabIndex={-1}>
        {RUNNING[replacement]}. You can use the app or close it: this goes on when you open it again.
      </p>
      <progress aria-labelledby={id} value={done} max={Math.max(total, 1)} className="replacement-progress" />
    </div>
  )
}

interface MadeKeyProps {
  step: KeyStep
  user: User
  onStep: (step: KeyStep) => void
  onClose: () => void
}

/** A prayer key that was made, until it is in use. */
function MadeKey({ step, user, onStep, onClose }: MadeKeyProps) {
  const announce = useAnnounce()
  const isInUse = useRef(false)
  const isShown = step.kind === 'shown'
  // It is stored nowhere.
  useConfirmUnload(true)
  const onLeave = useEffectEvent(() => {
    if (!isInUse.current) announce(notInUseText(step), { leaving: PRAYER_KEY })
  })
  useEffect(() => onLeave, [])
  return (
    <>
      {isShown && (
        <ShownKey
          prayerKey={step.prayerKey}
          user={user}
          onKept={() => onStep({ ...step, kind: 'confirming' })}
          onCancel={onClose}
        />
      )}
      {/* Hidden rather than removed, so that it keeps what was typed. */}
      <div hidden={isShown}>
        <ConfirmKey
          step={step}
          user={user}
          onDone={() => {
            isInUse.current = true
            onClose()
          }}
          onBack={() => onStep({ ...step, kind: 'shown' })}
          onFailed={() => onStep({ ...step, isTried: true })}
        />
      </div>
    </>
  )
}

interface ShownKeyProps {
  prayerKey: string
  user: User
  onKept: () => void
  onCancel: () => void
}

function madeText(): string {
  return `Made on ${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' }).format(new Date())}`
}

/** Shows the prayer key, this once. Printed, the page has it with what belongs to it. */
function ShownKey({ prayerKey, user, onKept, onCancel }: ShownKeyProps) {
  const announce = useAnnounce()
  const copy = useCopy(NOT_COPIED)
  const shown = useRef<HTMLParagraphElement>(null)
  const key = groupsOf(prayerKey).join(' ')
  const [made] = useState(madeText)
  const save = () => {
    const lines = [
      `Prayer key, ${PRODUCT_NAME}`,
      made,
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
    saveFile(`intercede-prayer-key-${today()}.txt`, 'text/plain', lines.join('\n'))
    announce('Prayer key saved')
  }
  return (
    <div className="flex max-w-form flex-col gap-4">
      {/* Where it needs two lines, three groups on each. */}
      <p
        ref={shown}
        className="rounded-md bg-sunken px-4 py-3 text-xl tracking-wide text-balance print:border print:border-line"
      >
        <code>{key}</code>
      </p>
      <p className="hidden wrap-anywhere print:block">
        {PRODUCT_NAME}, {location.origin}
        <br />
        {user.email}
        <br />
        {made}
      </p>
      <p className="print:hidden">
        You will not see it again. Another device asks for it when you sign in there, and this one when you
        sign in again.
      </p>
      <div className={`${SECTION_BUTTONS} print:hidden`}>
        <Button onClick={() => copy(key, shown.current)}>Copy</Button>
        <Button onClick={() => print()}>Print</Button>
        <Button onClick={save}>
          <DownloadIcon />
          Save file
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
  step: KeyStep
  user: User
  onDone: () => void
  onBack: () => void
  onFailed: () => void
}

/** Asks for two groups of the key before anything is encrypted with it. */
function ConfirmKey({ step: { prayerKey, isNew }, user, ...on }: ConfirmKeyProps) {
  const { begin } = useEncryptionActions()
  const checkGroups = (read: ReadField): FieldErrors<(typeof ASKED)[number]['name']> =>
    Object.fromEntries(
      ASKED.map(({ name, index }) => {
        const isRight = readAsTyped(read(name)) === groupsOf(prayerKey)[index]
        return [name, isRight ? null : 'This is not what you were shown']
      }),
    )
  const form = useForm({
    check: (read) => ({ ...checkGroups(read), ...checkProof(user, read) }),
    save: (read) =>
      attempt('make a prayer key', async () => {
        const wrong = await proveSignIn(user, read)
        if (wrong) return wrong
        await begin(prayerKey).catch((failure: unknown) => {
          on.onFailed()
          throw failure
        })
        on.onDone()
        return {}
      }),
  })
  return (
    <SectionForm
      form={form}
      buttons={
        <>
          <Button type="submit" variant="primary" loading={form.busy}>
            {isNew ? 'Use the new key' : 'Encrypt my prayers'}
          </Button>
          <Button disabled={form.busy} onClick={on.onBack}>
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
      return null
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
