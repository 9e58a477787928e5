import { expect, it } from 'vitest'
import { keepRunning, type PostgresProcess } from './postgres-process.ts'

/** A process that exits when it is stopped, or when `die` is called. */
function createProcess(): PostgresProcess & { die: () => void; stops: () => number } {
  let die: () => void = () => {}
  let stops = 0
  const ended = new Promise<void>((resolve) => {
    die = resolve
  })
  return {
    ended,
    die: () => die(),
    stops: () => stops,
    stop: async () => {
      stops += 1
      die()
      await ended
    },
  }
}

it('restarts a process that exits by itself, and stops the new one', async () => {
  const first = createProcess()
  const second = createProcess()
  const queued: PostgresProcess[] = [first, second]
  const running = await keepRunning(
    () => {
      const next = queued.shift()
      return next === undefined ? Promise.reject(new Error('one too many')) : Promise.resolve(next)
    },
    { shutdownTimeout: 0, onRestartFailed: () => {} },
  )
  first.die()
  await expect.poll(() => queued.length).toBe(0)
  await running.stop()
  expect(second.stops()).toBe(1)
})

it('tries again after longer and longer pauses until a restart succeeds', async () => {
  const first = createProcess()
  const last = createProcess()
  const pauses: number[] = []
  const failures: unknown[] = []
  let starts = 0
  const running = await keepRunning(
    () => {
      starts += 1
      if (starts === 1) return Promise.resolve(first)
      return starts === 11 ? Promise.resolve(last) : Promise.reject(new Error('no room'))
    },
    {
      shutdownTimeout: 0,
      onRestartFailed: (error) => failures.push(error),
      pause: (milliseconds) => Promise.resolve(pauses.push(milliseconds)),
    },
  )
  first.die()
  await expect.poll(() => starts).toBe(11)
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
  expect(failures).toHaveLength(9)
  await running.stop()
  expect(last.stops()).toBe(1)
})

it('stops at once during the pause before an attempt', async () => {
  const first = createProcess()
  let starts = 0
  const running = await keepRunning(
    () => {
      starts += 1
      return starts === 1 ? Promise.resolve(first) : Promise.reject(new Error('no room'))
    },
    {
      shutdownTimeout: 0,
      onRestartFailed: () => {},
      pause: (_milliseconds, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
    },
  )
  first.die()
  await expect.poll(() => starts).toBe(2)
  await running.stop()
  expect(starts).toBe(2)
})

it('stops the process that was just being restarted', async () => {
  const first = createProcess()
  const second = createProcess()
  let finishRestart: (process: PostgresProcess) => void = () => {}
  const starts = [
    Promise.resolve<PostgresProcess>(first),
    new Promise<PostgresProcess>((resolve) => (finishRestart = resolve)),
  ]
  const started: Promise<PostgresProcess>[] = []
  const running = await keepRunning(
    () => {
      const next = starts[started.length] ?? Promise.reject(new Error('one too many'))
      started.push(next)
      return next
    },
    { shutdownTimeout: 0, onRestartFailed: () => {} },
  )
  first.die()
  await expect.poll(() => started.length).toBe(2)
  const stopped = running.stop()
  finishRestart(second)
  await stopped
  expect(second.stops()).toBe(1)
})

it('rejects when the first start fails', async () => {
  const attempt = keepRunning(() => Promise.reject(new Error('no room')), {
    shutdownTimeout: 0,
    onRestartFailed: () => {},
  })
  await expect(attempt).rejects.toThrow('no room')
})
