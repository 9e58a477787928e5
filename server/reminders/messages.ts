import { createHash } from 'node:crypto'
import type { Config } from '../config.ts'
import type { TokenKeys } from '../jwt/token-keys.ts'
import { composeEmail } from '../mail/compose-email.ts'
import type { Email } from '../mail/mailers.ts'
import { createLinkToken } from './link-token.ts'

/** What a message reminds of. It is shown on lock screens and in lists of emails: no message has a name, a note or a category. */
export interface Reminder {
  id: string
  /** As clocks show it. */
  time: string
  dueAt: Date
  /** The day that it is for. */
  day: string
  /** Null if that is not known. */
  planned: Planned | null
}

/** What is planned for a day. In an encrypted account, the server cannot tell which prayers are for the same person. */
export interface Planned {
  count: number
  counted: 'people' | 'prayers'
}

/** So many planned prayers are looked at to count their people. Beyond, a greater number stands for prayers. */
export const MOST_COUNTED = 500

const TITLE = 'Time to pray.'

function plannedText(planned: Planned | null): string | null {
  if (planned === null || planned.count === 0) return null
  const { count, counted } = planned
  if (count > MOST_COUNTED) return `More than ${String(MOST_COUNTED)} prayers are planned for today.`
  if (count > 1) return `${String(count)} ${counted} are planned for today.`
  return `1 ${counted === 'people' ? 'person' : 'prayer'} is planned for today.`
}

/** The same for the same reminder at the same time: a message with it replaces the one before. 32 characters (RFC 8030, section 5.4). */
export function tagOf({ id, dueAt }: Reminder): string {
  return createHash('sha256')
    .update(`${id} ${dueAt.toISOString()}`)
    .digest()
    .subarray(0, 24)
    .toString('base64url')
}

/** Where a link without sign-in leads that does something to a reminder. */
function actionUrl({ apiUrl, siteUrl }: Config, action: 'off' | 'not-today', token: string): string {
  return `${apiUrl ?? siteUrl}/reminders/v1/${action}?token=${token}`
}

/** The page of the app that turns a reminder off. The token is in the fragment, which is in no log of a server. */
export function turnOffPage({ siteUrl }: Config, token: string): string {
  return `${siteUrl}/turn-off-reminder#${encodeURIComponent(token)}`
}

/** What the service worker shows, and does. */
export function pushPayload(config: Config, keys: TokenKeys, reminder: Reminder): string {
  const token = createLinkToken(keys, { reminderId: reminder.id, day: reminder.day })
  return JSON.stringify({
    tag: tagOf(reminder),
    title: TITLE,
    body: plannedText(reminder.planned) ?? undefined,
    notToday: actionUrl(config, 'not-today', token),
    turnOff: actionUrl(config, 'off', token),
  })
}

/** One press turns the reminder off, in the email and in the mail program (RFC 8058). */
export function reminderEmail(config: Config, keys: TokenKeys, to: string, reminder: Reminder): Email {
  const token = createLinkToken(keys, { reminderId: reminder.id, day: reminder.day })
  const planned = plannedText(reminder.planned)
  const email = composeEmail(to, {
    product: config.productName,
    subject: TITLE,
    heading: TITLE,
    before: planned === null ? [] : [planned],
    action: 'Pray now',
    link: `${config.siteUrl}/pray`,
    after: [`You have asked ${config.productName} to remind you at ${reminder.time}.`],
    secondary: { action: 'Turn this reminder off', link: turnOffPage(config, token) },
  })
  return {
    ...email,
    messageId: `<${tagOf(reminder)}@${new URL(config.siteUrl).hostname}>`,
    headers: {
      'list-unsubscribe': `<${actionUrl(config, 'off', token)}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    },
  }
}
