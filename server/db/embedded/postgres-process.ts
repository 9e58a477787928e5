import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { sendSignal } from '../processes.ts'
import { claimCluster, readLock } from './cluster-lock.ts'
import { explainLog } from './database-errors.ts'
import { type LaunchPlan, READY_LINE, supervise } from './supervisor.ts'

/** A PostgreSQL that accepts connections. */
export interface PostgresProcess {
  /** Settles when PostgreSQL has exited, for whatever reason. */
  ended: Promise<void>
  /** Fast shutdown; after `timeout` milliseconds an immediate one, which the next start recovers from. */
  stop(timeout: number): Promise<void>
}

export interface KeepRunningOptions {
  /** Milliseconds for a fast shutdown. */
  shutdownTimeout: number
  /** Called when a restart failed. There will be another attempt, because the cause may go away. */
  onRestartFailed: (error: unknown) => void
  /** Waits between two attempts. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

/** Milliseconds: the pause doubles with each attempt. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 10_000
/** Milliseconds for which an attempt counts. */
const ATTEMPT_WINDOW = 60_000

/**
 * Starts PostgreSQL, and restarts it if it exits by itself: killed for lack of memory, by mistake, or because the disk
 * is full. The first restart is immediate, later attempts follow after pauses, until one succeeds.
 */
export async function keepRunning(
  start: () => Promise<PostgresProcess>,
  options: KeepRunningOptions,
): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const pause = options.pause ?? wait
  let current = await start()
  let attempts: number[] = []

  const restart = async (): Promise<void> => {
    attempts = attempts.filter((time) => time > Date.now() - ATTEMPT_WINDOW)
    if (attempts.length > 0) await pause(pauseAfter(attempts.length), stopping.signal)
    attempts.push(Date.now())
    if (stopping.signal.aborted) return
    try {
      current = await start()
    } catch (error) {
      options.onRestartFailed(error)
      return
    }
    if (stopping.signal.aborted) await current.stop(options.shutdownTimeout)
  }
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // After a failed restart, this is still the previous process, whose promise is settled.
      await current.ended
      if (!stopping.signal.aborted) await restart()
    }
  }
  const watching = watch()

  return {
    stop: async () => {
      stopping.abort()
      await current.stop(options.shutdownTimeout)
      await watching
    },
  }
}

function pauseAfter(attempts: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempts - 1))
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => {})
}

/** The child processes of a killed PostgreSQL hold its shared memory until they notice and exit. */
const LEFTOVER_MEMORY = 'pre-existing shared memory block'
/** Milliseconds. */
const LEFTOVER_TIMEOUT = 10_000
const LEFTOVER_INTERVAL = 100

/** Starts PostgreSQL and waits until it accepts connections, however long its recovery takes. */
export async function launch(plan: LaunchPlan): Promise<PostgresProcess> {
  const deadline = Date.now() + LEFTOVER_TIMEOUT
  for (;;) {
    await claimCluster(plan.cluster)
    const outcome = await tryLaunch(plan)
    if (outcome.started) return outcome.postgres
    if (!outcome.log.includes(LEFTOVER_MEMORY) || Date.now() > deadline) {
      // If another server has claimed the folder in the meantime, this rejects with that reason.
      await claimCluster(plan.cluster)
      throw explainLog(plan.cluster, outcome.log)
    }
    await delay(LEFTOVER_INTERVAL)
  }
}

type Outcome = { started: true; postgres: PostgresProcess } | { started: false; log: string }

async function tryLaunch(plan: LaunchPlan): Promise<Outcome> {
  const child = supervise(plan)
  const ended = once(child, 'exit').then(() => {})
  const outcome = await readUntilReady(child, plan.onLogLine)
  if (!outcome.ready) {
    await ended
    return { started: false, log: outcome.log }
  }
  return {
    started: true,
    postgres: { ended, stop: (timeout) => stop(child, ended, plan.cluster, timeout) },
  }
}

/** Resolves when PostgreSQL is ready, or when its log ends before that. Keeps passing on lines afterwards. */
function readUntilReady(
  child: ChildProcess,
  onLogLine: (line: string) => void,
): Promise<{ ready: true } | { ready: false; log: string }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    // Closing the pipe of a supervisor that has already exited is no error.
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
  timeout: number,
): Promise<void> {
  child.stdin?.end()
  const timer = new AbortController()
  const timedOut = delay(timeout, true, { signal: timer.signal }).catch(() => false)
  const isLate = await Promise.race([ended.then(() => false), timedOut])
  timer.abort()
  if (!isLate) return
  const lock = await readLock(cluster)
  if (lock !== null) sendSignal(lock.pid, 'SIGQUIT')
  await ended
}
