import type { User } from '@supabase/auth-js'
import type { Notifications } from '#web/data/notifications.ts'
import type { Reminder, ReminderService } from '#web/data/reminders.ts'
import { dateText, weekdaysText } from '#web/lib/days/day-text.ts'
import { type Day, localDay } from '#web/lib/days/days.ts'

/** For example "07:00", as fields for times have it too. */
export function clockText({ remind_at }: Pick<Reminder, 'remind_at'>): string {
  return remind_at.slice(0, 5)
}

/** For example "Every day at 07:00". */
export function whenText(reminder: Pick<Reminder, 'remind_at' | 'weekdays'>): string {
  return `${weekdaysText(reminder.weekdays)} at ${clockText(reminder)}`
}

/** For example "Mondays to Fridays · Notification and email". */
export function summaryText({ weekdays, by_push, by_email }: Reminder): string {
  const ways = [by_push && 'Notification', by_email && (by_push ? 'email' : 'Email')].filter(Boolean)
  return [weekdaysText(weekdays), ways.join(' and ')].filter((part) => part !== '').join(' · ')
}

/** Why the user gets no reminders by email; null if nothing is in the way. */
export function emailProblem({ sendsEmail }: ReminderService, { email, identities }: User): string | null {
  if (!sendsEmail) return 'This server sends no email.'
  if (!email) return 'Reminders by email need an address: you can add one under “Profile”.'
  const isConfirmed = identities?.some(
    ({ identity_data: data }) => data?.['email_verified'] === true && data['email'] === email,
  )
  return isConfirmed
    ? null
    : 'Reminders by email need a confirmed address. Any link that we email you confirms it, such as that of “Forgot your password?”.'
}

/** Whether a reminder is to be shown as a notification, and no device has them on. */
export function lacksDevice({ enabled, by_push }: Reminder, { devices }: Notifications): boolean {
  return enabled && by_push && devices === 0
}

/** Time zones that some browsers still call by a former name of the place, or a former spelling. */
const CURRENT_NAMES: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])

/** A time zone as users know it, for example "Asia/Ho Chi Minh". */
export function timeZoneText(name: string): string {
  return (CURRENT_NAMES.get(name) ?? name).replaceAll('_', ' ')
}

interface Surroundings {
  service: ReminderService
  user: User
  today: Day
}

/** Why a reminder does not arrive in the way that was chosen. A reminder that is off has no problems. */
export function problemsOf(reminder: Reminder, { service, user, today }: Surroundings): string[] {
  const { enabled, by_push, by_email, next_at, email_refused_at } = reminder
  if (!enabled) return []
  return [
    next_at === null && 'The server does not know your time zone: please choose another one.',
    by_email && emailProblem(service, user),
    email_refused_at !== null &&
      `Your mail server refused our email on ${dateText(localDay(email_refused_at), today)}, so no more is sent. You can choose “Email” again when your address works.`,
    !by_push && !by_email && 'Please choose how it should reach you.',
  ].filter((problem) => typeof problem === 'string')
}
