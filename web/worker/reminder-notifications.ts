import { type InferOutput, is, object, optional, string } from 'valibot'
import { SUBSCRIPTION_CHANGED } from '#web/lib/loading/app-shell.ts'
import { PRAY } from '#web/lib/navigation/routes.ts'

declare const self: ServiceWorkerGlobalScope
/** Filled in by the build: the origin of the API, empty for this one (web/build/service-worker-plugin.ts). */
declare const API_URL: string

/** What the server sends (server/reminders). Whoever has one of its links can follow it: never log them. */
const messageSchema = object({
  /** The same when a message is sent again, which then replaces the first. */
  tag: string(),
  title: string(),
  body: optional(string()),
  notToday: string(),
  turnOff: string(),
})
type Message = InferOutput<typeof messageSchema>

const ICON = '/icon-192.png'
const NOT_TODAY = 'not-today'
const ACTIONS = [
  { action: NOT_TODAY, title: 'Not today' },
  { action: 'off', title: 'Turn off' },
]

/** The actions are missing in TypeScript, because not every browser shows them. */
interface ReminderOptions extends NotificationOptions {
  actions: typeof ACTIONS
}

type Pushed = Pick<PushMessageData, 'json'> | null

interface Click {
  /** Empty for the notification itself. */
  action: string
  notification: Pick<Notification, 'data' | 'close'>
}

/** Shows what was pushed. Browsers want a notification for each message, also for one that cannot be read. */
export async function showReminder(data: Pushed): Promise<void> {
  const message = readMessage(data)
  if (message) await show(message)
  else await self.registration.showNotification('Time to pray.', { icon: ICON })
}

/** Does what was pressed: without opening the app, unless it was the notification itself. */
export async function answerClick({ action, notification }: Click): Promise<void> {
  const message: unknown = notification.data
  notification.close()
  if (action === '' || !is(messageSchema, message)) return openPray()
  const isDone = await follow(action === NOT_TODAY ? message.notToday : message.turnOff)
  if (!isDone)
    await show({ ...message, title: 'That did not work.', body: 'Please try again with a connection.' })
}

/** Lets an open page register the new subscription: the worker cannot sign in. Otherwise the next start of the app does it. */
export async function passOnNewSubscription(): Promise<void> {
  for (const page of await self.clients.matchAll({ type: 'window' })) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have one
    page.postMessage(SUBSCRIPTION_CHANGED)
  }
}

function readMessage(data: Pushed): Message | null {
  try {
    const message: unknown = data?.json()
    return is(messageSchema, message) ? message : null
  } catch {
    return null
  }
}

async function show(message: Message): Promise<void> {
  const { tag, title, body } = message
  const options: ReminderOptions = { tag, icon: ICON, data: message, actions: ACTIONS }
  await self.registration.showNotification(title, body === undefined ? options : { ...options, body })
}

/** Follows a link as the API's own, under whichever name it was sent. Resolves to whether the server has done what it is for. */
async function follow(link: string): Promise<boolean> {
  try {
    const { pathname, search } = new URL(link)
    const { ok, status } = await fetch(API_URL + pathname + search, { method: 'POST', keepalive: true })
    // There is nothing to turn off if the reminder has been deleted.
    return ok || status === 404
  } catch {
    return false
  }
}

/** In the window that was used last, if there is one. */
async function openPray(): Promise<void> {
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (!open) {
    await self.clients.openWindow(PRAY)
    return
  }
  // Browsers allow it for a short time after the click.
  await open.focus().catch(() => undefined)
  await open.navigate(PRAY)
}
