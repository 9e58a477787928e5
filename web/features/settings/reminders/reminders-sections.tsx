import type { ReactNode } from 'react'
import { useEncryptionState } from '#web/data/encryption-status.ts'
import { NotLoaded } from '../loaded.tsx'
import { SettingsSection } from '../settings-section.tsx'
import { NotificationsSection } from './notifications-section.tsx'
import { ReminderList } from './reminder-list.tsx'
import { TimeZone } from './time-zone.tsx'
import { useReminders } from './use-reminders.ts'

/** When and how the user is reminded to pray. */
export function RemindersSections() {
  const { state, error, reload, actions } = useReminders()
  if (state === null) {
    return (
      <TimesSection>
        <NotLoaded error={error} offlineText="Your reminders need a connection." onReload={reload} />
      </TimesSection>
    )
  }
  const { service, reminders, notifications } = state
  if (service === null) return <NoReminders />
  const [first] = reminders
  const usesNotifications = notifications.here !== 'off' || reminders.some(({ by_push }) => by_push)
  return (
    <>
      <TimesSection>
        <ReminderList service={service} reminders={reminders} notifications={notifications} {...actions} />
        {first && <TimeZone timeZone={first.time_zone} {...actions} />}
      </TimesSection>
      {usesNotifications && <NotificationsSection here={notifications.here} {...actions} />}
    </>
  )
}

function TimesSection({ children }: { children: ReactNode }) {
  const isEncrypted = useEncryptionState() !== 'off'
  return (
    <SettingsSection
      id="times"
      title="Times"
      text={
        <p>
          Up to three times a day. A reminder says “Time to pray.” and how many{' '}
          {isEncrypted ? 'prayers' : 'people'} are planned, never a name. None comes on days when you have
          already prayed.
        </p>
      }
    >
      {children}
    </SettingsSection>
  )
}

/** On a Supabase project, or an older server. */
function NoReminders() {
  return (
    <SettingsSection
      id="times"
      title="Not on this server"
      text={
        <p>
          The server of this site sends no reminders. An alarm, or an event in your calendar that repeats, can
          remind you instead.
        </p>
      }
    >
      {null}
    </SettingsSection>
  )
}
