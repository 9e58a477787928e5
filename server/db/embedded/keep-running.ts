import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from './server-process.ts'

export interface KeepRunningOptions {
  /** Milliseconds given to a shutdown in good order. */
  patience: number
  /** Told why it could not be started again. It is tried again and again, for what is in its way may pass. */
  onRestartFailed: (error: unknown) => void
  /** Waits between two tries. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>
}

export interface KeptRunning {
  stop(): Promise<void>
}

/** Milliseconds: twice as long after each try, within limits. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 10_000
/** Milliseconds after which a try is forgotten. */
const MEMORY = 60_000

/**
 * Launches, and launches again when it ends by itself: killed for want of memory, by a slip of the hand, or by a disk
 * that is full. The first time at once, then after pauses, until it runs again.
 */
export async function keepRunning(
  start: () => Promise<ServerProcess>,
  options: KeepRunningOptions,
): Promise<KeptRunning> {
  const stopping = new AbortController()
  const pause = options.pause ?? wait
  let current = await start()
  let tries: number[] = []

  const startAgain = async (): Promise<void> => {
    tries = tries.filter((time) => time > Date.now() - MEMORY)
    if (tries.length > 0) await pause(pauseAfter(tries.length), stopping.signal)
    tries.push(Date.now())
    if (stopping.signal.aborted) return
    try {
      current = await start()
    } catch (error) {
      options.onRestartFailed(error)
      return
    }
    if (stopping.signal.aborted) await current.stop(options.patience)
  }
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // One that has ended, because none could be started since, has ended for good.
      await current.ended
      if (!stopping.signal.aborted) await startAgain()
    }
  }
  const watching = watch()

  return {
    stop: async () => {
      stopping.abort()
      await current.stop(options.patience)
      await watching
    },
  }
}

function pauseAfter(tries: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1))
}

async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  // Ended early when there is nothing to wait for any more.
  await delay(milliseconds, undefined, { signal }).catch(() => {})
}
