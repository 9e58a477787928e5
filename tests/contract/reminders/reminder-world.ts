import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach } from 'vitest'
import { createLogger } from '#server/logger.ts'
import { createReminderService, type ReminderService } from '#server/reminders/send-due.ts'
import { newUser, type WireSession } from '#tests/contract/auth/auth-client.ts'
import {
  type BrowserSubscription,
  startPushService,
  type TestPushService,
} from '#tests/support/push-service.ts'
import type { TestServer } from '#tests/support/server.ts'
import { useShared, useTestServer } from '#tests/support/shared-server.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'

/** The first reminder of a test is due then, on a Monday; the server's clock shows it. */
export const DUE = '2026-03-02T07:00:00.000Z'

export interface ReminderWorld {
  server: TestServer
  push: TestPushService
  smtp: TestSmtpServer
  /** Everything that the server has logged in this test. */
  log: () => string
  /** Sends what is due, as the scheduler does. */
  deliver: () => Promise<Date | null>
}

export interface NewReminder {
  by_push?: boolean
  by_email?: boolean
  due?: string
  time_zone?: string
}

/** A server with a push service and a mail server. Each test begins without users, messages and quotas, at the time `DUE`. */
export function useReminderWorld(): ReminderWorld {
  const push = useShared(startPushService)
  const smtp = useShared(startSmtpServer)
  const log: string[] = []
  const logger = createLogger('trace', {
    write: (line) => {
      log.push(line)
    },
  })
  const server = useTestServer(() => ({
    logger,
    config: { pushServices: [push().origin], smtpUrl: smtp().url, rateLimitFactor: 1 },
  }))
  let service: ReminderService | undefined
  afterAll(async () => {
    service?.close()
    await push().close()
    await smtp().close()
  })
  beforeEach(async () => {
    await server.database.pool.query('delete from auth.users')
    await server.database.pool.query('truncate intercede.rate_limits')
    server.clock.set(DUE)
    Object.assign(push(), { messages: [], requests: 0, respond: () => 201 })
    Object.assign(smtp(), { emails: [], refuse: null })
    log.length = 0
  })
  return {
    server,
    get push() {
      return push()
    },
    get smtp() {
      return smtp()
    },
    log: () => log.join(''),
    deliver: () => {
      service ??= createReminderService(server.services)
      return service.sendDue(new AbortController().signal)
    },
  }
}

/** A user with a proven address. */
export async function addUser(server: TestServer, address?: string): Promise<WireSession> {
  const session = await newUser(server, address)
  await server.database.pool.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}' where user_id = $1`,
    [session.user.id],
  )
  return session
}

/** Adds a reminder for every day. Resolves to its id. */
export async function addReminder(
  server: TestServer,
  { user }: WireSession,
  { by_push = false, by_email = false, due = DUE, time_zone = 'UTC' }: NewReminder = {},
): Promise<string> {
  const id = randomUUID()
  const { pool } = server.database
  await pool.query(
    `insert into public.reminders (id, user_id, remind_at, weekdays, time_zone, by_push, by_email)
     values ($1, $2, ($3::timestamptz at time zone $4)::time, 127, $4, $5, $6)`,
    [id, user.id, due, time_zone, by_push, by_email],
  )
  // The database's clock decides otherwise.
  await pool.query('update public.reminders set next_at = $2 where id = $1', [id, due])
  return id
}

/** A request to /reminders/v1. */
export async function send(
  server: TestServer,
  method: string,
  path: string,
  { token, body, headers }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(`${server.url}/reminders/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: server.services.keys.anonKey,
      'x-supabase-api-version': '2024-01-01',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** Subscribes a new browser for a session. */
export async function subscribe(
  { server, push }: ReminderWorld,
  { access_token: token }: WireSession,
): Promise<BrowserSubscription> {
  const subscription = push.subscribe()
  const { status } = await send(server, 'PUT', '/subscription', { token, body: subscription })
  if (status !== 204) throw new Error(`The subscription was rejected with ${String(status)}.`)
  return subscription
}
