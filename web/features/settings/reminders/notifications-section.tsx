import type { Notifications } from '#web/data/notifications.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import {
  isAppleMobile,
  isInstalled,
  isPossible,
  type NotificationSupport,
  useNotificationSupport,
} from '#web/lib/notification-support.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { SECTION_BUTTONS, SettingsSection } from '../settings-section.tsx'
import { useServerAction } from '../use-server-action.ts'

interface NotificationsSectionProps {
  here: Notifications['here']
  onTurnOnHere: () => Promise<string>
  onTurnOffHere: () => Promise<string>
}

const TEXTS: Record<Notifications['here'], string> = {
  on: 'This device shows your reminders.',
  off: 'This device does not show your reminders yet.',
  lost: 'Notifications no longer reach this device: the browser has ended them.',
}

/** Whether this device shows reminders as notifications; if it cannot, why. */
export function NotificationsSection({ here, onTurnOnHere, onTurnOffHere }: NotificationsSectionProps) {
  const support = useNotificationSupport()
  const { busy, error, run } = useServerAction()
  return (
    <SettingsSection
      id="notifications"
      title="Notifications on this device"
      text={
        <>
          <p>{TEXTS[here]}</p>
          {here !== 'on' && support === 'askable' && (
            <p>Your browser asks whether this site may show notifications.</p>
          )}
          <NotificationObstacle support={support} />
        </>
      }
    >
      {error && <InlineError>{error}</InlineError>}
      <div className={`${SECTION_BUTTONS} empty:hidden`}>
        {here === 'on' && (
          <Button loading={busy} onClick={() => run('turn off notifications', onTurnOffHere)}>
            Turn off on this device
          </Button>
        )}
        {here !== 'on' && isPossible(support) && (
          <Button loading={busy} onClick={() => run('turn on notifications', onTurnOnHere)}>
            {here === 'lost' ? 'Turn on again' : 'Turn on'}
          </Button>
        )}
      </div>
    </SettingsSection>
  )
}

/** Why this device cannot show notifications, and what the user can do about it; nothing if it can. */
export function NotificationObstacle({ support }: { support: NotificationSupport }) {
  switch (support) {
    case 'askable':
    case 'granted':
      return null
    case 'denied':
      return <p>This browser blocks notifications of this site. {howToAllow()}</p>
    case 'needs-installation':
      return (
        <>
          <p>On an iPhone or iPad, only an installed app can show notifications:</p>
          <ol className="list-decimal space-y-1 pl-5">
            <li>Press “Share” (a square with an arrow) in the browser.</li>
            <li>Choose “Add to Home Screen”.</li>
            <li>Open {PRODUCT_NAME} from the Home Screen, sign in, and come back to this page.</li>
          </ol>
        </>
      )
    case 'unsupported':
      return (
        <p>
          This browser does not show notifications here. Private windows never do, nor do old browsers, nor
          pages whose address does not begin with https.
        </p>
      )
  }
}

/** Where browsers keep what the user has blocked. */
function howToAllow(): string {
  if (isAppleMobile())
    return `To allow them, open the settings of the device, then “Notifications” and “${PRODUCT_NAME}”.`
  if (isInstalled())
    return `To allow them, open the settings of the device, then its apps, “${PRODUCT_NAME}” and “Notifications”.`
  return navigator.vendor.startsWith('Apple')
    ? 'To allow them, open the settings of Safari, then “Websites” and “Notifications”.'
    : 'To allow them, press the icon before the address of this page, and look for “Notifications” or “Permissions”.'
}
