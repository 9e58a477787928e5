import type { Factor, User } from '@supabase/auth-js'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useKeyQuestion } from '#web/data/key-question.ts'
import { useConnection } from '#web/data/sync-status.ts'
import { countText } from '#web/lib/count-text.ts'
import { dayText } from '#web/lib/days/day-text.ts'
import { localDay, useToday } from '#web/lib/days/days.ts'
import { reportError } from '#web/lib/error-message.ts'
import type { Proof } from '#web/lib/session/change-account.ts'
import {
  appsOf,
  countRecoveryCodes,
  createRecoveryCodes,
  MAX_APPS,
  nameOfApp,
  removeApp,
} from '#web/lib/session/second-factor.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { AddApp, type AddedApp } from './add-app.tsx'
import { ConfirmForm } from './change-form.tsx'
import { NewRecoveryCodes, RecoveryCodes } from './recovery-codes.tsx'

type Step =
  | { kind: 'overview' }
  | { kind: 'adding' }
  | { kind: 'removing'; app: Factor }
  | { kind: 'making-codes' }
  | { kind: 'codes'; codes: readonly string[] }

const OVERVIEW: Step = { kind: 'overview' }

/** Two-factor sign-in: turning it on and off, a second app, and recovery codes. */
export function TwoFactorSection({ user }: { user: User }) {
  const apps = appsOf(user)
  const isOn = apps.length > 0
  const buttons = useRef<HTMLDivElement>(null)
  const pressed = useRef<HTMLElement>(null)
  const [step, setStep] = useState(OVERVIEW)
  const [error, setError] = useState<string | null>(null)
  const unused = useUnusedCodes(isOn && step.kind === 'overview')
  const announce = useAnnounce()
  const keyQuestion = useKeyQuestion()

  const show = (next: Step) => {
    setError(null)
    setStep(next)
  }
  const begin = (next: Step) => (event: MouseEvent<HTMLElement>) => {
    pressed.current = event.currentTarget
    show(next)
    ignoreSecondClick()
  }
  const close = () =>
    keepFocus(
      () => show(OVERVIEW),
      () => (pressed.current?.isConnected ? pressed.current : buttons.current?.querySelector('button')),
    )
  const showCodes = (codes: readonly string[] | null) =>
    codes === null ? close() : show({ kind: 'codes', codes })
  const finish = async ({ name, proof, isFirst }: AddedApp) => {
    announce(isFirst ? 'Two-factor sign-in is on. All other devices are signed out.' : `“${name}” was added`)
    if (!isFirst) return close()
    try {
      showCodes(await createRecoveryCodes(proof))
    } catch (failure) {
      reportError('make recovery codes', failure)
      show({ kind: 'making-codes' })
      setError('Two-factor sign-in is on, but your recovery codes could not be made. Please try again.')
    }
  }
  const [onlyApp] = apps.length === 1 ? apps : []
  return (
    <SettingsSection
      id="two-factor"
      title="Two-factor sign-in"
      text={
        <p>
          {isOn
            ? 'Signing in takes a code from your authenticator app as well as your password.'
            : 'Signing in then takes a code from an authenticator app as well, so a stolen password is not enough.'}
          {!isOn && keyQuestion !== null && ` Turning it on signs out all your other devices. ${keyQuestion}`}
        </p>
      }
    >
      {isOn && (
        <AppList
          apps={apps}
          disabled={step.kind !== 'overview'}
          onRemove={(app) => begin({ kind: 'removing', app })}
        />
      )}
      {error && <InlineError>{error}</InlineError>}
      {step.kind === 'overview' && isOn && <UnusedCodes count={unused} hasOneApp={onlyApp !== undefined} />}
      {/* Hidden rather than removed, so that the button that was pressed can get the focus back. */}
      <div ref={buttons} hidden={step.kind !== 'overview'} className={SECTION_BUTTONS}>
        {apps.length < MAX_APPS && (
          <Button onClick={begin({ kind: 'adding' })}>{isOn ? 'Add a second app' : 'Set up'}</Button>
        )}
        {isOn && unused !== null && (
          <Button onClick={begin({ kind: 'making-codes' })}>Make new recovery codes</Button>
        )}
        {onlyApp && <Button onClick={begin({ kind: 'removing', app: onlyApp })}>Turn off</Button>}
      </div>
      {step.kind === 'adding' && <AddApp user={user} onAdded={finish} onCancel={close} />}
      {step.kind === 'removing' && (
        <RemoveApp
          app={step.app}
          isLast={apps.every(({ id }) => id === step.app.id)}
          user={user}
          onRemoved={(message) => {
            close()
            announce(message)
          }}
          onCancel={close}
        />
      )}
      {step.kind === 'making-codes' && <NewRecoveryCodes user={user} onMade={showCodes} onCancel={close} />}
      {step.kind === 'codes' && <RecoveryCodes codes={step.codes} user={user} onKept={close} />}
    </SettingsSection>
  )
}

interface RemoveAppProps {
  app: Factor
  /** Whether that turns two-factor sign-in off. */
  isLast: boolean
  user: User
  /** @param message what to announce */
  onRemoved: (message: string) => void
  onCancel: () => void
}

function RemoveApp({ app, isLast, user, onRemoved, onCancel }: RemoveAppProps) {
  const save = async (proof: Proof) => {
    const isOn = await removeApp(app.id, proof)
    onRemoved(isOn ? `“${nameOfApp(app)}” was removed` : 'Two-factor sign-in is off')
  }
  return (
    <ConfirmForm
      user={user}
      operation={isLast ? 'turn off two-factor sign-in' : 'remove the app'}
      submitLabel={isLast ? 'Turn off' : 'Remove'}
      submitVariant="danger"
      save={save}
      onCancel={onCancel}
    >
      {isLast ? (
        'Signing in will no longer take a code, and your recovery codes will stop working.'
      ) : (
        <>
          The codes of “<bdi>{nameOfApp(app)}</bdi>” will stop working. You may be asked for a code from your
          other app straight away.
        </>
      )}
    </ConfirmForm>
  )
}

interface AppListProps {
  apps: readonly Factor[]
  /** Whether something else is being done. */
  disabled: boolean
  /** @returns the handler of the button that removes the app */
  onRemove: (app: Factor) => (event: MouseEvent<HTMLElement>) => void
}

/** The apps; without the button if there is only one, which would turn two-factor sign-in off. */
function AppList({ apps, disabled, onRemove }: AppListProps) {
  const today = useToday()
  return (
    <ul className="divide-y divide-line border-y border-line">
      {apps.map((app) => (
        <li key={app.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
          <div className="min-w-0">
            <p className="font-medium wrap-anywhere">
              <bdi>{nameOfApp(app)}</bdi>
            </p>
            <p className="text-sm text-ink-soft">Added {dayText(localDay(app.created_at), today)}</p>
          </div>
          {apps.length > 1 && (
            <Button
              className="text-sm"
              aria-label={`Remove “${nameOfApp(app)}”`}
              disabled={disabled}
              onClick={onRemove(app)}
            >
              Remove
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** @param count null if the server has no recovery codes, undefined while it is not known */
function UnusedCodes({ count, hasOneApp }: { count: number | null | undefined; hasOneApp: boolean }) {
  if (count === undefined) return null
  return <p className="max-w-prose text-ink-soft">{unusedText(count, hasOneApp)}</p>
}

function unusedText(count: number | null, hasOneApp: boolean): string {
  if (count === null) {
    const advice = hasOneApp ? ' Please add a second app, in case you lose the first one.' : ''
    return `This server has no recovery codes.${advice}`
  }
  return count === 0
    ? 'You have no unused recovery code. Please make new ones, in case you lose your phone.'
    : `You have ${countText(count, 'unused recovery code')}, in case you lose your phone.`
}

/** How many recovery codes are unused, while it is wanted; null if the server has none, undefined while it is not known. */
function useUnusedCodes(isWanted: boolean): number | null | undefined {
  const [count, setCount] = useState<number | null>()
  const isConnected = useConnection() === 'connected'
  useEffect(() => {
    if (!isWanted || !isConnected) return undefined
    let isCurrent = true
    countRecoveryCodes().then(
      (counted) => isCurrent && setCount(counted),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, isConnected])
  return count
}
