import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { atMost, compare, measured } from '../findings.ts'
import { createDataFolder, FIXED_AMOUNTS } from '../fixed-data.ts'
import { runLoad } from '../load.ts'
import { OPERATIONS, signInAll } from '../operations.ts'
import type { PartContext } from '../part.ts'
import { CAN_READ_USAGE, findEmbeddedDatabase, memoryWithChildren, startIntercede } from '../processes.ts'
import { readAnonKey } from '../sessions.ts'

const FULL = { reminders: 50_000, quiet: 10 }
const QUICK = { reminders: 500, quiet: 2 }
/** Requests per second of users who know nothing of the reminders. */
const USUAL_RATE = 200
/** Seconds of one measurement of requests, while reminders are sent. */
const SAMPLE = 5
/** Seconds after which sending has failed. */
const LIMIT = 900

/** Each of so many more users has a browser and a reminder, by which the browser is to be reached. */
const ADD = `
  with account as (
    insert into auth.users (id, email)
    select gen_random_uuid(), 'reminded' || n || '@example.org' from generate_series(1, $1::int) n returning id
  ), session as (
    insert into auth.sessions (id, user_id) select gen_random_uuid(), id from account returning id, user_id
  ), subscription as (
    insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
    select user_id, id, $2 || '/push/' || id, $3, $4, now() from session
  )
  insert into public.reminders (user_id, remind_at, weekdays, time_zone, by_push)
  select id, '07:00', 127, 'UTC', true from account`
const MAKE_DUE = 'update public.reminders set next_at = now()'

/** The time that reminders due in the same minute take, and what others notice of it. */
export async function measureReminders({ project, folder, quick, report, note }: PartContext): Promise<void> {
  if (!CAN_READ_USAGE) return note('This part requires Linux.')
  const { reminders, quiet: quietSeconds } = quick ? QUICK : FULL
  const dataDir = join(folder, 'reminders')
  await createDataFolder(project, dataDir, FIXED_AMOUNTS)
  const service = await startPushService()
  const server = await startIntercede(project, { DATA_DIR: dataDir, PUSH_SERVICES: service.origin })
  const { url, superuserUrl, pid: postgres } = await findEmbeddedDatabase(dataDir)
  await addReminders(superuserUrl, service.origin, reminders)
  const traffic = OPERATIONS.list.traffic(await signInAll(server.url, await readAnonKey(server.url), 1))
  const load = (seconds: number) => runLoad([server.url], traffic, { seconds, rate: USUAL_RATE })
  await load(2)
  const quiet = await load(quietSeconds)

  await runAs(url, MAKE_DUE)
  const limit = performance.now() + LIMIT * 1000
  while (service.count() === 0 && performance.now() < limit) await delay(100)
  const slowest: number[] = []
  const memory: number[] = []
  while (service.count() < reminders && performance.now() < limit) {
    slowest.push((await load(SAMPLE)).p99)
    memory.push((await memoryWithChildren(server.pid)) + (await memoryWithChildren(postgres)))
  }
  if (service.count() < reminders) throw new Error(`Only ${String(service.count())} reminders arrived.`)
  const comparedWith = 'no reminders'
  report(
    measured(
      { what: `${String(reminders)} reminders: all sent after`, unit: 's', target: atMost('value', 600) },
      [service.seconds()],
    ),
    compare(
      { what: 'list meanwhile: p99', unit: 'ms', comparedWith, target: atMost('ratio', 2) },
      slowest,
      slowest.map(() => quiet.p99),
    ),
    measured({ what: 'memory of server and database', unit: 'MB', target: atMost('value', 512) }, [
      Math.max(...memory),
    ]),
  )
  await server.stop()
  service.close()
}

/** A push service that accepts everything. */
async function startPushService() {
  let [count, first, last] = [0, 0, 0]
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(201).end())
    last = performance.now()
    if (count === 0) first = last
    count += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The push service has no port.')
  return {
    origin: `http://127.0.0.1:${String(address.port)}`,
    count: () => count,
    /** From the first message to the last one. */
    seconds: () => (last - first) / 1000,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function addReminders(superuserUrl: string, origin: string, count: number): Promise<void> {
  const browser = createECDH('prime256v1')
  const key = browser.generateKeys('base64url')
  await runAs(superuserUrl, ADD, [count, origin, key, randomBytes(16).toString('base64url')])
  await runAs(superuserUrl, 'vacuum (analyze)')
}

async function runAs(url: string, text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}
