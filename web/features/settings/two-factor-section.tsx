import type { Factor, User } from '@supabase/auth-js'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from '#web/data/sync-status.ts'
import { countText } from '#web/lib/count-text.ts'
import { dayText } from '#web/lib/days/day-text.ts'
import { localDay, useToday } from '#web/lib/days/days.ts'
import { reportError } from '#web/lib/error-message.ts'
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
import { AlertDialog } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AddApp, type AddedApp } from './add-app.tsx'
import { NewRecoveryCodes, RecoveryCodes } from './recovery-codes.tsx'
import { SECTION_BUTTONS, SettingsSection } from './settings-section.tsx'

type Step =
  | { kind: 'overview' }
  | { kind: 'adding' }
  | { kind: 'making-codes' }
  | { kind: 'codes'; codes: readonly string[] }

const OVERVIEW: Step = { kind: 'overview' }

/** Two-factor sign-in: turning it on and off, a second app, and recovery codes. */
export function TwoFactorSection({ user }: { user: User }) {
  const apps = appsOf(user)
  const isOn = apps.length > 0
  const buttons = useRef<HTMLDivElement>(null)
  const [step, setStep] = useState(OVERVIEW)
  const [error, setError] = useState<string | null>(null)
  const unused = useUnusedCodes(isOn && step.kind === 'overview')
  const announce = useAnnounce()

  const show = (next: Step) => {
    setError(null)
    setStep(next)
  }
  /** @param change removes what has the focus */
  const keepFocusHere = (change: () => void) =>
    keepFocus(change, () => buttons.current?.querySelector('button'))
  const close = () => keepFocusHere(() => show(OVERVIEW))
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
  const removal = useRemoval({ onError: setError, onRemoved: () => keepFocusHere(() => undefined) })
  const [onlyApp] = apps.length === 1 ? apps : []
  return (
    <SettingsSection
      id="two-factor"
      title="Two-factor sign-in"
      text={
        <p>
          {isOn
            ? 'Signing in takes a code from your authenticator app as well as your password.'
            : 'Signing in then takes a code from an authenticator app as well as your password, so that the password alone opens nothing.'}
        </p>
      }
    >
      {isOn && <AppList apps={apps} busy={removal.busy} onRemove={removal.ask} />}
      {error && <InlineError>{error}</InlineError>}
      {step.kind === 'overview' && (
        <>
          {isOn && <UnusedCodes count={unused} hasOneApp={onlyApp !== undefined} />}
          <div ref={buttons} className={SECTION_BUTTONS}>
            {apps.length < MAX_APPS && (
              <Button onClick={() => show({ kind: 'adding' })}>{isOn ? 'Add a second app' : 'Set up'}</Button>
            )}
            {isOn && unused !== null && (
              <Button onClick={() => show({ kind: 'making-codes' })}>Make new recovery codes</Button>
            )}
            {onlyApp && (
              <Button loading={removal.busy === onlyApp.id} onClick={() => removal.ask(onlyApp)}>
                Turn off
              </Button>
            )}
          </div>
        </>
      )}
      {step.kind === 'adding' && <AddApp user={user} onAdded={finish} onCancel={close} />}
      {step.kind === 'making-codes' && <NewRecoveryCodes user={user} onMade={showCodes} onCancel={close} />}
      {step.kind === 'codes' && <RecoveryCodes codes={step.codes} user={user} onKept={close} />}
      {removal.asking && (
        <AlertDialog
          {...confirmation(removal.asking, onlyApp !== undefined)}
          onConfirm={() => removal.confirm(onlyApp !== undefined)}
          onCancel={removal.cancel}
        />
      )}
    </SettingsSection>
  )
}

function confirmation(app: Factor, isLast: boolean) {
  if (isLast) {
    return {
      title: 'Turn off two-factor sign-in',
      message: 'Your password is then enough to sign in, and your recovery codes no longer work.',
      confirmLabel: 'Turn off',
    }
  }
  return {
    title: `Remove “${nameOfApp(app)}”`,
    message: 'Its codes will no longer work. You may be asked for a code from your other app straight away.',
    confirmLabel: 'Remove',
  }
}

interface AppListProps {
  apps: readonly Factor[]
  /** The id of the app that is being removed. */
  busy: string | null
  onRemove: (app: Factor) => void
}

/** The apps; without the button if there is only one, which would turn two-factor sign-in off. */
function AppList({ apps, busy, onRemove }: AppListProps) {
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
              loading={busy === app.id}
              onClick={() => onRemove(app)}
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

interface RemovalOptions {
  onError: (message: string | null) => void
  onRemoved: () => void
}

/** Removes an app, after asking. */
function useRemoval({ onError, onRemoved }: RemovalOptions) {
  const [asking, setAsking] = useState<Factor | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  const { submit } = useSubmission()
  const announce = useAnnounce()
  const remove = (app: Factor, isLast: boolean) =>
    submit(async () => {
      onError(null)
      setBusy(app.id)
      try {
        await removeApp(app.id)
        announce(isLast ? 'Two-factor sign-in is off' : `“${nameOfApp(app)}” was removed`)
      } catch (failure) {
        onError(reportError('remove the app', failure))
      }
      setBusy(null)
      onRemoved()
    })
  return {
    /** The app that the user is being asked about. */
    asking,
    busy,
    ask: setAsking,
    cancel: () => setAsking(null),
    confirm: (isLast: boolean) => {
      if (asking) void remove(asking, isLast)
      setAsking(null)
    },
  }
}
