import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { runNode } from '#scripts/run-node.mjs'
import { atMost, measured, type Unit } from '../findings.ts'
import { categoryId, createDataFolder, prayerId, userId } from '../fixed-data.ts'
import type { Traffic } from '../load.ts'
import { dataRequest, OPERATIONS, refreshRequest, type Session } from '../operations.ts'
import { type PartContext, runRounds } from '../part.ts'
import {
  CAN_READ_USAGE,
  cpuTime,
  cpuTimeWithChildren,
  findEmbeddedDatabase,
  memoryWithChildren,
  type RunningProcess,
  START,
  startIntercede,
} from '../processes.ts'
import { readAnonKey, readTokens } from '../sessions.ts'
import { loadWithUsage } from '../usage.ts'

const EACH = { categoriesEach: 30, prayersEach: 100 }
const UPDATES_EACH = 50
const FULL = { users: 10_000, load: { rounds: 3, seconds: 20, warmUp: 10 } }
const QUICK = { users: 1000, load: { rounds: 1, seconds: 2, warmUp: 1 } }
/** Seconds within which the server has cleaned up: it does a minute after its start. */
const FIRST_CLEAN_UP = 75
/** Seconds for one command, or until autovacuum has come. */
const LIMIT = 600

/**
 * What use adds to the rows of `createDataFolder`: for each of $1 users a session, updates, ten prayed days of ten prayers, twenty
 * deletions and counts, and for every fourth one a reminder by push message, which is not due yet.
 */
const ADD = [
  'set session_replication_role = replica',
  `create temporary table users as
    select n, md5('user ' || n)::uuid as id, md5('session ' || n)::uuid as session_id from generate_series(1, $1::int) n`,
  `insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
    select session_id, id, now(), now(), 'aal1', rpad('Mozilla/5.0', 110, '.'), '127.0.0.1' from users`,
  `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    select gen_random_uuid(), session_id, 'password', now(), now() from users`,
  `insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, parent, session_id)
    select id || (md5('category ' || n || ' 0')::uuid)::text, id::text, false, now(), now(), '', session_id from users`,
  `insert into intercede.known_networks (user_id, network_hash, last_used_at)
    select id, encode(sha256(uuid_send(id)), 'hex'), now() from users`,
  `insert into public.prayer_updates (user_id, prayer_id, body)
    select id, md5('prayer ' || n || ' ' || u)::uuid, 'News number ' || u || ': the days have been lighter since'
    from generate_series(1, ${String(UPDATES_EACH)}) u, users`,
  `insert into public.prayed_days (prayer_id, user_id, day)
    select md5('prayer ' || n || ' ' || 10 * d + p)::uuid, id, date '2026-05-01' + d
    from generate_series(0, 9) d, users, generate_series(1, 10) p`,
  `insert into public.deletions (user_id, table_name, row_id, rev, row_rev)
    select id, 'prayers', gen_random_uuid(), 1, 1 from generate_series(1, 20), users`,
  `insert into private.account_usage (user_id, categories, prayers, text_bytes, deletions, updates, prayed_days)
    select id, ${String(EACH.categoriesEach)}, ${String(EACH.prayersEach)}, 10000, 20, ${String(UPDATES_EACH)}, 100 from users`,
  `insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
    select id, session_id, rpad('https://push.example.org/' || id, 180, '.'), rpad('', 87, 'p'), rpad('', 22, 'a'), now()
    from users where n % 4 = 0`,
  `insert into public.reminders (user_id, remind_at, weekdays, time_zone, by_push, next_at)
    select id, '07:00', 127, 'UTC', true, now() + interval '1 day' from users where n % 4 = 0`,
]
const refreshTokenOf = (user: number) => userId(user) + categoryId(user, 0)

interface TableSize {
  name: string
  rows: number
  /** Bytes. */
  data: number
  indexes: number
}
const TABLES = `
  select n.nspname || '.' || c.relname as name, c.reltuples::float as rows, pg_table_size(c.oid)::float as data,
         pg_indexes_size(c.oid)::float as indexes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('auth', 'intercede', 'private', 'public') and c.reltuples > 0
  order by pg_total_relation_size(c.oid) desc`
/** Counters since the statistics or the installation began. `wal` in bytes; `autovacuum` in milliseconds. */
const COUNTERS = `
  select pg_snapshot_xmax(pg_current_snapshot())::text::float as transactions,
         (pg_current_wal_insert_lsn() - '0/0')::float as wal,
         (select sum(size) from pg_ls_waldir())::float as "walFolder",
         (select sum(seq_tup_read) from pg_stat_user_tables)::float as "rowsScanned",
         (select sum(total_autovacuum_time + total_autoanalyze_time) from pg_stat_user_tables)::float as autovacuum,
         (select autovacuum_count from pg_stat_user_tables where relname = 'prayers')::float as "vacuumsOfPrayers"`
type Counters = Record<
  'transactions' | 'wal' | 'walFolder' | 'rowsScanned' | 'autovacuum' | 'vacuumsOfPrayers',
  number
>
const VACUUM = 'vacuum (analyze)'
const CHANGE_TEN_EACH = `update public.prayers set note = 'Changed' where person_name like 'Person %0'`

/** What an installation with many users needs, and what its maintenance takes. */
export async function measureCapacity(context: PartContext): Promise<void> {
  const { folder, quick, note } = context
  if (!CAN_READ_USAGE) return note('This part requires Linux.')
  const { users, load } = quick ? QUICK : FULL
  const dataDir = join(folder, 'restored')
  const report = (what: string, unit: Unit, ...values: number[]) =>
    context.report(measured({ what, unit }, values))
  await createAndRestore(context, users, dataDir, report)
  const first = await open(dataDir)
  await measureDisk(first, users, report, note)
  await first.close()

  const site = await open(dataDir)
  report('start', 's', site.server.readyAfter / 1000)
  await measurePeriodicStatements(site, context)
  await measureVisits(site, visits(users, await readAnonKey(site.server.url)), load, report)
  await measureVacuum(site, report)
  await site.close()
}

type Report = (what: string, unit: Unit, ...values: number[]) => void

/** Fills an installation, backs it up, and restores it to `dataDir`, where it takes as little disk as it can. */
async function createAndRestore(
  { folder }: PartContext,
  users: number,
  dataDir: string,
  report: Report,
): Promise<void> {
  const filled = join(folder, 'filled')
  await createDataFolder(filled, { users, ...EACH })
  const site = await open(filled)
  for (const text of ADD) await site.superuser.query(text, text.includes('$1') ? [users] : [])
  const run = async (command: string, data: string, ...args: string[]) => {
    const script = [START, command, ...args]
    const { ok, output, seconds } = await runNode(script, { limit: LIMIT, env: { DATA_DIR: data } })
    if (!ok) throw new Error(`${command}: ${output}`)
    report(command, 's', seconds)
  }
  const file = join(folder, 'capacity.sql.gz')
  await run('backup', filled, file)
  report('backup: size', 'MB', (await stat(file)).size / 1e6)
  await site.close()
  await run('restore', dataDir, file, '--keep-sessions')
}

/** A running server and its database. */
interface Site {
  server: RunningProcess
  /** Process id of PostgreSQL. */
  postgres: number
  superuser: Client
  counters: () => Promise<Counters>
  close: () => Promise<void>
}

async function open(dataDir: string): Promise<Site> {
  const server = await startIntercede({ DATA_DIR: dataDir })
  const { pid: postgres, superuserUrl } = await findEmbeddedDatabase(dataDir)
  const superuser = new Client({ connectionString: superuserUrl })
  await superuser.connect()
  return {
    server,
    postgres,
    superuser,
    counters: async () => {
      const [row] = (await superuser.query<Counters>(COUNTERS)).rows
      if (row === undefined) throw new Error('PostgreSQL returned no counters.')
      return row
    },
    close: async () => {
      await superuser.end()
      await server.stop()
    },
  }
}

/** Vacuums for the first time, and reports rows and disk. */
async function measureDisk(
  { superuser, counters }: Site,
  users: number,
  report: Report,
  note: PartContext['note'],
): Promise<void> {
  report('first vacuum (analyze)', 's', await secondsOf(() => superuser.query(VACUUM)))
  const { rows: tables } = await superuser.query<TableSize>(TABLES)
  const perUser = (key: 'rows' | 'data' | 'indexes') =>
    tables.reduce((sum, table) => sum + table[key], 0) / users
  report('rows per user', 'rows', perUser('rows'))
  report('disk per user: data', 'KB', perUser('data') / 1e3)
  report('disk per user: indexes', 'KB', perUser('indexes') / 1e3)
  report('write-ahead log on disk', 'MB', (await counters()).walFolder / 1e6)
  for (const { name, rows, data, indexes } of tables.filter((table) => table.rows > users / 10)) {
    const bytes = (total: number) => String(Math.round(total / rows))
    note(`${name}: ${String(rows)} rows of ${bytes(data)} bytes, and ${bytes(indexes)} in indexes`)
  }
}

async function measurePeriodicStatements(
  { server, postgres, counters }: Site,
  { report }: PartContext,
): Promise<void> {
  const cpu = async () => (await cpuTime(server.pid)) + (await cpuTimeWithChildren(postgres))
  const before = { ...(await counters()), cpu: await cpu() }
  await delay(FIRST_CLEAN_UP * 1000)
  const used = (await cpu()) - before.cpu
  const scanned = (await counters()).rowsScanned - before.rowsScanned
  report(
    measured({ what: `CPU time of ${String(FIRST_CLEAN_UP)} s without requests`, unit: 'ms' }, [used * 1000]),
    measured({ what: 'rows that these scanned', unit: 'rows', target: atMost('value', 1000) }, [scanned]),
  )
}

async function measureVisits(
  { server, postgres, counters }: Site,
  traffic: Traffic,
  { rounds, seconds, warmUp }: (typeof FULL)['load'],
  report: Report,
): Promise<void> {
  const load = (duration: number) => loadWithUsage({ server, postgres, traffic, seconds: duration })
  await load(warmUp)
  const before = await counters()
  const memory: number[] = []
  const results = await runRounds(rounds, async () => {
    const result = await load(seconds)
    memory.push((await memoryWithChildren(server.pid)) + (await memoryWithChildren(postgres)))
    return result
  })
  const after = await counters()
  const count = results.reduce((sum, { requests }) => sum + requests, 0) / REQUESTS_OF_VISIT
  report('requests of visits', '/s', ...results.map(({ perSecond }) => perSecond))
  report('requests of visits: p99', 'ms', ...results.map(({ p99 }) => p99))
  report('CPU time per request: Node.js', 'µs', ...results.map(({ cpu }) => cpu?.node ?? 0))
  report('CPU time per request: PostgreSQL', 'µs', ...results.map(({ cpu }) => cpu?.postgres ?? 0))
  report('memory of server and database', 'MB', ...memory)
  report('transaction ids per visit', 'transactions', (after.transactions - before.transactions) / count)
  report('write-ahead log per visit', 'KB', (after.wal - before.wal) / count / 1e3)
}

/** By hand, and by autovacuum, whose pauses make it slower. */
async function measureVacuum({ superuser, counters }: Site, report: Report): Promise<void> {
  const change = async () => {
    await superuser.query(CHANGE_TEN_EACH)
    // Counted late, the changes would have autovacuum come for what is done already.
    await superuser.query('select pg_stat_force_next_flush()')
  }
  await change()
  report('vacuum (analyze) after ten changes each', 's', await secondsOf(() => superuser.query(VACUUM)))
  const { autovacuum, vacuumsOfPrayers } = await counters()
  await change()
  const limit = performance.now() + LIMIT * 1000
  while ((await counters()).vacuumsOfPrayers === vacuumsOfPrayers) {
    if (performance.now() > limit) throw new Error('Autovacuum did not come.')
    await delay(1000)
  }
  report('autovacuum after ten changes each', 's', ((await counters()).autovacuum - autovacuum) / 1000)
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const REQUESTS_OF_VISIT = 6
/** Marked as prayed in a visit. */
const PRAYED = 10

/** Each visit is of another user: the session is refreshed, then the page, two lists, and two changes. */
function visits(users: number, anonKey: string): Traffic {
  const refreshTokens = Array.from({ length: users }, (_, index) => refreshTokenOf(index + 1))
  const sessions: Session[] = []
  const steps: number[] = []
  const list = OPERATIONS.list.traffic(sessions)
  const update = OPERATIONS.update.traffic(sessions)
  let begun = 0
  const begin = (connection: number) => {
    const user = 1 + (begun % users)
    begun += 1
    const refreshToken = refreshTokens[user - 1] ?? ''
    sessions[connection] = { user, anonKey, refreshToken, accessToken: '' }
    return refreshRequest(anonKey, refreshToken, connection)
  }
  const markPrayed = (connection: number, session: Session) => {
    const round = Math.floor(begun / users)
    const ids = Array.from({ length: PRAYED }, (_, index) =>
      prayerId(session.user, 1 + ((round * PRAYED + index) % EACH.prayersEach)),
    )
    const body = { prayer_ids: ids, prayed_on: '2026-06-01' }
    return dataRequest(session, connection, { method: 'POST', path: '/rest/v1/rpc/mark_prayed', body })
  }
  return {
    next: (connection) => {
      const step = steps[connection] ?? 0
      steps[connection] = (step + 1) % REQUESTS_OF_VISIT
      const session = sessions[connection]
      if (session === undefined || step === 0) return begin(connection)
      if (step === 1) return { method: 'GET', path: '/', headers: { accept: 'text/html' }, body: null }
      if (step === 2 || step === 3) return list.next(connection)
      return step === 4 ? update.next(connection) : markPrayed(connection, session)
    },
    onResponse: (connection, body) => {
      const session = sessions[connection]
      if (session === undefined || steps[connection] !== 1) return
      Object.assign(session, readTokens(body))
      refreshTokens[session.user - 1] = session.refreshToken
    },
  }
}
