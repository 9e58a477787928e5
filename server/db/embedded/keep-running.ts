import type { ServerProcess } from './server-process.ts'

export interface KeepRunningOptions {
  /** Milliseconds given to a shutdown in good order. */
  patience: number
  /** It ended too often, or could not be started again; nothing more is tried. */
  onGivenUp: (error: unknown) => void
}

export interface KeptRunning {
  stop(): Promise<void>
}

const MOST_RESTARTS = 3
/** Milliseconds within which that many restarts are too many. */
const RESTART_WINDOW = 60_000

/** Launches, and launches again when it ends by itself: killed for want of memory, or by a slip of the hand. */
export async function keepRunning(
  start: () => Promise<ServerProcess>,
  options: KeepRunningOptions,
): Promise<KeptRunning> {
  let current = await start()
  let stopping = false
  let restarts: number[] = []

  const watch = async (): Promise<void> => {
    while (!stopping) {
      await current.ended
      if (stopping) return
      restarts = [...restarts.filter((time) => time > Date.now() - RESTART_WINDOW), Date.now()]
      if (restarts.length > MOST_RESTARTS) throw new Error('PostgreSQL ended again and again.')
      current = await start()
      if (stopping) await current.stop(options.patience)
    }
  }
  const watching = watch().catch((error: unknown) => {
    if (!stopping) options.onGivenUp(error)
  })

  return {
    stop: async () => {
      stopping = true
      await current.stop(options.patience)
      await watching
    },
  }
}
