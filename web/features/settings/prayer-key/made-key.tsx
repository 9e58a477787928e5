import type { User } from '@supabase/auth-js'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { groupsOf, isKeyRefused, readAsTyped, useEncryptionActions } from '#web/data/encryption.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { today } from '#web/lib/days/days.ts'
import { PRAYER_KEY } from '#web/lib/navigation/routes.ts'
import { useConfirmUnload } from '#web/lib/storage/use-draft.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { DownloadIcon } from '#web/ui/icons.tsx'
import { type FieldErrors, type ReadField, useForm } from '#web/ui/use-form.ts'
import { saveFile } from '../save-file.ts'
import { SECTION_BUTTONS, SectionForm } from '../settings-section.tsx'
import { useCopy } from '../use-copy.ts'
import { attempt } from '../use-server-action.ts'
import { checkSignIn, proveSignIn, SignInFields } from './recent-sign-in.tsx'

/** A prayer key that was made, and what the user does with it. */
export interface KeyStep {
  kind: 'shown' | 'confirming'
  prayerKey: string
  /** Whether it is to replace another one. */
  isNew: boolean
  /** Whether the server has refused it, or may have it although that was reported to have failed. */
  failed?: 'refused' | 'unknown'
}

export const WITHOUT_IT =
  'Without the key and without a device that has it, nobody can bring your prayers back, not even whoever runs this server.'
const KEEP_IT = 'Write it down and keep it where you keep your passport.'
const NOT_COPIED = 'This browser could not copy the key. It is selected, so that you can copy it.'
/** The two groups that users have to enter, to show that they have written the key down. */
const ASKED = [
  { name: 'second', label: 'Second group', index: 1 },
  { name: 'fifth', label: 'Fifth group', index: 4 },
] as const

/** The title of the section, and its text: above the key, or above the fields that ask for it. */
export function madeKeyTexts(step: KeyStep): { title: string; text: ReactNode } {
  const title = step.isNew ? 'Your new prayer key' : 'Your prayer key'
  if (step.kind === 'confirming')
    return {
      title,
      text: (
        <StepText
          key={step.kind}
          text={`Step 2 of 2. ${notInUseText(step)} Please enter two of the six groups that you have written down.`}
        />
      ),
    }
  return {
    title,
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
}

/** What is said when the key is left, and will not be shown again. */
function leftText(step: KeyStep): string {
  if (step.failed === 'unknown') return notInUseText(step)
  if (step.isNew) return 'The new prayer key is not used: cross it out, and keep your old one.'
  return `The prayer key is not used: cross it out.${step.failed ? '' : ' Nothing is encrypted.'}`
}

function notInUseText({ isNew, failed }: KeyStep): string {
  if (failed === 'unknown') return `The prayer key may be in use already: keep ${isNew ? 'both' : 'it'}.`
  if (isNew) return 'The new prayer key is not in use yet: keep your old one.'
  // Another device may have begun to encrypt with another key.
  return `The prayer key is not in use yet${failed ? '' : ': nothing is encrypted'}.`
}

/** Takes the focus. */
export function StepText({ text }: { text: string }) {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <p ref={ref} tabIndex={-1} className="text-ink">
      {text}
    </p>
  )
}

interface MadeKeyProps {
  step: KeyStep
  user: User
  onStep: (step: KeyStep) => void
  onClose: () => void
}

/** A prayer key that was made, until it is in use. */
export function MadeKey({ step, user, onStep, onClose }: MadeKeyProps) {
  const announce = useAnnounce()
  const progress = useRef<'running' | 'done' | 'left' | null>(null)
  const isShown = step.kind === 'shown'
  // It is stored nowhere.
  useConfirmUnload(true)
  const onLeave = useEffectEvent(() => {
    if (progress.current === 'done') return
    const left: KeyStep = progress.current === 'running' ? { ...step, failed: 'unknown' } : step
    progress.current = 'left'
    announce(leftText(left), { leaving: PRAYER_KEY })
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
          onBegin={() => {
            if (progress.current === 'left') return false
            progress.current = 'running'
            return true
          }}
          onDone={() => {
            progress.current = 'done'
            onClose()
          }}
          onBack={() => onStep({ ...step, kind: 'shown' })}
          onFailed={(failure) => {
            progress.current = null
            const isRefused = isKeyRefused(failure) && step.failed !== 'unknown'
            onStep({ ...step, failed: isRefused ? 'refused' : 'unknown' })
          }}
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
  return `Made on ${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(new Date())}`
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
        Once it is in use, you will not see it again. Your other devices will ask for it, and this one when
        you sign in again.
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
  /** @returns whether it may: not once the key was left, and the user told that it is not used */
  onBegin: () => boolean
  onDone: () => void
  onBack: () => void
  onFailed: (failure: unknown) => void
}

/** Asks for two groups of the key before anything is encrypted with it. */
function ConfirmKey({ step: { prayerKey, isNew }, user, ...on }: ConfirmKeyProps) {
  const { begin } = useEncryptionActions()
  const checkGroups = (read: ReadField): FieldErrors<(typeof ASKED)[number]['name']> =>
    Object.fromEntries(
      ASKED.map(({ name, index }) => {
        const isRight = readAsTyped(read(name)) === groupsOf(prayerKey)[index]
        const wrong = read(name) === '' ? `Please enter the ${name} group` : 'This is not what you were shown'
        return [name, isRight ? null : wrong]
      }),
    )
  const form = useForm({
    check: (read) => ({ ...checkGroups(read), ...checkSignIn(user, read) }),
    save: (read) =>
      attempt('make a prayer key', async () => {
        const wrong = await proveSignIn(user, read)
        if (wrong) return wrong
        if (!on.onBegin()) return {}
        await begin(prayerKey).catch((failure: unknown) => {
          on.onFailed(failure)
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
      <div className="grid grid-cols-2 gap-3">
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
      </div>
      <SignInFields user={user} errors={form.errors} />
    </SectionForm>
  )
}
