import { useMemo, useRef, useState } from 'react'
import { type DeviceSession, endOtherSessions, endSession, fetchSessions } from '#web/data/sessions.ts'
import { useKeyQuestion } from '#web/data/key-question.ts'
import { useCountUnsaved } from '#web/data/sync-status.ts'
import { dayText } from '#web/lib/days/day-text.ts'
import { localDay, useToday } from '#web/lib/days/days.ts'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { isInstalled } from '#web/lib/notification-support.ts'
import { signOut } from '#web/lib/session/session.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { useFocusAfterRemoval } from '#web/ui/focus.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { NotLoaded, useLoaded } from '../loaded.tsx'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { unsavedText } from '../your-data/your-data-texts.ts'
import { deviceName } from './device-name.ts'

/** Where the user is signed in, and signing out there. */
export function DevicesSection() {
  const { devices, busy, error, question, reload, signOutOf, signOutOthers, cancel } = useDevices()
  const hasOthers = devices?.some((device) => !device.is_current) ?? false
  return (
    <>
      <SettingsSection
        id="signed-in"
        title="Signed in"
        text={
          <p>
            A device that you sign out deletes its copy of your prayers the next time it is online. Changes
            that it has not sent stay there for 30 days.
          </p>
        }
      >
        {devices === null ? (
          <NotLoaded error={error} offlineText="The list needs a connection." onReload={reload} />
        ) : (
          <>
            {error && <InlineError>{error}</InlineError>}
            <DeviceList devices={devices} busy={busy} onSignOut={signOutOf} />
          </>
        )}
      </SettingsSection>
      {hasOthers && (
        <SettingsSection
          id="everywhere-else"
          title="Everywhere else"
          text={<p>For a lost device, or if somebody else may know your password: then set a new one too.</p>}
        >
          <div className={SECTION_BUTTONS}>
            <Button loading={busy === 'others'} onClick={signOutOthers}>
              Sign out everywhere else
            </Button>
          </div>
        </SettingsSection>
      )}
      {question && (
        <AlertDialog
          title="Sign out"
          message={question.text}
          confirmLabel="Sign out"
          onConfirm={() => {
            cancel()
            question.onConfirm()
          }}
          onCancel={cancel}
        />
      )}
    </>
  )
}

interface DeviceListProps {
  devices: readonly DeviceSession[]
  /** What is being signed out: the id of a device. */
  busy: string | null
  onSignOut: (device: DeviceSession) => void
}

function DeviceList({ devices, busy, onSignOut }: DeviceListProps) {
  const list = useRef<HTMLDivElement>(null)
  const today = useToday()
  const ids = useMemo(() => devices.map(({ id }) => id), [devices])
  const focusHandlers = useFocusAfterRemoval(list, ids)
  return (
    <div ref={list} {...focusHandlers}>
      <ul className="-mb-3 divide-y divide-line border-t border-line">
        {devices.map((device) => (
          <li key={device.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            {/* So wide whatever it says, the buttons are in one place. */}
            <div className="min-w-0 flex-1 basis-36">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
                {deviceName(device.user_agent)}
                {device.is_current && <Badge tone="info">This device</Badge>}
              </p>
              <p id={`usage-${device.id}`} className="text-sm text-ink-soft">
                {usageText(device, today)}
              </p>
            </div>
            <Button
              className="text-sm"
              aria-label={`Sign out ${device.is_current ? 'this device' : deviceName(device.user_agent)}`}
              // Several may have the same name.
              aria-describedby={`usage-${device.id}`}
              loading={busy === device.id}
              onClick={() => onSignOut(device)}
            >
              Sign out
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * When a device was signed in, which tells those of the same name apart, and when it was used: only its day, because sessions are renewed
 * once an hour. Only this device says whether the app is installed: of the others, the auth service (ours, or Supabase's) stores the user
 * agent, which does not say so, and tabs share the session of the app that is installed in the same browser.
 */
function usageText({ created_at, last_used_at, is_current }: DeviceSession, today: string): string {
  const time = new Date(created_at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const signedIn = `Signed in ${dayText(localDay(created_at), today)} at ${time}`
  if (is_current) return isInstalled() ? `Installed app · ${signedIn}` : signedIn
  return `${signedIn} · Last used ${dayText(localDay(last_used_at), today)}`
}

/** This one first. */
async function fetchDevices(): Promise<readonly DeviceSession[]> {
  return (await fetchSessions()).toSorted((a, b) => Number(b.is_current) - Number(a.is_current))
}

/** The devices, and what can be done to them. */
function useDevices() {
  const [devices, setDevices, { error, setError, reload }] = useLoaded('load your devices', fetchDevices)
  const [busy, setBusy] = useState<string | null>(null)
  const [question, setQuestion] = useState<{ text: string; onConfirm: () => void } | null>(null)
  const keyQuestion = useKeyQuestion()
  const countUnsaved = useCountUnsaved()
  const { submit } = useSubmission()
  const announce = useAnnounce()

  /** @param target id of a device, or `others` */
  const end = (target: string, operation: Operation, run: () => Promise<void>) =>
    void submit(async () => {
      setBusy(target)
      setError(null)
      try {
        await run()
      } catch (failure) {
        setError(reportError(operation, failure))
      }
      setBusy(null)
    })
  /** Asks first if changes of this device, or the only copies of the prayer key, would be lost. */
  const askAndEnd: typeof end = (target, operation, run) =>
    end(target, operation, async () => {
      const isHere = devices?.some(({ id, is_current }) => is_current && id === target)
      const count = isHere ? await countUnsaved() : 0
      const text = [keyQuestion, count > 0 && `${unsavedText(count)} Sign out anyway?`].filter(Boolean)
      if (text.length === 0) await run()
      else setQuestion({ text: text.join(' '), onConfirm: () => end(target, operation, run) })
    })
  return {
    devices,
    busy,
    error,
    reload,
    /** What the user is asked before something is signed out; null if nothing. */
    question,
    signOutOf: ({ id, user_agent, is_current }: DeviceSession) =>
      askAndEnd(id, 'sign out that device', async () => {
        if (is_current) return signOut('local')
        await endSession(id)
        setDevices((before) => before && before.filter((device) => device.id !== id))
        announce(`${deviceName(user_agent)} is signed out`)
      }),
    signOutOthers: () =>
      askAndEnd('others', 'sign out the other devices', async () => {
        await endOtherSessions()
        setDevices((before) => before && before.filter((device) => device.is_current))
        announce('All other devices are signed out')
      }),
    cancel: () => setQuestion(null),
  }
}
