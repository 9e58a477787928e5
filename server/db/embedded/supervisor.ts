import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { OWNER_SETTING } from './cluster-lock.ts'
import type { ClusterPlan } from './cluster.ts'
import { endpointSettings } from './endpoint.ts'
import { commandAs } from './operating-user.ts'

/** What is needed to start PostgreSQL. */
export interface LaunchPlan extends ClusterPlan {
  settings: Readonly<Record<string, string>>
  /** Called with each line of PostgreSQL's log. */
  onLogLine: (line: string) => void
}

/**
 * Settings of the embedded PostgreSQL, passed on its command line so that an upgrade of Intercede changes them in
 * existing databases too. Other settings keep PostgreSQL's defaults, and can be set in postgresql.conf.
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  // No acknowledged change is ever lost.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  // Sized for the data of a family or a parish.
  max_connections: '40',
  shared_buffers: '32MB',
  max_wal_size: '256MB',
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Statements and their errors contain private data, which must not be logged.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
  log_destination: 'stderr',
}

/** What PostgreSQL logs when it has started, in the language of `lc_messages`. */
export const READY_LINE = 'database system is ready to accept connections'

/**
 * Starts PostgreSQL under a supervisor: a small process between this one and PostgreSQL. When the pipe on its standard
 * input closes, because we closed it or because this process has ended (even by SIGKILL), it shuts PostgreSQL down
 * cleanly. Its standard error is PostgreSQL's log.
 */
export function supervise(plan: LaunchPlan): ChildProcess {
  return plan.endpoint.kind === 'socket' ? superviseInShell(plan) : superviseInNode(plan)
}

/**
 * The shell ignores signals: Ctrl+C is sent to the whole process group, and the server decides when PostgreSQL stops.
 * The request to stop is repeated, because PostgreSQL ignores it in the first moments of its start.
 */
const SHELL_SUPERVISOR = `
trap '' HUP INT TERM
leftover=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- &
postgres=$!
(
  read -r _ <&3
  test -z "$leftover" || rm -rf "$leftover"
  while kill -INT $postgres; do sleep 1; done
) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $postgres
status=$?
kill -KILL $watcher
exit $status
`

function superviseInShell(plan: LaunchPlan): ChildProcess {
  const { file, args, identity } = commandAs(plan.user, plan.binaries.postgres, [
    '-D',
    plan.cluster,
    ...settingArguments(plan),
  ])
  const leftover = plan.endpoint.kind === 'socket' && plan.endpoint.temporary ? plan.endpoint.folder : ''
  return spawn('sh', ['-c', SHELL_SUPERVISOR, 'intercede-postgres', leftover, file, ...args], {
    ...identity,
    ...spawnOptions(plan),
  })
}

/**
 * For Windows, which has no such shell, and where only pg_ctl can start PostgreSQL without an administrator's rights.
 * Checks once a second whether PostgreSQL is still running.
 */
const NODE_SUPERVISOR = `
const { readFileSync } = require('node:fs')
const { spawnSync } = require('node:child_process')
const { start, stop, identity, log, lock, ready } = JSON.parse(process.argv[1])
const run = ({ file, args }) => spawnSync(file, args, { ...identity, stdio: 'ignore', windowsHide: true }).status
if (run(start) !== 0) {
  process.stderr.write(readFileSync(log))
  process.exitCode = 1
} else {
  const pid = Number(readFileSync(lock, 'utf8').split('\\n')[0])
  process.stderr.write(ready + '\\n')
  process.stdin.resume().on('close', () => process.exit(run(stop) ?? 1))
  setInterval(() => {
    try {
      process.kill(pid, 0)
    } catch {
      process.exit(1)
    }
  }, 1000)
}
`

function superviseInNode(plan: LaunchPlan): ChildProcess {
  const { pgCtl } = plan.binaries
  const log = join(plan.cluster, 'startup.log')
  const options = settingArguments(plan).join(' ')
  const start = commandAs(plan.user, pgCtl, ['start', '-w', '-D', plan.cluster, '-l', log, '-o', options])
  const stop = commandAs(plan.user, pgCtl, ['stop', '-w', '-m', 'fast', '-D', plan.cluster])
  const lock = join(plan.cluster, 'postmaster.pid')
  const input = { start, stop, identity: start.identity, log, lock, ready: READY_LINE }
  return spawn(process.execPath, ['-e', NODE_SUPERVISOR, JSON.stringify(input)], spawnOptions(plan))
}

function settingArguments(plan: LaunchPlan): string[] {
  const settings = {
    ...plan.settings,
    ...endpointSettings(plan.endpoint),
    [OWNER_SETTING]: String(process.pid),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/**
 * For the C library of Linux (bytes): by default, a connection that has used much memory for one statement, such as an
 * import, keeps it for the next ones.
 */
const RELEASE_MEMORY = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576' }

function spawnOptions(plan: LaunchPlan) {
  return {
    // Not a folder that someone may want to remove or unmount.
    cwd: process.platform === 'win32' ? plan.cluster : '/',
    // In a process group of its own, so that signals to ours don't reach it.
    detached: true,
    windowsHide: true,
    // Only what PostgreSQL needs: our own environment contains secrets.
    env: {
      PATH: process.env['PATH'],
      SystemRoot: process.env['SystemRoot'],
      ...RELEASE_MEMORY,
      ...plan.binaries.environment,
    },
    stdio: ['pipe', 'ignore', 'pipe'] satisfies ['pipe', 'ignore', 'pipe'],
  }
}
