import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { endpointSettings } from './endpoint.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { commandAs } from './operating-user.ts'
import { asArguments, OWNER_SETTING, READY_LINE } from './server-settings.ts'

/**
 * Starts PostgreSQL under a supervisor: a small process between this one and PostgreSQL. When the pipe on its standard
 * input closes, because we closed it or because we are gone (SIGKILL included), it stops PostgreSQL in good order. Its
 * standard error is PostgreSQL's log.
 */
export function supervise(plan: LaunchPlan): ChildProcess {
  return plan.endpoint.kind === 'socket' ? superviseInShell(plan) : superviseInNode(plan)
}

/**
 * A shell does: initdb needs one anyway, and it costs a megabyte where a second Node.js would cost forty. Signals don't
 * move it: Ctrl+C reaches a whole group of processes, and the order of shutting down is ours. The request to stop is
 * repeated, for PostgreSQL ignores it in its very first moments.
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
    ...asArguments(settingsOf(plan)),
  ])
  const leftover = plan.endpoint.kind === 'socket' && plan.endpoint.temporary ? plan.endpoint.folder : ''
  return spawn('sh', ['-c', SHELL_SUPERVISOR, 'intercede-postgres', leftover, file, ...args], {
    ...identity,
    ...spawnOptions(plan),
  })
}

/**
 * For Windows, which has no shell of that kind, and where only pg_ctl can take the rights of an administrator off
 * PostgreSQL. Looks once a second whether PostgreSQL is still there.
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
  const options = asArguments(settingsOf(plan)).join(' ')
  const start = commandAs(plan.user, pgCtl, ['start', '-w', '-D', plan.cluster, '-l', log, '-o', options])
  const stop = commandAs(plan.user, pgCtl, ['stop', '-w', '-m', 'fast', '-D', plan.cluster])
  const lock = join(plan.cluster, 'postmaster.pid')
  const orders = { start, stop, identity: start.identity, log, lock, ready: READY_LINE }
  return spawn(process.execPath, ['-e', NODE_SUPERVISOR, JSON.stringify(orders)], spawnOptions(plan))
}

function settingsOf(plan: LaunchPlan): Record<string, string> {
  return { ...plan.settings, ...endpointSettings(plan.endpoint), [OWNER_SETTING]: String(process.pid) }
}

function spawnOptions(plan: LaunchPlan) {
  return {
    // Not in a folder that somebody may want to remove.
    cwd: process.platform === 'win32' ? plan.cluster : '/',
    // A session of its own: signals meant for our group don't reach it.
    detached: true,
    windowsHide: true,
    // Nothing else of our environment, secrets least of all, is PostgreSQL's business.
    env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'], ...plan.binaries.environment },
    stdio: ['pipe', 'ignore', 'pipe'] satisfies ['pipe', 'ignore', 'pipe'],
  }
}
