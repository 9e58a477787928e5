import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import PQueue from 'p-queue'
import { Counter } from 'prom-client'
import { createMailer, isRecipientRefused } from '../mail/mailers.ts'
import { createTokenBuckets, type Quota } from '../db/token-buckets.ts'
import { connectionErrorMessage } from '../db/connection-errors.ts'
import type { Services } from '../services.ts'
import { type Channel, createDeliveries, type Delivery, MAX_DELAY } from './deliveries.ts'
import { type Planned, pushPayload, reminderEmail, tagOf } from './messages.ts'
import { createPushSender, isPushService } from './push.ts'

/** How many of each kind are sent at the same time, and claimed at once. Mail servers accept few connections. */
const LIMITS: Readonly<Record<Channel, { concurrency: number; batch: number }>> = {
  push: { concurrency: 50, batch: 100 },
  email: { concurrency: 5, batch: 10 },
}

/** Milliseconds before each: of 50,000 that are due in the same minute, the last is sent at least three minutes later. */
const PAUSE = 4

/** A budget of their own, so that reminders cannot use up what the recovery of accounts needs; and one for each account. */
export const ALL_REMINDER_EMAILS: Quota = { burst: 1000, refill: 1000, period: 3600 }
export const REMINDER_EMAILS_OF_ACCOUNT: Quota = { burst: 6, refill: 6, period: 86_400 }
/** For each browser, so that nobody gets fewer for having more devices: twice as many as there are reminders a day. */
export const REMINDER_PUSHES_OF_BROWSER: Quota = { burst: 6, refill: 6, period: 86_400 }

/** Seconds before the first repetition; each further pause is twice as long, up to a limit. */
const FIRST_PAUSE = 60
const LONGEST_PAUSE = 16 * 60

/** What became of an attempt. */
type Outcome = 'sent' | 'postponed' | 'rejected' | 'gone'

export interface ReminderService {
  /** Sends everything that is due. Resolves to the time at which something is due next, or to null. */
  sendDue(signal: AbortSignal): Promise<Date | null>
  close(): void
}

export function createReminderService(services: Services): ReminderService {
  const { config, keys, clock, logger, metrics } = services
  const deliveries = createDeliveries(services)
  const buckets = createTokenBuckets(services)
  const mailer = createMailer(services, { keepAlive: true })
  const push = createPushSender({ config, vapid: keys.vapid })
  const attempts = new Counter({
    name: 'intercede_reminders_total',
    help: 'Attempts to send a reminder.',
    labelNames: ['channel', 'outcome'],
    registers: [metrics],
  })
  const send = { push: sendPush, email: sendEmail }

  async function drain(channel: Channel, signal: AbortSignal): Promise<void> {
    const { concurrency, batch } = LIMITS[channel]
    const queue = new PQueue({ concurrency })
    try {
      while (!signal.aborted) {
        const { taken, deliveries: claimed } = await deliveries.claim(channel, batch)
        if (taken === 0) break
        for (const ofUser of byUserAndDay(claimed)) {
          // Encryption takes milliseconds: requests are served in between.
          await delay(PAUSE)
          // The user takes one place until the people are counted, however many browsers wait for that.
          void queue.add(async () => {
            const planned = await countPlanned(ofUser[0])
            for (const [index, delivery] of ofUser.entries()) {
              if (index > 0) await delay(PAUSE)
              void queue.add(() =>
                attempt(channel, { ...delivery, reminder: { ...delivery.reminder, planned } }),
              )
            }
          })
          await queue.onSizeLessThan(1)
        }
      }
    } finally {
      await queue.onIdle()
    }
  }

  /** Never rejects: if the number is not known, because of an error or because it takes too long, the message is sent without it. */
  async function countPlanned({ userId, reminder }: Delivery): Promise<Planned | null> {
    try {
      return await deliveries.countPlanned(userId, reminder.day)
    } catch (err) {
      logger.warn({ err }, 'the people for a reminder could not be counted')
      return null
    }
  }

  /** Never rejects: what could not be recorded is done again when the lease is over. */
  async function attempt(channel: Channel, delivery: Delivery): Promise<void> {
    try {
      attempts.inc({ channel, outcome: await send[channel](delivery) })
    } catch (err) {
      logger.warn({ err }, 'the delivery of a reminder could not be recorded')
    }
  }

  async function sendPush(delivery: Delivery): Promise<Outcome> {
    const { reminder, subscription } = delivery
    if (subscription === null || !isPushService(config, subscription.endpoint)) {
      await deliveries.finish(delivery)
      return 'rejected'
    }
    // A browser that subscribes anew in the same session gets no more.
    const key = budgetKey('reminder-push', subscription.session_id)
    const seconds = await buckets.take(key, REMINDER_PUSHES_OF_BROWSER)
    if (seconds > 0) return await postpone(delivery, seconds)
    const lifetime = MAX_DELAY - Math.round((clock.now().getTime() - reminder.dueAt.getTime()) / 1000)
    const message = { payload: pushPayload(config, keys, reminder), topic: tagOf(reminder), lifetime }
    const { host } = new URL(subscription.endpoint)
    const status = await push.send(subscription, message).catch(connectionErrorMessage)
    if (status === 404 || status === 410) {
      await deliveries.removeSubscription(subscription.id)
      return 'gone'
    }
    if (typeof status === 'string' || status >= 500 || status === 408 || status === 429) {
      await buckets.giveBack(key, REMINDER_PUSHES_OF_BROWSER)
      return await retry(delivery, { channel: 'push', host, reason: status })
    }
    await deliveries.finish(delivery)
    if (status < 300) return 'sent'
    logger.warn({ host, status }, 'a push service rejected a reminder')
    return 'rejected'
  }

  async function sendEmail(delivery: Delivery): Promise<Outcome> {
    const seconds = await takeFromBudget(delivery)
    if (seconds > 0) return await postpone(delivery, seconds)
    try {
      await mailer.send(reminderEmail(config, keys, delivery.email, delivery.reminder))
    } catch (error) {
      if (!isRecipientRefused(error)) {
        return await retry(delivery, { channel: 'email', reason: connectionErrorMessage(error) })
      }
      await deliveries.stopEmails(delivery.userId)
      await deliveries.finish(delivery)
      return 'gone'
    }
    await deliveries.finish(delivery)
    return 'sent'
  }

  /** Counts an email. Resolves to 0, or to the seconds until one may be sent. */
  async function takeFromBudget({ userId }: Delivery): Promise<number> {
    const key = budgetKey('reminder', userId)
    const ofAccount = await buckets.take(key, REMINDER_EMAILS_OF_ACCOUNT)
    if (ofAccount > 0) return ofAccount
    const ofAll = await buckets.take('reminder', ALL_REMINDER_EMAILS)
    if (ofAll > 0) await buckets.giveBack(key, REMINDER_EMAILS_OF_ACCOUNT)
    return ofAll
  }

  async function retry(
    delivery: Delivery,
    failure: { channel: Channel; host?: string; reason: unknown },
  ): Promise<Outcome> {
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (delivery.attempts - 1))
    if (await deliveries.postpone(delivery, pause))
      logger.info(failure, 'a reminder could not be sent, and is tried again')
    else logger.warn(failure, 'a reminder could not be sent within an hour')
    return 'postponed'
  }

  async function postpone(delivery: Delivery, seconds: number): Promise<Outcome> {
    await deliveries.postpone(delivery, seconds)
    return 'postponed'
  }

  return {
    sendDue: async (signal) => {
      let planned = 0
      do {
        planned = await deliveries.plan()
        await Promise.all([drain('push', signal), drain('email', signal)])
      } while (planned > 0 && !signal.aborted)
      return await deliveries.nextTime()
    },
    close: () => {
      mailer.close()
      push.close()
    },
  }
}

/** The deliveries to each user for one day, whose messages have the same number of people. */
function byUserAndDay(deliveries: readonly Delivery[]): [Delivery, ...Delivery[]][] {
  const groups = new Map<string, [Delivery, ...Delivery[]]>()
  for (const delivery of deliveries) {
    const key = `${delivery.userId} ${delivery.reminder.day}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [delivery])
    else group.push(delivery)
  }
  return [...groups.values()]
}

function budgetKey(kind: string, id: string): string {
  return `${kind}:${createHash('sha256').update(id).digest('base64url')}`
}
