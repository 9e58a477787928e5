import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as v from 'valibot'
import { commandAs } from '#server/db/embedded/operating-user.ts'
import { sendSignal } from '#server/db/processes.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { query, type Site, startSite } from '#tests/faults/site.ts'
import { processesNaming } from '#tests/support/intercede-process.ts'

/** The programs, and the packages of Debian 12 that have them. */
const PROGRAMS = {
  patroni: { path: '/usr/bin/patroni', package: 'patroni' },
  etcd: { path: '/usr/bin/etcd', package: 'etcd-server' },
  postgres: { path: '/usr/lib/postgresql/15/bin/postgres', package: 'postgresql-15' },
  pgbouncer: { path: '/usr/sbin/pgbouncer', package: 'pgbouncer' },
  haproxy: { path: '/usr/sbin/haproxy', package: 'haproxy' },
} as const

/** Packages that have to be installed first. */
export function missingPackages(): string[] {
  return Object.values(PROGRAMS).flatMap((program) => (existsSync(program.path) ? [] : [program.package]))
}

const MACHINES = ['one', 'two', 'three'] as const
type Machine = (typeof MACHINES)[number]

/** Patroni's GET /cluster. */
const Members = v.object({
  members: v.array(v.object({ name: v.picklist(MACHINES), role: v.string(), state: v.string() })),
})
/** etcd's POST /v3/maintenance/status. */
const EtcdStatus = v.object({ header: v.object({ member_id: v.string() }), leader: v.string() })

/** Waits until something is so; throws after so many seconds. An error, as while something starts, means that it is not. */
export async function until(what: string, isSo: () => Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    let cause: unknown
    try {
      if (await isSo()) return
    } catch (error) {
      cause = error
    }
    if (performance.now() > deadline) throw new Error(`Not within ${String(seconds)} s: ${what}.`, { cause })
    await delay(200)
  }
}

/** Starts again what was killed. */
export type Restart = () => Promise<void>

/**
 * PostgreSQL on three machines, HAProxy and PgBouncer, configured by the files in deploy/cluster, and two servers. Each
 * machine is an address of the loopback network (Linux), so that the files' ports can be used.
 */
export class Cluster {
  readonly folder: string
  /** The first three numbers of all addresses. Random: an earlier run may not have ended. */
  readonly #network = `127.${String(randomInt(1, 255))}.${String(randomInt(0, 255))}`
  readonly #processes = new Map<string, ChildProcess>()
  readonly #sites: Site[] = []
  #isStopped = false

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(): Promise<Cluster> {
    return new Cluster(await realpath(await mkdtemp(join(tmpdir(), 'intercede-cluster-'))))
  }

  /** Resolves when users can be served. `env`: settings of the servers. */
  async start(env: Record<string, string>): Promise<void> {
    for (const machine of MACHINES) await this.#startEtcd(machine)
    for (const machine of MACHINES) await this.#startMachine(machine)
    await this.#startHaproxy()
    await until('the cluster is complete', () => this.isComplete())
    await this.#query(`create role intercede login createrole password 'INTERCEDE_PASSWORD'`)
    await this.#query(`create role authenticator login noinherit password 'AUTHENTICATOR_PASSWORD'`)
    await this.#query('create database intercede owner intercede')
    await this.#startPgbouncer()
    for (const machine of ['one', 'two'] as const) {
      const databaseUrl = this.#urlOf('intercede')
      const settings = {
        HOST: this.#addressOf(machine),
        SITE_URL: `http://${this.#local}:8080`,
        PORT: '3000',
        TRUST_PROXY: '1',
        DATABASE_URL: databaseUrl,
        DATA_DATABASE_URL: this.#urlOf('authenticator'),
      }
      this.#sites.push(await startSite({ ...env, ...settings }, databaseUrl))
    }
    await until('the servers can be reached', async () => (await fetch(`${this.site.url}/ready`)).ok)
  }

  /** Both servers, behind HAProxy. */
  get site(): Site {
    const [site] = this.#sites
    if (site === undefined) throw new Error('There are no servers yet.')
    return site
  }

  /** Whether all machines take part: a primary, a standby that has all that was acknowledged, and one that follows. */
  async isComplete(): Promise<boolean> {
    await Promise.all(MACHINES.map((machine) => this.#isEtcdLeader(machine)))
    const roles = (await this.#members()).map(({ role }) => role)
    const standbys = await this.#query(`select from pg_stat_replication where state = 'streaming'`)
    return roles.toSorted().join() === 'leader,replica,sync_standby' && standbys.length === 2
  }

  /** Whether each transaction that had begun by this time has ended. */
  async hasEnded(time: Date): Promise<boolean> {
    const rows = await this.#query(
      `select from pg_stat_activity where datname = 'intercede' and xact_start < '${time.toISOString()}'`,
    )
    return rows.length === 0
  }

  /** Throws if a session has several valid refresh tokens, or none. */
  async checkSessions(): Promise<void> {
    const rows = await this.#query(
      `select from auth.sessions s
       where (select count(*) from auth.refresh_tokens t where t.session_id = s.id and not t.revoked) <> 1`,
      'intercede',
    )
    if (rows.length > 0)
      throw new Error(`${String(rows.length)} sessions have several valid refresh tokens, or none.`)
  }

  /** Kills the primary's PostgreSQL and Patroni. */
  async killPrimary(): Promise<Restart> {
    const members = await this.#members()
    const primary = members.find(({ role }) => role === 'leader')
    if (primary === undefined) throw new Error('There is no primary.')
    await this.#kill(primary.name)
    return () => this.#startMachine(primary.name)
  }

  async killEtcdLeader(): Promise<Restart> {
    for (const machine of MACHINES) {
      if (!(await this.#isEtcdLeader(machine))) continue
      await this.#kill(`etcd-${machine}`)
      return () => this.#startEtcd(machine)
    }
    throw new Error('etcd has no leader.')
  }

  async killPgbouncer(): Promise<Restart> {
    await this.#kill('pgbouncer')
    return () => this.#startPgbouncer()
  }

  /** Ends everything. Rejects if a server had ended by itself, or does not end as it should. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const codes = await Promise.all(this.#sites.map(({ process }) => process.end('SIGTERM')))
    for (const child of this.#processes.values()) child.kill('SIGKILL')
    // PostgreSQL's processes, and what Patroni has started.
    await until('all processes have ended', async () => {
      const pids = await processesNaming(this.folder)
      for (const pid of pids) sendSignal(pid, 'SIGKILL')
      return pids.length === 0
    })
    if (codes.some((code) => code !== 0)) throw new Error(`The servers ended with ${codes.join(' and ')}.`)
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }

  /** The address of HAProxy and PgBouncer. */
  get #local(): string {
    return `${this.#network}.4`
  }

  #addressOf(machine: Machine): string {
    return `${this.#network}.${String(MACHINES.indexOf(machine) + 1)}`
  }

  /** Through PgBouncer. */
  #urlOf(login: string): string {
    return `postgresql://${login}:${login.toUpperCase()}_PASSWORD@${this.#local}:6432/intercede`
  }

  /** Runs a statement as superuser, on the primary. */
  #query(text: string, database = 'postgres'): Promise<object[]> {
    return query(`postgresql://postgres:POSTGRES_PASSWORD@${this.#local}:5000/${database}`, text)
  }

  /** As the machines that run see them. */
  async #members(): Promise<v.InferOutput<typeof Members>['members']> {
    const asked = MACHINES.map(async (machine) => {
      const response = await fetch(`http://${this.#addressOf(machine)}:8008/cluster`)
      return v.parse(Members, await response.json()).members
    })
    return await Promise.any(asked)
  }

  async #isEtcdLeader(machine: Machine): Promise<boolean> {
    const url = `http://${this.#addressOf(machine)}:2379/v3/maintenance/status`
    const response = await fetch(url, { method: 'POST', body: '{}' })
    const { header, leader } = v.parse(EtcdStatus, await response.json())
    return header.member_id === leader
  }

  async #startEtcd(machine: Machine): Promise<void> {
    const file = await this.#configure('etcd', `etcd-${machine}/environment`, {
      ...this.#identityOf(machine),
      '/var/lib/etcd/intercede': join(this.folder, `etcd-${machine}`, 'data'),
    })
    const settings = await readFile(file, 'utf8')
    const env = Object.fromEntries(
      [...settings.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    )
    this.#run(`etcd-${machine}`, [PROGRAMS.etcd.path], env)
  }

  async #startMachine(machine: Machine): Promise<void> {
    const file = await this.#configure('patroni.yml', `${machine}/patroni.yml`, {
      ...this.#identityOf(machine),
      '/var/lib/postgresql/15/intercede': join(this.folder, machine, 'postgres'),
      '/var/run/postgresql': join(this.folder, machine),
      // The sender of a connection on the loopback network.
      '10.0.0.0/24': '127.0.0.1/32',
    })
    this.#run(machine, [PROGRAMS.patroni.path, file])
  }

  async #startHaproxy(): Promise<void> {
    const file = await this.#configure('haproxy.cfg', 'haproxy/haproxy.cfg', {
      '127.0.0.1': this.#local,
      ':443 ssl crt /etc/haproxy/prayers.example.org.pem alpn h2,http/1.1': `${this.#local}:8080`,
    })
    this.#run('haproxy', [PROGRAMS.haproxy.path, '-f', file])
  }

  async #startPgbouncer(): Promise<void> {
    const folder = join(this.folder, 'pgbouncer')
    const file = await this.#configure('pgbouncer.ini', 'pgbouncer/pgbouncer.ini', {
      '127.0.0.1': this.#local,
      '/etc/pgbouncer': folder,
      '/var/log/postgresql': folder,
      '/var/run/postgresql': folder,
    })
    await this.#configure('userlist.txt', 'pgbouncer/userlist.txt')
    this.#run('pgbouncer', [PROGRAMS.pgbouncer.path, file])
  }

  #identityOf(machine: Machine): Record<string, string> {
    return { THIS_NAME: machine, THIS_ADDRESS: this.#addressOf(machine) }
  }

  /** Writes a file of deploy/cluster with other addresses and paths. Each of them has to be in it. */
  async #configure(source: string, target: string, replaced: Record<string, string> = {}): Promise<string> {
    let text = await readFile(join(PACKAGE_ROOT, 'deploy', 'cluster', source), 'utf8')
    for (const [documented, used] of Object.entries(replaced)) {
      if (!text.includes(documented))
        throw new Error(`deploy/cluster/${source} does not contain ${documented}.`)
      text = text.replaceAll(documented, used)
    }
    const file = join(this.folder, target)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, text.replaceAll(/\b10\.0\.0\.(?=\d)/g, `${this.#network}.`))
    return file
  }

  /** Starts a program, whose output goes to a file. PostgreSQL and PgBouncer refuse to run as root. */
  #run(
    name: string,
    [path, ...args]: [string, ...string[]],
    env: Record<string, string | undefined> = {},
  ): void {
    if (this.#isStopped) return
    const user = { kind: process.getuid?.() === 0 ? ('namespace' as const) : ('self' as const) }
    const command = commandAs(user, path, args)
    const log = openSync(join(this.folder, `${name}.log`), 'a')
    const child = spawn(command.file, command.args, {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], HOME: join(this.folder, name), ...env },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.#processes.set(name, child)
  }

  /** Kills a program, and everything that works in its folder. */
  async #kill(name: string): Promise<void> {
    this.#processes.get(name)?.kill('SIGKILL')
    for (const pid of await processesNaming(join(this.folder, name, '/'))) sendSignal(pid, 'SIGKILL')
  }
}
