import {
  checkNotifications,
  type Notifications,
  turnOffNotifications,
  turnOnNotifications,
} from '#web/data/notifications.ts'
import {
  addReminder,
  changeReminder,
  changeTimeZone,
  deleteReminder,
  fetchReminders,
  fetchReminderService,
  inOrder,
  type Reminder,
  type ReminderChoices,
  type ReminderService,
} from '#web/data/reminders.ts'
import { reportError, UserError } from '#web/lib/error-message.ts'
import { isPossible, useNotificationSupport } from '#web/lib/notification-support.ts'
import { refreshUser } from '#web/lib/session/change-account.ts'
import { useLoaded } from '../loaded.tsx'
import { timeZoneText, whenText } from './reminder-texts.ts'

/** Why this device cannot show a reminder. */
const OBSTACLES = {
  denied: 'This browser blocks notifications of this site.',
  'needs-installation': 'An iPhone or iPad shows the notifications of installed apps only.',
  unsupported: 'This browser does not allow notifications in private windows, or cannot show any.',
}

interface State {
  /** Null if the server sends no reminders. */
  service: ReminderService | null
  reminders: readonly Reminder[]
  notifications: Notifications
}

/** The reminders of the user, and what can be done with them. */
export function useReminders() {
  const [state, setState, { error, reload }] = useLoaded('load your reminders', fetchState)
  const support = useNotificationSupport()

  const change = (edit: (before: State) => Partial<State>) =>
    setState((before) => before && { ...before, ...edit(before) })
  const replace = (id: string, replacement: readonly Reminder[]) =>
    change(({ reminders }) => ({
      reminders: inOrder([...reminders.filter((reminder) => reminder.id !== id), ...replacement]),
    }))
  const turnOn = async () => {
    const notifications = await turnOnNotifications(state?.service?.pushKey ?? '')
    change(() => ({ notifications }))
  }
  /** Resolves to what went wrong, or null. */
  const tryToTurnOn = async () => {
    if (!isPossible(support)) return OBSTACLES[support]
    return turnOn().then(
      () => null,
      (failure: unknown) => reportError('turn on notifications', failure),
    )
  }
  /** Has to be called right after a click, before any request. */
  const askIfNecessary = async () => {
    if (support === 'askable') await Notification.requestPermission()
  }
  return {
    state,
    error,
    reload,
    /** They reject if the server does not do what is asked, and otherwise resolve to what to announce. */
    actions: {
      /** @param former what is changed; null for a new reminder */
      onSave: async (former: Reminder | null, choices: ReminderChoices) => {
        // Whoever has turned them off here wants to keep it so when a reminder is changed.
        const isPushChosen = choices.by_push && !former?.by_push && state?.notifications.here !== 'on'
        if (isPushChosen) await askIfNecessary()
        const problem = isPushChosen ? await tryToTurnOn() : null
        const reachesNobody = problem !== null && !choices.by_email && state?.notifications.devices === 0
        if (reachesNobody)
          throw new UserError(`${problem} Nothing was saved, because nothing would reach you.`)
        const saved = former ? await changeReminder(former.id, choices) : await addReminder(choices)
        replace(saved.id, [saved])
        return [`Reminder saved: ${whenText(saved)}`, problem].filter(Boolean).join('. ')
      },
      onTurn: async ({ id }: Reminder, enabled: boolean) => {
        const saved = await changeReminder(id, { enabled })
        replace(id, [saved])
        return `${whenText(saved)} is ${enabled ? 'on' : 'off'}`
      },
      onDelete: async (reminder: Reminder) => {
        await deleteReminder(reminder.id)
        replace(reminder.id, [])
        return `Reminder deleted: ${whenText(reminder)}`
      },
      onChangeTimeZone: async (timeZone: string) => {
        const reminders = await changeTimeZone(timeZone)
        change(() => ({ reminders }))
        return `Time zone: ${timeZoneText(timeZone)}`
      },
      onTurnOnHere: async () => {
        await askIfNecessary()
        await turnOn()
        return 'Notifications are on'
      },
      onTurnOffHere: async () => {
        const notifications = await turnOffNotifications()
        change(() => ({ notifications }))
        return 'Notifications are off on this device'
      },
    },
  }
}

async function fetchState(): Promise<State> {
  const service = await fetchReminderService()
  if (service === null) return { service, reminders: [], notifications: { here: 'off', devices: 0 } }
  const [reminders, notifications] = await Promise.all([
    fetchReminders(),
    checkNotifications(service.pushKey),
    // The address may have been confirmed elsewhere.
    refreshUser().catch(() => undefined),
  ])
  return { service, reminders, notifications }
}
