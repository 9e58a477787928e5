import { nullable, number, object, parse, string } from 'valibot'
import { config } from '#web/lib/config.ts'
import { UserError } from '#web/lib/error-message.ts'
import { SUBSCRIPTION_CHANGED } from '#web/lib/loading/app-shell.ts'
import { authErrorIn } from '#web/lib/session/auth-connection.ts'
import { readStoredSession } from '#web/lib/session/stored-session.ts'
import { createUserItem } from '#web/lib/storage/user-items.ts'
import { fetchReminderService } from './reminders.ts'
import { sendAs } from './rest-client.ts'

/** Whether reminders reach the user as notifications. */
export interface Notifications {
  /** On this device. `lost` if they were turned on, and the browser has ended that. */
  here: 'on' | 'off' | 'lost'
  /** How many of the user's devices have them on, this one included. */
  devices: number
}

const NOT_ALLOWED = 'This browser does not allow notifications. Private windows never do.'
const NOT_STORED_YET = 'The app is not completely stored in this browser yet. Please try again in a moment.'

/**
 * Whether reminders still reach this device. Browsers replace and end what they have subscribed to: then they are turned on again. Like all
 * requests here, it may reject.
 *
 * @param pushKey the server's key, from its `ReminderService`
 */
export function checkNotifications(pushKey: string): Promise<Notifications> {
  return inTurn(async () => {
    const registered = await fetchRegistered()
    const subscription = await currentSubscription()
    if (registeredEndpoint().get() === null && registered.endpoint === null)
      return { here: 'off', devices: registered.devices }
    if (subscription && subscription.endpoint === registered.endpoint && hasKey(subscription, pushKey)) {
      registeredEndpoint().set(subscription.endpoint)
      return { here: 'on', devices: registered.devices }
    }
    return renew(pushKey).catch(() => loseNotifications())
  })
}

/** Turns notifications on for this device, once the browser allows them. */
export function turnOnNotifications(pushKey: string): Promise<Notifications> {
  return inTurn(() => renew(pushKey))
}

export function turnOffNotifications(): Promise<Notifications> {
  return inTurn(async () => {
    await callServer('DELETE')
    registeredEndpoint().set(null)
    await unsubscribe()
    return { here: 'off', devices: (await fetchRegistered()).devices }
  })
}

/** Checks the notifications of this device now, and when the browser has replaced its subscription. */
export async function watchNotifications(): Promise<void> {
  navigator.serviceWorker.addEventListener('message', handleMessage)
  await checkAgain()
}

function handleMessage({ data }: MessageEvent): void {
  if (data === SUBSCRIPTION_CHANGED) checkAgain().catch(() => undefined)
}

async function checkAgain(): Promise<void> {
  if (registeredEndpoint().get() === null) return
  const service = await fetchReminderService()
  if (service) await checkNotifications(service.pushKey)
}

/** Ends the subscription of this browser. The server forgets it with the session, or with `turnOffNotifications`. */
export async function unsubscribe(): Promise<void> {
  await (await currentSubscription())?.unsubscribe()
}

/** A new subscription is never wrong: the old one may be gone, or be for the server's former key. */
async function renew(pushKey: string): Promise<Notifications> {
  // Subscribing would ask the user.
  if (Notification.permission !== 'granted') throw new UserError(NOT_ALLOWED)
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration?.active) throw new UserError(NOT_STORED_YET)
  await unsubscribe()
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: pushKey,
  })
  await callServer('PUT', JSON.stringify(subscription))
  registeredEndpoint().set(subscription.endpoint)
  return { here: 'on', devices: (await fetchRegistered()).devices }
}

/** What the server has would reach nobody. */
async function loseNotifications(): Promise<Notifications> {
  await callServer('DELETE')
  return { here: 'lost', devices: (await fetchRegistered()).devices }
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const { serviceWorker }: Partial<Navigator> = navigator
  const registration: Partial<ServiceWorkerRegistration> | undefined = await serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

function hasKey({ options }: PushSubscription, pushKey: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === pushKey
}

/** Where the notifications of the signed-in user were last registered on this device; null while they are off. */
function registeredEndpoint() {
  return createUserItem(readStoredSession()?.user.id ?? '', 'push-endpoint', string(), localStorage)
}

/** One tab after the other: each would end what the other has just subscribed to. */
function inTurn(operation: () => Promise<Notifications>): Promise<Notifications> {
  const { locks }: Partial<Navigator> = navigator
  return locks ? locks.request('intercede-notifications', operation) : operation()
}

const registeredSchema = object({ endpoint: nullable(string()), devices: number() })

/** What the server has for this session, and on how many devices the user has turned notifications on. */
async function fetchRegistered() {
  const response = await callServer('GET')
  return parse(registeredSchema, await response.json())
}

/** Rejects with an `AuthApiError` if the server refuses. */
async function callServer(method: 'GET' | 'PUT' | 'DELETE', body?: string): Promise<Response> {
  const response = await sendAs(null, `${config.url}/reminders/v1/subscription`, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: {
      'x-supabase-api-version': '2024-01-01',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  })
  if (response.ok) return response
  throw await authErrorIn(response)
}
