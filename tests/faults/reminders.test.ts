import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { momentOf } from '#tests/support/local-clock.ts'
import { openTestConnection, type TestConnection } from '#tests/support/pgbouncer.ts'
import { startPushService, type TestPushService } from '#tests/support/push-service.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'
import { createRandom } from './random.ts'

/** Days of the simulation. 365 is a whole year; fewer begin and end around the changes of the clocks. */
const DAYS = Number(process.env['REMINDER_DAYS'] ?? '12')
const SEED = 20_261_128
const USERS = ['Pacific/Auckland', 'Europe/Lisbon', 'America/St_Johns'] as const
const TIMES = ['02:30', '07:00', '23:30'] as const
/** The days before those on which clocks of the users change, in 2027. */
const CHANGES = ['2027-03-13', '2027-03-27', '2027-04-03', '2027-09-25', '2027-10-30', '2027-11-06']
const FIRST_DAY = '2027-01-01'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A fault happens in one of so many moments at which reminders are due. */
const KILLED_IN = DAYS < 365 ? 12 : 60
const RESTARTED_IN = DAYS < 365 ? 30 : 200

const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)

function simulatedDays(): string[] {
  if (DAYS >= 365) return Array.from({ length: DAYS }, (_, index) => addDays(FIRST_DAY, index))
  const length = Math.max(1, Math.round(DAYS / CHANGES.length))
  return CHANGES.flatMap((day) => Array.from({ length }, (_, index) => addDays(day, index)))
}

/** Inside the project, where the server finds its packages. */
const BUNDLE = join(PACKAGE_ROOT, 'test-results/reminder-server')

/** Bundled once: the servers are started dozens of times. */
async function bundleServer(): Promise<void> {
  const input = join(import.meta.dirname, 'reminder-server.ts')
  await build({
    configFile: false,
    root: PACKAGE_ROOT,
    logLevel: 'warn',
    publicDir: false,
    build: { ssr: true, outDir: BUNDLE, target: 'node20', rolldownOptions: { input } },
  })
}

interface Reminder {
  id: string
  zone: string
  time: string
}

let folder: string
let postgres: EmbeddedPostgres
let connection: TestConnection
let push: TestPushService
let smtp: TestSmtpServer
let reminders: Reminder[] = []

// The data need not survive a power cut.
const startPostgres = () => startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } })

beforeAll(async () => {
  await bundleServer()
  folder = await makeDataFolder()
  postgres = await startPostgres()
  connection = await openTestConnection(postgres.url)
  push = await startPushService()
  smtp = await startSmtpServer()
  reminders = await addReminders()
})
afterAll(async () => {
  await smtp.close()
  await push.close()
  await connection.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
  await rm(BUNDLE, { recursive: true, force: true })
})

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Each user has a browser, a proven address, and a reminder at each of the times by both. */
async function addReminders(): Promise<Reminder[]> {
  const added: Reminder[] = []
  for (const zone of USERS) {
    const [user, session] = [randomUUID(), randomUUID()]
    const email = `${zone.replace('/', '.').toLowerCase()}@example.org`
    const { endpoint, keys } = push.subscribe()
    await query('insert into auth.users (id, email) values ($1, $2)', [user, email])
    await query(
      `insert into auth.identities (user_id, provider, provider_id, identity_data)
       values ($1::uuid, 'email', $1::text, jsonb_build_object('email', $2::text, 'email_verified', true))`,
      [user, email],
    )
    await query('insert into auth.sessions (id, user_id) values ($1, $2)', [session, user])
    await query(
      `insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
       values ($1, $2, $3, $4, $5, now())`,
      [user, session, endpoint, keys.p256dh, keys.auth],
    )
    for (const time of TIMES) {
      const id = randomUUID()
      await query(
        `insert into public.reminders (id, user_id, remind_at, weekdays, time_zone, by_push, by_email)
         values ($1, $2, $3, 127, $4, true, true)`,
        [id, user, time, zone],
      )
      added.push({ id, zone, time })
    }
  }
  return added
}

/** Resolves to the message; to the code or signal with which the process has ended. */
async function messageOrExit(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController()
  const { signal } = listening
  try {
    const events = ['message', 'exit'].map((event) => once(child, event, { signal }))
    const [result]: unknown[] = await Promise.race(events)
    return result
  } finally {
    listening.abort()
  }
}

/** Two servers. One that was killed is replaced before anything is due again. */
class Servers {
  killed = 0
  #running: ChildProcess[] = []

  async startMissing(): Promise<void> {
    while (this.#running.length < 2) {
      const child = fork(join(BUNDLE, 'reminder-server.js'), {
        env: {
          PATH: process.env['PATH'],
          ...connection.env,
          PUSH_SERVICES: push.origin,
          SMTP_URL: smtp.url,
          MAIL_FROM: 'Intercede <calm@example.org>',
        },
      })
      const message = await messageOrExit(child)
      if (message !== 'ready') throw new Error('A server did not start.')
      this.#running.push(child)
    }
  }

  /** Sets the clocks, and waits until each server has sent what it found, or has been killed. */
  async tick(time: Date): Promise<void> {
    await Promise.all(
      this.#running.map((child) => {
        const answered = messageOrExit(child)
        child.send(time.toISOString())
        return answered
      }),
    )
  }

  kill(which: number): void {
    const child = this.#running[which]
    if (child === undefined) return
    this.killed += 1
    this.#running = this.#running.filter((one) => one !== child)
    child.kill('SIGKILL')
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#running.map((child) => {
        const exited = once(child, 'exit')
        child.kill('SIGKILL')
        return exited
      }),
    )
  }
}

it(
  'every reminder is seen once, at its time, whatever the clocks do, with two servers of which one is killed at random, and restarts of the database',
  async ({ annotate }) => {
    const random = createRandom(SEED)
    const servers = new Servers()
    let now = new Date(0)
    let restarts = 0
    /** When and as what each message arrived, by channel, reminder and day. */
    const seen = new Map<string, { tags: Set<string>; times: Date[] }>()
    const record = (channel: string, token: string, tag: string) => {
      const [id = '', day = ''] = token.split('.')
      const key = `${channel} ${id} ${day}`
      const entry = seen.get(key) ?? { tags: new Set(), times: [] }
      entry.tags.add(tag)
      entry.times.push(now)
      seen.set(key, entry)
    }
    const collect = () => {
      for (const { payload, topic } of push.messages.splice(0)) {
        const { tag, turnOff }: { tag: string; turnOff: string } = JSON.parse(payload)
        record('push', turnOff.split('token=')[1] ?? '', `${topic} ${tag}`)
      }
      for (const { source } of smtp.emails.splice(0)) {
        const text = source.replaceAll(/\r\n[ \t]+/g, ' ')
        const [, token = ''] = /^List-Unsubscribe: <.*token=(\S+)>\r$/m.exec(text) ?? []
        const [, id = ''] = /^Message-ID: (.*)\r$/m.exec(text) ?? []
        record('email', token, id)
      }
    }

    const expected = new Map<string, Date>()
    for (const day of simulatedDays()) {
      for (const { id, zone, time } of reminders) {
        for (const channel of ['push', 'email']) {
          expected.set(`${channel} ${id} ${day}`, momentOf(zone, `${day}T${time}`))
        }
      }
    }
    const moments = [...new Set([...expected.values()].map((moment) => moment.getTime()))].toSorted(
      (a, b) => a - b,
    )

    let previous = 0
    for (const moment of moments) {
      // Between two groups of days, nobody's server was running.
      if (moment - previous > 2 * DAY) {
        await query(
          `update public.reminders set next_at = private.next_reminder(remind_at, weekdays, time_zone, $1)`,
          [new Date(moment - 1)],
        )
      }
      previous = moment
      if (random.below(RESTARTED_IN) === 0) {
        restarts += 1
        await postgres.stop()
        postgres = await startPostgres()
      }
      await servers.startMissing()
      const victim = random.below(2)
      const fault = random.below(KILLED_IN)
      // Between sending and recording: when the first or a later message arrives.
      const killedAt = push.requests + random.below(3)
      push.respond = (_path, number) => {
        if (fault === 0 && number === killedAt) servers.kill(victim)
        return 201
      }
      now = new Date(moment)
      const ticking = servers.tick(now)
      if (fault === 1) servers.kill(victim)
      await ticking
      collect()
      // What a killed server had claimed is sent by the other one when the lease is over.
      for (let minutes = 1; minutes < 60; minutes += 1) {
        const [left] = await query<{ count: number }>(
          `select (select count(*) from private.reminder_deliveries)::integer
             + (select count(*) from public.reminders where next_at <= $1)::integer as count`,
          [now],
        )
        if (left?.count === 0) break
        now = new Date(moment + minutes * MINUTE)
        await servers.startMissing()
        await servers.tick(now)
        collect()
      }
    }
    await servers.stop()

    const inWindow = [...seen].filter(([key]) => expected.has(key))
    expect(new Set(inWindow.map(([key]) => key))).toEqual(new Set(expected.keys()))
    const doubled = inWindow.filter(([, { tags }]) => tags.size !== 1)
    expect(doubled).toEqual([])
    const lateness = inWindow.map(
      ([
        key,
        {
          times: [first],
        },
      ]) => {
        const delay = Number(first) - Number(expected.get(key))
        return delay / MINUTE
      },
    )
    expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...lateness)).toBeLessThanOrEqual(4)
    const tags = inWindow.flatMap(([, entry]) => [...entry.tags])
    expect(new Set(tags).size).toBe(expected.size)
    const repeated = inWindow.filter(([, { times }]) => times.length > 1).length
    await annotate(
      `${String(expected.size)} reminders, each seen once; ${String(repeated)} were repeated, ` +
        `${String(servers.killed)} servers killed, ${String(restarts)} restarts of PostgreSQL`,
    )
  },
  Math.max(DAYS, 60) * 10_000,
)
