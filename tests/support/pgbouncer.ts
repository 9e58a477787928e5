import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, escapeLiteral, type Pool } from 'pg'
import { chooseOperatingUser, commandAs, handOver } from '#server/db/embedded/operating-user.ts'
import { findFreePort } from '#server/db/free-port.ts'
import { createDataPool, createPool } from '#server/db/pool.ts'

/** How a server connects to a database of the tests. */
export interface TestConnection {
  /** `DATABASE_URL`, and `DATA_DATABASE_URL` if there is a pooler. */
  env: { DATABASE_URL: string; DATA_DATABASE_URL?: string }
  /** Stops the pooler. */
  close(): Promise<void>
}

/** Whether servers connect through PgBouncer. */
export const POOLER = process.env['TEST_POOLER'] === 'pgbouncer'

/** The login of data connections, as PostgREST names it. */
export const DATA_LOGIN = 'authenticator'

/**
 * Connects to PostgreSQL itself; if TEST_POOLER says so, through a PgBouncer of its own. Other databases of the same PostgreSQL
 * can be reached by other paths in the URLs.
 */
export async function openTestConnection(databaseUrl: string): Promise<TestConnection> {
  if (!POOLER) return { env: { DATABASE_URL: databaseUrl }, close: () => Promise.resolve() }
  return await startPgBouncer(databaseUrl, 'transaction')
}

/** Changes both URLs in the same way. */
export function mapUrls(
  { DATABASE_URL, DATA_DATABASE_URL }: TestConnection['env'],
  change: (url: string) => string,
): TestConnection['env'] {
  return {
    DATABASE_URL: change(DATABASE_URL),
    ...(DATA_DATABASE_URL === undefined ? {} : { DATA_DATABASE_URL: change(DATA_DATABASE_URL) }),
  }
}

/** The pools of a server that connects like this. */
export function openPools({ DATABASE_URL, DATA_DATABASE_URL }: TestConnection['env']): {
  pool: Pool
  dataPool: Pool
} {
  const isPooler = DATA_DATABASE_URL !== undefined
  return {
    pool: createPool({ url: DATABASE_URL, isPooler }),
    dataPool: createDataPool({ url: DATA_DATABASE_URL ?? DATABASE_URL, isPooler }),
  }
}

/** Starts a PgBouncer in front of a PostgreSQL. */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'transaction' | 'statement',
): Promise<TestConnection> {
  const server = new URL(databaseUrl)
  const { username, password, searchParams } = server
  const owner = {
    name: searchParams.get('user') ?? decodeURIComponent(username),
    // PgBouncer asks for one also where the embedded PostgreSQL doesn't.
    password: password === '' ? randomBytes(12).toString('hex') : decodeURIComponent(password),
  }
  const login = { ...owner, name: DATA_LOGIN }
  await createLogin(databaseUrl, login.password)
  const folder = await mkdtemp(join(tmpdir(), 'intercede-pgbouncer-'))
  const port = await findFreePort('127.0.0.1')
  const files = { settings: join(folder, 'pgbouncer.ini'), users: join(folder, 'users.txt') }
  await writeFile(files.settings, settings(server, mode, port, files.users))
  await writeFile(files.users, [owner, login].map((user) => `"${user.name}" "${user.password}"\n`).join(''))
  const stop = await run(folder, files)
  const urlFor = (user: typeof owner) => {
    const url = new URL(`postgresql://127.0.0.1:${String(port)}${server.pathname}`)
    url.username = user.name
    url.password = user.password
    return url.href
  }
  return {
    env: { DATABASE_URL: urlFor(owner), DATA_DATABASE_URL: urlFor(login) },
    close: async () => {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** A login as docs/hosting.md describes it. The owner may end its connections. */
async function createLogin(databaseUrl: string, password: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`
      do $$ begin
        create role ${DATA_LOGIN} login noinherit;
      exception when duplicate_object then null;
      end $$;
      alter role ${DATA_LOGIN} password ${escapeLiteral(password)};
      grant ${DATA_LOGIN} to current_user`)
  } finally {
    await client.end()
  }
}

/** Fewer connections to PostgreSQL than clients, so that these share them. Each test has databases of its own. */
function settings(
  { hostname, port, searchParams }: URL,
  mode: string,
  listenPort: number,
  users: string,
): string {
  return `
[databases]
* = host=${searchParams.get('host') ?? hostname} port=${searchParams.get('port') ?? (port === '' ? '5432' : port)}
[pgbouncer]
pool_mode = ${mode}
default_pool_size = 10
max_client_conn = 1000
listen_addr = 127.0.0.1
listen_port = ${String(listenPort)}
unix_socket_dir =
auth_type = md5
auth_file = ${users}
server_login_retry = 1
query_wait_timeout = 10
`
}

/** Runs as the user that the tests' PostgreSQL runs as, because PgBouncer refuses to run as root as well. */
async function run(folder: string, files: { settings: string; users: string }): Promise<() => Promise<void>> {
  const user = await chooseOperatingUser({
    program: '/bin/sh',
    dataDir: folder,
    cluster: join(folder, 'none'),
  })
  for (const file of Object.values(files)) await handOver(file, user)
  // It ends with this process, because a test that fails does not stop it.
  const command = ['--pdeathsig', 'KILL', 'pgbouncer', files.settings]
  const { file, args, identity } = commandAs(user, 'setpriv', command)
  // Where Debian installs it, and ordinary users don't look.
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` }
  const child = spawn(file, args, { ...identity, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'close')
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    createInterface(child.stderr).on('line', (line) => {
      log += `${line}\n`
      if (line.includes('process up')) resolve()
    })
    ended.then(() => reject(new Error(`PgBouncer did not start: ${log}`)), reject)
  }).catch((cause: unknown) => {
    throw new Error("This test needs PgBouncer (Debian's package pgbouncer), which did not start.", { cause })
  })
  return async () => {
    child.kill('SIGKILL')
    await ended
  }
}
