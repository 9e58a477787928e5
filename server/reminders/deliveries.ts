import * as v from 'valibot'
import type { Services } from '../services.ts'
import { MOST_COUNTED, type Planned, type Reminder } from './messages.ts'

/** How late a reminder may be, in seconds. After that, it is not sent. */
export const MAX_DELAY = 3600
/** For so many seconds, no other server takes a delivery: longer than sending a whole batch takes. */
const LEASE = 180
/** Reminders that one statement moves on to their next time: few enough that no user's change has to wait for it. */
const BATCH_SIZE = 500

export type Channel = 'push' | 'email'

const Claimed = v.object({
  id: v.string(),
  attempts: v.number(),
  user_id: v.string(),
  reminder_id: v.string(),
  time: v.string(),
  due_at: v.pipe(
    v.string(),
    v.transform((text) => new Date(text)),
  ),
  day: v.string(),
  email: v.nullable(v.string()),
  subscription: v.nullable(
    v.object({
      id: v.string(),
      session_id: v.string(),
      endpoint: v.string(),
      p256dh: v.string(),
      auth: v.string(),
    }),
  ),
})

/** A delivery that this server is to make. */
export interface Delivery {
  id: string
  /** This one included. */
  attempts: number
  userId: string
  /** Without the number of people: claiming counts nobody. */
  reminder: Reminder
  /** The user's address. */
  email: string
  /** Null for an email. */
  subscription: v.InferOutput<typeof Claimed>['subscription']
}

/** The statements about reminders that are due. Times are those of the server's clock. */
export interface Deliveries {
  /** Plans the deliveries of reminders that are due, and moves these on. Resolves to how many there were. */
  plan(): Promise<number>
  /**
   * Claims deliveries that are to be made now. `taken` also counts those that are not to be made any more, which are removed: they are too
   * late, or the user has prayed on that day, wants no more on it, or has turned the reminder off.
   */
  claim(channel: Channel, limit: number): Promise<{ taken: number; deliveries: Delivery[] }>
  /** What is planned for a user's day; a number above `MOST_COUNTED` stands for prayers. */
  countPlanned(userId: string, day: string): Promise<Planned | null>
  /** The time at which there is something to plan or to claim next; null if nothing is known. */
  nextTime(): Promise<Date | null>
  /** Ends a delivery that was made, or cannot be. */
  finish(delivery: Delivery): Promise<void>
  /** Lets any server try a delivery again, after so many seconds. Ends it if that is too late, and resolves to false. */
  postpone(delivery: Delivery, seconds: number): Promise<boolean>
  /** Forgets a browser that is gone, with all deliveries to it. */
  removeSubscription(id: string): Promise<void>
  /** Sends the user no more reminders by email, because the mail server refuses the address. */
  stopEmails(userId: string): Promise<void>
}

/** A reminder that users change at this moment is left for the next time. */
const PLAN = `
  with due as materialized (
    select r.id, r.next_at from public.reminders r
    where r.next_at <= $1 order by r.next_at limit ${String(BATCH_SIZE)} for update skip locked
  ), moved as (
    update public.reminders r
    set next_at = private.next_reminder(r.remind_at, r.weekdays, r.time_zone, $1)
    from due where r.id = due.id
    returning r.id, r.user_id, r.by_push, r.by_email, r.time_zone, due.next_at as due_at, r.next_at
  ), planned as (
    insert into private.reminder_deliveries (reminder_id, due_at, day, subscription_id, try_at)
    select m.id, m.due_at, (m.due_at at time zone m.time_zone)::date, target.subscription_id, m.due_at
    from moved m cross join lateral (
      select s.id as subscription_id from private.push_subscriptions s where m.by_push and s.user_id = m.user_id
      union all
      select null where m.by_email and $2
    ) as target
    where m.next_at is not null
    on conflict do nothing
  )
  select from moved`

/**
 * It claims for many accounts, so it must not take longer for one with many prayers: `max` reads one entry of an index, where for `exists`,
 * PostgreSQL might read all of them. Emails go to an address that an emailed link or a provider has proven only (isAddressProven in
 * auth/account.ts).
 */
const CLAIM = `
  with candidate as materialized (
    select d.* from private.reminder_deliveries d
    where d.try_at <= $1 and (d.subscription_id is null) = $2
    order by d.try_at limit $3 for update skip locked
  ), wanted as materialized (
    select c.id, c.attempts + 1 as attempts, r.user_id, r.id as reminder_id, to_char(r.remind_at, 'HH24:MI') as time,
           c.due_at, c.day, u.email, to_jsonb(s) as subscription
    from candidate c
    join public.reminders r on r.id = c.reminder_id
    join auth.users u on u.id = r.user_id
    left join private.push_subscriptions s on s.id = c.subscription_id
    where c.due_at > $1::timestamptz - make_interval(secs => ${String(MAX_DELAY)})
      and r.enabled and r.skipped_on is distinct from c.day
      and coalesce(u.banned_until <= $1, true)
      and case when c.subscription_id is not null then r.by_push
        else r.by_email and exists (
          select from auth.identities i
          where i.user_id = u.id and i.email = u.email and i.identity_data -> 'email_verified' = 'true'
        )
      end
      and coalesce((select max(p.last_prayed_on) from public.prayers p where p.user_id = r.user_id) < c.day, true)
  ), removed as (
    delete from private.reminder_deliveries d using candidate c
    where d.id = c.id and not exists (select from wanted w where w.id = c.id)
  ), leased as (
    update private.reminder_deliveries d
    set attempts = w.attempts, try_at = $1::timestamptz + make_interval(secs => ${String(LEASE)})
    from wanted w where d.id = w.id
  )
  select to_jsonb(w) as claimed from candidate c left join wanted w on w.id = c.id`

const COUNT_PLANNED = `
  select private.count_planned_people($1, $2, $3) as count,
    case when (private.current_key($1)).key_id is null then 'people' else 'prayers' end as counted`

const NEXT_TIME = `
  select least(
    (select min(next_at) from public.reminders), (select min(try_at) from private.reminder_deliveries)
  ) as time`

const FINISH = 'delete from private.reminder_deliveries where id = $1'
const POSTPONE = 'update private.reminder_deliveries set try_at = $2 where id = $1'
const REMOVE_SUBSCRIPTION = 'delete from private.push_subscriptions where id = $1'
const STOP_EMAILS = `
  update public.reminders set by_email = false, email_refused_at = $2 where user_id = $1 and by_email`

export function createDeliveries({ pool, clock, config }: Services): Deliveries {
  const sendsEmail = config.smtpUrl !== null
  const run = (name: string, text: string, values: unknown[]) =>
    pool.query({ name: `reminders:${name}`, text, values })
  const finish = async ({ id }: Delivery) => {
    await run('finish', FINISH, [id])
  }
  return {
    plan: async () => (await run('plan', PLAN, [clock.now(), sendsEmail])).rowCount ?? 0,
    claim: async (channel, limit) => {
      const { rows } = await pool.query<{ claimed: unknown }>({
        name: 'reminders:claim',
        text: CLAIM,
        values: [clock.now(), channel === 'email', limit],
      })
      const claimed = rows.filter((row) => row.claimed !== null)
      return { taken: rows.length, deliveries: claimed.map((row) => toDelivery(row.claimed)) }
    },
    countPlanned: async (userId, day) => {
      const { rows } = await pool.query<Planned>({
        name: 'reminders:count-planned',
        text: COUNT_PLANNED,
        values: [userId, day, MOST_COUNTED],
      })
      return rows[0] ?? null
    },
    nextTime: async () => {
      const { rows } = await pool.query<{ time: Date | null }>({
        name: 'reminders:next-time',
        text: NEXT_TIME,
      })
      return rows[0]?.time ?? null
    },
    finish,
    postpone: async (delivery, seconds) => {
      const tryAt = clock.now().getTime() + seconds * 1000
      if (tryAt >= delivery.reminder.dueAt.getTime() + MAX_DELAY * 1000) {
        await finish(delivery)
        return false
      }
      await run('postpone', POSTPONE, [delivery.id, new Date(tryAt)])
      return true
    },
    removeSubscription: async (id) => {
      await run('remove-subscription', REMOVE_SUBSCRIPTION, [id])
    },
    stopEmails: async (userId) => {
      await run('stop-emails', STOP_EMAILS, [userId, clock.now()])
    },
  }
}

function toDelivery(claimed: unknown): Delivery {
  const { id, attempts, user_id, reminder_id, time, due_at, day, email, subscription } = v.parse(
    Claimed,
    claimed,
  )
  return {
    id,
    attempts,
    userId: user_id,
    reminder: { id: reminder_id, time, dueAt: due_at, day, planned: null },
    email: email ?? '',
    subscription,
  }
}
