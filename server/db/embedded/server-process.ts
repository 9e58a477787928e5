import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from '../../errors/operator-errors.ts'
import { claimCluster, readServerPid, signal } from './folder-owner.ts'
import type { LaunchPlan } from './launch-plan.ts'
import { READY_LINE } from './server-settings.ts'
import { supervise } from './supervisor.ts'

/** A PostgreSQL that accepts connections. */
export interface ServerProcess {
  /** Settles when PostgreSQL has ended, for whatever reason. */
  ended: Promise<void>
  /** Fast shutdown; after `patience` milliseconds an immediate one, which the next start recovers from. */
  stop(patience: number): Promise<void>
}

/** Children of a killed PostgreSQL take a moment to notice, and hold its memory until then. */
const LEFTOVER_MEMORY = 'pre-existing shared memory block'
const LEFTOVER_PATIENCE = 10_000
const LEFTOVER_INTERVAL = 100

/** Starts PostgreSQL and waits until it accepts connections, however long it has to recover. */
export async function launch(plan: LaunchPlan): Promise<ServerProcess> {
  const deadline = Date.now() + LEFTOVER_PATIENCE
  for (;;) {
    await claimCluster(plan.cluster)
    const outcome = await attempt(plan)
    if (outcome.started) return outcome.server
    if (!outcome.log.includes(LEFTOVER_MEMORY) || Date.now() > deadline) {
      // Another server may have taken the folder in the meantime; then that is the reason.
      await claimCluster(plan.cluster)
      throw new StartupError(`PostgreSQL did not start in ${plan.cluster}: ${reasonIn(outcome.log)}`)
    }
    await delay(LEFTOVER_INTERVAL)
  }
}

type Outcome = { started: true; server: ServerProcess } | { started: false; log: string }

async function attempt(plan: LaunchPlan): Promise<Outcome> {
  const child = supervise(plan)
  const ended = once(child, 'exit').then(() => {})
  const outcome = await readUntilReady(child, plan.onLogLine)
  if (!outcome.ready) {
    await ended
    return { started: false, log: outcome.log }
  }
  return { started: true, server: { ended, stop: (patience) => stop(child, ended, plan.cluster, patience) } }
}

/** Resolves at the line that says so, or when the log ends without it. Lines are passed on for good. */
function readUntilReady(
  child: ChildProcess,
  onLogLine: (line: string) => void,
): Promise<{ ready: true } | { ready: false; log: string }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // A supervisor that has ended needs no word from us.
    child.stdin?.on('error', () => {})
    if (child.stderr === null) return reject(new Error('The supervisor has no output.'))
    const log: string[] = []
    let ready = false
    createInterface({ input: child.stderr })
      .on('line', (line) => {
        onLogLine(line)
        if (ready) return
        log.push(line)
        if (!line.includes(READY_LINE)) return
        ready = true
        resolve({ ready })
      })
      .once('close', () => resolve({ ready: false, log: log.join('\n') }))
  })
}

async function stop(
  child: ChildProcess,
  ended: Promise<void>,
  cluster: string,
  patience: number,
): Promise<void> {
  child.stdin?.end()
  const controller = new AbortController()
  const late = delay(patience, 'late', { signal: controller.signal }).catch(() => 'ended')
  const outcome = await Promise.race([ended, late])
  controller.abort()
  if (outcome !== 'late') return
  const pid = await readServerPid(cluster)
  if (pid !== null) signal(pid, 'SIGQUIT')
  await ended
}

function reasonIn(log: string): string {
  const lines = log.split('\n').filter((line) => line !== '')
  return lines.find((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? 'it ended without a word.'
}
