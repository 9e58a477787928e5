import { array, boolean, type InferOutput, nullable, number, object, optional, parse, string } from 'valibot'
import { UserError } from '#web/lib/error-message.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { authConnection } from '#web/lib/session/auth-connection.ts'
import { rest } from './rest-client.ts'

const reminderSchema = object({
  id: string(),
  /** As a clock shows it, for example `07:00:00`. */
  remind_at: string(),
  /** The bits of the weekdays, as in `prayers.pray_days`. */
  weekdays: number(),
  /** For example `Europe/Lisbon`. */
  time_zone: string(),
  /** To all of the user's devices that have notifications on. */
  by_push: boolean(),
  by_email: boolean(),
  /** False when the user has turned it off, here or in a message. */
  enabled: boolean(),
  /** Null also while it is on, if the server does not know the time zone. */
  next_at: nullable(string()),
  /** When the mail server refused the user's address for good, which set `by_email` to false. */
  email_refused_at: nullable(string()),
})

/** When the user wants to be reminded to pray. Reminders stay on the server: without it, none is sent. */
export type Reminder = InferOutput<typeof reminderSchema>

/** What the user chooses of a reminder. */
export type ReminderChoices = Pick<Reminder, 'remind_at' | 'weekdays' | 'time_zone' | 'by_push' | 'by_email'>

export const MAX_REMINDERS = 3

/** The reminders of the user, by time. Like all requests here, it may reject. */
export async function fetchReminders(): Promise<Reminder[]> {
  const { data } = await rest.from('reminders').select('*').throwOnError()
  return inOrder(parse(array(reminderSchema), data))
}

export function inOrder(reminders: readonly Reminder[]): Reminder[] {
  return reminders.toSorted((a, b) => a.remind_at.localeCompare(b.remind_at))
}

/** @returns the reminder as the server has it */
export async function addReminder(choices: ReminderChoices): Promise<Reminder> {
  const { data } = await rest.from('reminders').insert(choices).select('*').throwOnError()
  return onlyOne(data)
}

/** @returns the reminder as the server has it */
export async function changeReminder(
  id: string,
  changes: ReminderChoices | Pick<Reminder, 'enabled'>,
): Promise<Reminder> {
  const { data } = await rest.from('reminders').update(changes).eq('id', id).select('*').throwOnError()
  return onlyOne(data)
}

function onlyOne(rows: unknown): Reminder {
  const [reminder] = parse(array(reminderSchema), rows)
  if (!reminder) throw new UserError('This reminder was deleted on another device.')
  return reminder
}

/** It is no error if it is deleted already. */
export async function deleteReminder(id: string): Promise<void> {
  await rest.from('reminders').delete().eq('id', id).throwOnError()
}

/** Sets the time zone of all reminders. Resolves to them. */
export async function changeTimeZone(time_zone: string): Promise<Reminder[]> {
  const all = rest.from('reminders').update({ time_zone }).not('id', 'is', null)
  const { data } = await all.select('*').throwOnError()
  return inOrder(parse(array(reminderSchema), data))
}

const settingsSchema = object({ reminders: optional(object({ push_key: string(), email: boolean() })) })

/** How the server sends reminders. */
export interface ReminderService {
  /** What the browser needs to subscribe to its push messages. */
  pushKey: string
  sendsEmail: boolean
}

/** Null if the server sends no reminders, as a Supabase project. */
export async function fetchReminderService(): Promise<ReminderService | null> {
  const { url, headers } = authConnection
  const response = await fetchWithTimeout(`${url}/settings`, { headers })
  if (!response.ok) throw new Error('The settings of the server could not be read.')
  const { reminders } = parse(settingsSchema, await response.json())
  return reminders ? { pushKey: reminders.push_key, sendsEmail: reminders.email } : null
}
