/** Work that a request starts, and that its response does not wait for. */
export interface BackgroundWork {
  /** Runs a task once the response had its turn. The task must handle its errors. */
  start(task: () => Promise<void>): void
  /** Resolves when all tasks are done. */
  settled(): Promise<void>
}

export function createBackgroundWork(): BackgroundWork {
  const running = new Set<Promise<void>>()
  return {
    start: (task) => {
      const done = new Promise<void>((resolve, reject) => {
        setImmediate(() => void task().then(resolve, reject))
      }).finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
