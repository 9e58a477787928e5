// Which reminders are sent, to whom, and what becomes of failures. The push service and the mail server are stand-ins.
import fastify from 'fastify'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { createDeliveries } from '#server/reminders/deliveries.ts'
import {
  ALL_REMINDER_EMAILS,
  createReminderService,
  REMINDER_EMAILS_OF_ACCOUNT,
  REMINDER_PUSHES_OF_BROWSER,
} from '#server/reminders/send-due.ts'
import { scheduleReminders } from '#server/reminders/scheduler.ts'
import { call, newUser, sessionOf, signIn, type WireSession } from '#tests/contract/auth/auth-client.ts'
import { textOf } from '#tests/support/mailbox.ts'
import type { BrowserSubscription } from '#tests/support/push-service.ts'
import { addReminder, addUser, DUE, send, subscribe, useReminderWorld } from './reminder-world.ts'

const world = useReminderWorld()
const { server, deliver } = world

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.pool.query<Row>(text, values)).rows
const waiting = async () => (await query('select from private.reminder_deliveries')).length
const payloads = () => world.push.messages.map(({ payload }): unknown => JSON.parse(payload))

/** Adds a prayer for someone. */
async function addPrayer(
  { user }: WireSession,
  columns: { name?: string; pray_days?: number; last_prayed_on?: string } = {},
) {
  await query(
    `with category as (
       insert into public.categories (user_id, name, "order") values ($1, 'Family', 1) returning id
     )
     insert into public.prayers (user_id, category_id, person_name, pray_days, last_prayed_on)
     select $1, id, $2, $3, $4 from category`,
    [user.id, columns.name ?? 'Ruth', columns.pray_days, columns.last_prayed_on],
  )
}

/** A user with a subscribed browser and a reminder by push message. */
async function addSubscriber() {
  const user = await addUser(server)
  const subscription = await subscribe(world, user)
  const reminder = await addReminder(server, user, { by_push: true })
  return { user, subscription, reminder }
}

/** Adds browsers in which a user is signed in. */
async function addBrowsers({ user }: WireSession, count: number) {
  const subscriptions = Array.from({ length: count }, () => world.push.subscribe())
  await query(
    `with browser as (
       select gen_random_uuid() as session, b.endpoint, b.keys from jsonb_to_recordset($2) as b (endpoint text, keys jsonb)
     ), added as (
       insert into auth.sessions (id, user_id) select session, $1 from browser
     )
     insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
     select $1, session, endpoint, keys ->> 'p256dh', keys ->> 'auth', now() from browser`,
    [user.id, JSON.stringify(subscriptions)],
  )
}

const COUNTING = 'private.count_planned_people(uuid, date, integer)'

/** Runs `work` while counting the people of these users begins with a statement. */
async function whileCounting(users: WireSession[], statement: string, work: () => Promise<void>) {
  const ids = users.map(({ user }) => user.id).join()
  await query(`
    alter function ${COUNTING} rename to count_as_before;
    create function private.count_planned_people(owner uuid, today date, most integer) returns integer
      language plpgsql as $$
      begin
        if owner = any('{${ids}}'::uuid[]) then ${statement}; end if;
        return private.count_as_before(owner, today, most);
      end $$`)
  try {
    await work()
  } finally {
    await query(`
      drop function ${COUNTING};
      alter function private.count_as_before(uuid, date, integer) rename to count_planned_people`)
  }
}

describe('a push message', () => {
  it('is signed by the key in the settings, encrypted for the browser, and replaced by a repetition', async () => {
    const { subscription, user } = await addSubscriber()
    await addPrayer(user, { pray_days: 127 })
    await deliver()
    const { body: settings } = await call(server, 'GET', '/settings')
    expect(world.push.messages).toEqual([
      {
        endpoint: subscription.endpoint,
        topic: expect.stringMatching(/^[\w-]{32}$/),
        lifetime: HOUR,
        urgency: 'normal',
        sender: Object(settings).reminders.push_key,
        payload: expect.any(String),
      },
    ])
    expect(payloads()).toEqual([
      {
        tag: world.push.messages[0]?.topic,
        title: 'Time to pray.',
        body: '1 person is planned for today.',
        notToday: expect.stringMatching(/^http:\/\/localhost:3000\/reminders\/v1\/not-today\?token=[\w.-]+$/),
        turnOff: expect.stringMatching(/^http:\/\/localhost:3000\/reminders\/v1\/off\?token=[\w.-]+$/),
      },
    ])
  })

  it('reaches every browser of the user that has not signed out, and says nothing of numbers if nobody is planned', async () => {
    const { user, subscription } = await addSubscriber()
    const phone = sessionOf(await signIn(server, user.user.email))
    const subscribed = await subscribe(world, phone)
    const gone = sessionOf(await signIn(server, user.user.email))
    await subscribe(world, gone)
    await call(server, 'POST', '/logout?scope=local', { token: gone.access_token })
    await deliver()
    const reached = world.push.messages.map(({ endpoint }) => endpoint).toSorted()
    expect(reached).toEqual([subscription.endpoint, subscribed.endpoint].toSorted())
    expect(payloads()).toEqual([expect.not.objectContaining({ body: expect.anything() }), expect.anything()])
  })

  it('counts against a budget of its browser, however often a reminder is moved to another minute', async () => {
    const { user, subscription, reminder } = await addSubscriber()
    const phone = await subscribe(world, sessionOf(await signIn(server, user.user.email)))
    const messages = (endpoint: string) =>
      world.push.messages.filter((message) => message.endpoint === endpoint).length
    const remind = async () => {
      await query('update public.reminders set next_at = $2 where id = $1', [reminder, server.clock.now()])
      await deliver()
      server.clock.advance(MINUTE)
    }
    for (let number = 0; number < REMINDER_PUSHES_OF_BROWSER.burst + 3; number += 1) await remind()
    expect(messages(subscription.endpoint)).toBe(REMINDER_PUSHES_OF_BROWSER.burst)
    expect(messages(phone.endpoint)).toBe(REMINDER_PUSHES_OF_BROWSER.burst)
    expect(await waiting()).toBe(0)
    // Subscribing anew changes nothing.
    const renewed = await subscribe(world, user)
    await remind()
    expect(messages(renewed.endpoint)).toBe(0)
    server.clock.advance(DAY / REMINDER_PUSHES_OF_BROWSER.refill)
    await remind()
    expect(messages(renewed.endpoint)).toBe(1)
    expect(messages(phone.endpoint)).toBe(REMINDER_PUSHES_OF_BROWSER.burst + 1)
  })

  it('that the service does not take counts against no budget', async () => {
    const { reminder } = await addSubscriber()
    world.push.respond = () => 503
    for (let minute = 0; minute < HOUR / MINUTE; minute += 1) {
      await deliver()
      server.clock.advance(MINUTE)
    }
    expect(world.push.requests).toBe(7)
    world.push.respond = () => 201
    await query('update public.reminders set next_at = $2 where id = $1', [reminder, server.clock.now()])
    await deliver()
    expect(world.push.messages).toHaveLength(1)
  })

  it('lasts no longer than the reminder makes sense', async () => {
    await addSubscriber()
    server.clock.advance(40 * MINUTE)
    await deliver()
    expect(world.push.messages).toMatchObject([{ lifetime: 20 * MINUTE }])
  })
})

describe('the number of people', () => {
  const BODY = '1 person is planned for today.'
  const bodies = () => payloads().map((payload): unknown => Object(payload).body)

  it('ends at a limit', async () => {
    const { user } = await addSubscriber()
    await addPrayer(user, { pray_days: 127 })
    await query(
      `insert into public.prayers (user_id, category_id, person_name, pray_days)
       select p.user_id, p.category_id, 'Person ' || n, 127 from public.prayers p, generate_series(1, 500) n`,
    )
    await deliver()
    expect(payloads()).toMatchObject([{ body: 'More than 500 prayers are planned for today.' }])
  })

  it('is that of the prayers in an encrypted account, whose names cannot be compared', async () => {
    const { user } = await addSubscriber()
    await addPrayer(user, { pray_days: 127 })
    await query(
      `insert into public.encryption_keys values ($1, '0123456789ABCDEF', 'decrypting', 3, repeat('p', 43))`,
      [user.user.id],
    )
    await deliver()
    await addPrayer(user, { pray_days: 127, name: 'Boaz' })
    server.clock.advance(24 * HOUR)
    await deliver()
    expect(bodies()).toEqual(['1 prayer is planned for today.', '2 prayers are planned for today.'])
  })

  it('is left out, for this user only, if counting fails', async () => {
    const { user, subscription } = await addSubscriber()
    const other = await addSubscriber()
    for (const one of [user, other.user]) await addPrayer(one, { pray_days: 127 })
    await whileCounting([user], `raise 'too much'`, async () => {
      await deliver()
    })
    const bodyAt = ({ endpoint }: BrowserSubscription) =>
      bodies()[world.push.messages.findIndex((message) => message.endpoint === endpoint)]
    expect(world.push.messages).toHaveLength(2)
    expect([bodyAt(subscription), bodyAt(other.subscription)]).toEqual([undefined, BODY])
    expect(world.log()).toContain('the people for a reminder could not be counted')
    expect(await waiting()).toBe(0)
  })

  it('keeps nobody else’s reminder waiting while it is counted for two users with many browsers', async () => {
    const busy = [await addUser(server), await addUser(server)]
    for (const user of busy) {
      await addBrowsers(user, 20)
      for (let number = 0; number < 3; number += 1) await addReminder(server, user, { by_push: true })
      await addPrayer(user, { pray_days: 127 })
    }
    const other = await addSubscriber()
    await addPrayer(other.user, { pray_days: 127 })
    const holder = await server.database.pool.connect()
    await holder.query('select pg_advisory_lock(1)')
    await whileCounting(busy, 'perform pg_advisory_xact_lock_shared(1)', async () => {
      const delivering = deliver()
      try {
        await expect.poll(() => world.push.messages).toHaveLength(1)
        expect(world.push.messages).toMatchObject([{ endpoint: other.subscription.endpoint }])
      } finally {
        await holder.query('select pg_advisory_unlock(1)')
        holder.release()
        await delivering
      }
    })
    expect(bodies()).toEqual(Array.from({ length: 121 }, () => BODY))
  })

  it('is counted once for all browsers and reminders of a user', async () => {
    const user = await addUser(server)
    await addBrowsers(user, 20)
    for (let number = 0; number < 3; number += 1) await addReminder(server, user, { by_push: true })
    await addPrayer(user, { pray_days: 127 })
    await query('create sequence public.counts')
    await whileCounting([user], `perform nextval('public.counts')`, async () => {
      await deliver()
    })
    expect(await query('select last_value::integer from public.counts')).toEqual([{ last_value: 1 }])
    await query('drop sequence public.counts')
    expect(bodies()).toEqual(Array.from({ length: 60 }, () => BODY))
  })
})

describe('an email', () => {
  it('says as much, has a link to pray, and one-click links that turn the reminder off', async () => {
    const user = await addUser(server, 'ruth@example.org')
    const reminder = await addReminder(server, user, { by_email: true })
    await addPrayer(user, { pray_days: 127 })
    await addPrayer(user, { pray_days: 127, name: 'Boaz' })
    await deliver()
    const [email] = world.smtp.emails
    const source = (email?.source ?? '').replaceAll(/\r\n[ \t]+/g, ' ')
    expect(email?.to).toEqual(['ruth@example.org'])
    expect(source).toMatch(/^Subject: Time to pray\.\r$/m)
    expect(source).toMatch(/^Message-ID: <[\w-]{32}@localhost>\r$/m)
    expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const text = textOf(email?.source ?? '').replaceAll('\r', '')
    expect(text).toContain('2 people are planned for today.')
    expect(text).toContain('Pray now:\nhttp://localhost:3000/pray\n')
    const [, page] = /Turn this reminder off:\n(\S+)\n/.exec(text) ?? []
    const [, url = ''] =
      /^List-Unsubscribe: <http:\/\/localhost:3000\/reminders\/v1(\S+)>\r$/m.exec(source) ?? []
    expect(page).toBe(`http://localhost:3000/turn-off-reminder#${url.split('token=')[1] ?? ''}`)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(`${server.url}/reminders/v1${url}`, {
      method: 'POST',
      headers,
      body: 'List-Unsubscribe=One-Click',
    })
    expect(response.status).toBe(200)
    expect(await query('select enabled from public.reminders where id = $1', [reminder])).toEqual([
      { enabled: false },
    ])
  })

  it('goes only to an address that is proven to be the user’s', async () => {
    await addReminder(server, await newUser(server), { by_email: true })
    const moved = await addUser(server)
    await addReminder(server, moved, { by_email: true })
    await query(`update auth.users set email = 'moved@example.org' where id = $1`, [moved.user.id])
    await deliver()
    expect(world.smtp.emails).toEqual([])
    expect(await waiting()).toBe(0)
  })

  it('stops when the mail server refuses the address for good, and the reminder says so', async () => {
    const user = await addUser(server)
    await addReminder(server, user, { by_email: true, by_push: true })
    await addReminder(server, user, { by_email: true, due: '2026-03-02T08:00:00Z' })
    world.smtp.refuse = '550 5.1.1 No such user'
    await deliver()
    const refused = { by_email: false, email_refused_at: new Date(DUE) }
    expect(await query('select by_email, email_refused_at from public.reminders')).toEqual([refused, refused])
    expect(await waiting()).toBe(0)
    expect(world.log()).not.toContain(user.user.email)
  })

  it.each([
    ['temporarily', '451 4.2.1 Try again later'],
    ['because of the sender', '550 5.7.1 Relaying denied'],
  ])('is tried again when the mail server refuses the address %s', async (_, response) => {
    await addReminder(server, await addUser(server), { by_email: true })
    world.smtp.refuse = response
    await deliver()
    expect(await query('select by_email, email_refused_at from public.reminders')).toEqual([
      { by_email: true, email_refused_at: null },
    ])
    world.smtp.refuse = null
    server.clock.advance(MINUTE)
    await deliver()
    expect(world.smtp.emails).toHaveLength(1)
  })

  it('counts against a budget of its own, for all and for each account, and waits up to an hour when that is used up', async () => {
    const user = await addUser(server)
    for (let number = 0; number <= REMINDER_EMAILS_OF_ACCOUNT.burst; number += 1) {
      await query('delete from public.reminders')
      await addReminder(server, user, { by_email: true })
      await deliver()
    }
    expect(world.smtp.emails).toHaveLength(REMINDER_EMAILS_OF_ACCOUNT.burst)
    // The next one would be too late.
    expect(await waiting()).toBe(0)
    const { status } = await call(server, 'POST', '/recover', { body: { email: user.user.email } })
    expect(status).toBe(200)
    expect(world.smtp.emails).toHaveLength(REMINDER_EMAILS_OF_ACCOUNT.burst + 1)

    await query(`update intercede.rate_limits set tokens = 0 where key = 'reminder'`)
    const other = await addUser(server)
    await addReminder(server, other, { by_email: true })
    await deliver()
    expect(world.smtp.emails).toHaveLength(REMINDER_EMAILS_OF_ACCOUNT.burst + 1)
    server.clock.advance(Math.ceil(HOUR / ALL_REMINDER_EMAILS.refill))
    await deliver()
    expect(world.smtp.emails.at(-1)?.to).toEqual([other.user.email])
  })
})

describe('a reminder is sent', () => {
  it('when it is due, not before, and once', async () => {
    await addSubscriber()
    server.clock.advance(-1)
    expect(await deliver()).toEqual(new Date(DUE))
    expect(world.push.messages).toHaveLength(0)
    server.clock.advance(1)
    expect(await deliver()).toEqual(new Date('2026-03-03T07:00:00Z'))
    await deliver()
    expect(world.push.messages).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  it('up to an hour late; one that a stopped server has missed for longer is skipped', async () => {
    await addSubscriber()
    server.clock.advance(HOUR - 1)
    await deliver()
    expect(world.push.messages).toHaveLength(1)
    server.clock.advance(DAY + 2)
    await deliver()
    server.clock.advance(10 * DAY)
    await deliver()
    expect(world.push.messages).toHaveLength(1)
    expect(await query('select next_at from public.reminders')).toEqual([
      { next_at: new Date('2026-03-14T07:00:00Z') },
    ])
  })

  it('later if its user is changing it, without waiting for that', async () => {
    const { reminder } = await addSubscriber()
    const client = await server.database.pool.connect()
    await client.query('begin')
    await client.query('update public.reminders set weekdays = 1 where id = $1', [reminder])
    await deliver()
    expect(world.push.requests).toBe(0)
    await client.query('rollback')
    client.release()
    await deliver()
    expect(world.push.messages).toHaveLength(1)
  })

  it('by one of two servers that take it at the same time', async () => {
    for (let number = 0; number < 20; number += 1) await addSubscriber()
    const services = [1, 2].map(() => createReminderService({ ...server.services, metrics: new Registry() }))
    await Promise.all(services.map((service) => service.sendDue(new AbortController().signal)))
    for (const service of services) service.close()
    expect(new Set(world.push.messages.map(({ topic }) => topic)).size).toBe(20)
    expect(world.push.messages).toHaveLength(20)
  })

  it('again if a server was killed before it could record it, as the same message', async () => {
    const { user } = await addSubscriber()
    await query('update public.reminders set by_email = true where user_id = $1', [user.user.id])
    const killed = createDeliveries(server.services)
    await killed.plan()
    for (const channel of ['push', 'email'] as const) await killed.claim(channel, 10)
    await deliver()
    expect([world.push.messages, world.smtp.emails]).toEqual([[], []])
    server.clock.advance(3 * MINUTE)
    await deliver()
    const [first] = world.push.messages
    await query(
      `insert into private.reminder_deliveries (reminder_id, due_at, day, subscription_id, try_at)
                 select r.id, $1, '2026-03-02', target.id, $1 from public.reminders r
                 cross join (select id from private.push_subscriptions union all select null) as target`,
      [DUE],
    )
    await deliver()
    expect(world.push.messages.map(({ topic }) => topic)).toEqual([first?.topic, first?.topic])
    const ids = world.smtp.emails.map(({ source }) => /^Message-ID: (.*)\r$/im.exec(source)?.[1])
    expect(ids).toEqual([expect.stringContaining(first?.topic ?? '-'), ids[0]])
  })
})

describe('no reminder is sent', () => {
  it.each([
    ['has prayed on that day', '2026-03-02', 0],
    ['has prayed tomorrow, where it is tomorrow already', '2026-03-03', 0],
    ['has last prayed on the day before', '2026-03-01', 1],
    ['has never prayed', undefined, 1],
  ])('if anything was prayed on that day: the user %s', async (_, last_prayed_on, sent) => {
    const { user } = await addSubscriber()
    await addPrayer(user, last_prayed_on === undefined ? {} : { last_prayed_on })
    await deliver()
    expect(world.push.messages).toHaveLength(sent)
    expect(await waiting()).toBe(0)
  })

  it('by the day in the time zone of the reminder', async () => {
    const user = await addUser(server)
    await subscribe(world, user)
    await addReminder(server, user, { by_push: true, time_zone: 'Pacific/Auckland' })
    await addPrayer(user, { last_prayed_on: '2026-03-01' })
    // 20:00 of the same day there.
    await deliver()
    expect(world.push.messages).toHaveLength(1)
    await query(`update public.reminders set next_at = '2026-03-02T11:30:00Z'`)
    await query(`update public.prayers set last_prayed_on = '2026-03-02'`)
    server.clock.set('2026-03-02T11:30:00Z')
    // It is 3 March there.
    await deliver()
    expect(world.push.messages).toHaveLength(2)
  })

  it('when it is decided at the moment of sending: the user prays, or turns it off, before it is tried again', async () => {
    for (const text of [
      `update public.prayers set last_prayed_on = '2026-03-02'`,
      'update public.reminders set enabled = false',
      'update public.reminders set by_push = false',
      `update public.reminders set skipped_on = '2026-03-02'`,
      'delete from public.reminders',
      'delete from auth.sessions',
      `update auth.users set banned_until = 'infinity'`,
      'delete from auth.users',
    ]) {
      await query('delete from auth.users')
      server.clock.set(DUE)
      const { user } = await addSubscriber()
      await addPrayer(user)
      world.push.respond = () => 503
      await deliver()
      expect(await waiting()).toBe(1)
      world.push.respond = () => 201
      await query(text)
      server.clock.advance(MINUTE)
      await deliver()
      expect(world.push.messages, text).toHaveLength(0)
      expect(await waiting(), text).toBe(0)
    }
  })
})

describe('a failure of the push service', () => {
  /** The minutes after the reminder at which the service was asked. */
  async function minutesOfRequests(): Promise<number[]> {
    const minutes: number[] = []
    for (let minute = 0; minute < 70; minute += 1) {
      const before = world.push.requests
      await deliver()
      if (world.push.requests > before) minutes.push(minute)
      server.clock.advance(MINUTE)
    }
    return minutes
  }

  it.each([429, 500, 503])(
    'with status %i is tried again with growing pauses until the reminder is an hour late',
    async (status) => {
      await addSubscriber()
      world.push.respond = () => status
      expect(await minutesOfRequests()).toEqual([0, 1, 3, 7, 15, 31, 47])
      expect(await waiting()).toBe(0)
      // The last one is logged for the operator, by default.
      const failures = [...world.log().matchAll(/^.*a reminder could not be sent.*$/gm)]
      expect(failures.map(([line]): unknown => JSON.parse(line))).toMatchObject([
        ...Array.from({ length: 6 }, () => ({ level: 30 })),
        { level: 40, channel: 'push', host: new URL(world.push.origin).host, reason: status },
      ])
    },
  )

  it('of the network is tried again, and the reminder arrives once', async () => {
    const { subscription } = await addSubscriber()
    const { config } = server.services
    const { pushServices } = config
    const unreachable = 'http://localhost:1'
    config.pushServices = [unreachable]
    await query('update private.push_subscriptions set endpoint = $1', [`${unreachable}/push/x`])
    await deliver()
    config.pushServices = pushServices
    expect(world.log()).toContain('ECONNREFUSED')
    await query('update private.push_subscriptions set endpoint = $1', [subscription.endpoint])
    server.clock.advance(MINUTE)
    await deliver()
    expect(world.push.messages).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  it.each([404, 410])('with status %i removes the browser, which can find out', async (status) => {
    const { user } = await addSubscriber()
    world.push.respond = () => status
    expect(await minutesOfRequests()).toEqual([0])
    server.clock.set(DUE)
    const { body } = await send(server, 'GET', '/subscription', { token: user.access_token })
    expect(body).toEqual({ endpoint: null, devices: 0 })
  })

  it.each([302, 307, 400, 403, 413])(
    'with status %i is logged once, without the address, and not tried again or elsewhere',
    async (status) => {
      const { subscription } = await addSubscriber()
      world.push.respond = () => status
      expect(await minutesOfRequests()).toEqual([0])
      expect(world.push.requests).toBe(1)
      expect(world.log().match(/a push service rejected a reminder/g)).toHaveLength(1)
      expect(world.log()).not.toContain(new URL(subscription.endpoint).pathname)
    },
  )

  it('at one browser does not keep the message from another, and is not repeated there', async () => {
    const { user, subscription } = await addSubscriber()
    const phone = sessionOf(await signIn(server, user.user.email))
    const { endpoint } = await subscribe(world, phone)
    world.push.respond = (path) => (subscription.endpoint.endsWith(path) ? 503 : 201)
    await minutesOfRequests()
    expect(world.push.messages).toMatchObject([{ endpoint }])
  })
})

it('nothing that users write is in a message, an email, an address or the log', async () => {
  const { user } = await addSubscriber()
  await addReminder(server, user, { by_email: true })
  await query(
    `with category as (
       insert into public.categories (user_id, name, "order") values ($1, 'Mulberry', 1) returning id
     ), prayer as (
       insert into public.prayers (user_id, category_id, person_name, note, pray_days) select $1, id, 'Zerubbabel', 'Quicksilver', 127 from category
       returning id
     )
     insert into public.prayer_updates (user_id, prayer_id, body) select $1, id, 'Tamarisk' from prayer`,
    [user.user.id],
  )
  await query(`update auth.users set raw_user_meta_data = '{"full_name": "Hephzibah"}'`)
  world.push.respond = (_path, number) => (number === 0 ? 503 : 201)
  await deliver()
  server.clock.advance(MINUTE)
  await deliver()
  expect([world.push.messages.length, world.smtp.emails.length]).toEqual([1, 1])
  const email = world.smtp.emails[0]?.source ?? ''
  const said = JSON.stringify([world.push.messages, email, textOf(email), world.log()])
  for (const word of ['Mulberry', 'Zerubbabel', 'Quicksilver', 'Tamarisk', 'Hephzibah'])
    expect(said).not.toContain(word)
  expect(world.log()).not.toMatch(/token=|\/push\/|example\.org/)
})

it('a server sends what is due as soon as it listens, and sleeps until it closes', async () => {
  await addSubscriber()
  const app = fastify()
  scheduleReminders(app, { ...server.services, metrics: new Registry() })
  await app.listen({ port: 0 })
  await expect.poll(() => world.push.messages).toHaveLength(1)
  await expect.poll(waiting).toBe(0)
  await app.close()
})

it('counts attempts for the operator', async () => {
  await addSubscriber()
  await deliver()
  expect(await server.services.metrics.metrics()).toContain(
    'intercede_reminders_total{channel="push",outcome="sent"} ',
  )
})
