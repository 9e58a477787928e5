import { expect, it } from 'vitest'
import { keepRunning } from './keep-running.ts'
import type { ServerProcess } from './server-process.ts'

/** A process that ends when it is told to, or when `die` is called. */
function createProcess(): ServerProcess & { die: () => void; stops: () => number } {
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

it('starts another one when it ends by itself, and stops that one', async () => {
  const first = createProcess()
  const second = createProcess()
  const waiting: ServerProcess[] = [first, second]
  const running = await keepRunning(
    () => {
      const next = waiting.shift()
      return next === undefined ? Promise.reject(new Error('one too many')) : Promise.resolve(next)
    },
    { patience: 0, onRestartFailed: () => {} },
  )
  first.die()
  await expect.poll(() => waiting.length).toBe(0)
  await running.stop()
  expect(second.stops()).toBe(1)
})

it('is patient with what is in its way: tries again after longer and longer pauses until it runs', async () => {
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
      patience: 0,
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

it('stops at once while it waits for another try', async () => {
  const first = createProcess()
  let starts = 0
  const running = await keepRunning(
    () => {
      starts += 1
      return starts === 1 ? Promise.resolve(first) : Promise.reject(new Error('no room'))
    },
    {
      patience: 0,
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

it('stops the one that was just being started again', async () => {
  const first = createProcess()
  const second = createProcess()
  let finishRestart: (process: ServerProcess) => void = () => {}
  const starts = [
    Promise.resolve<ServerProcess>(first),
    new Promise<ServerProcess>((resolve) => (finishRestart = resolve)),
  ]
  const begun: Promise<ServerProcess>[] = []
  const running = await keepRunning(
    () => {
      const next = starts[begun.length] ?? Promise.reject(new Error('one too many'))
      begun.push(next)
      return next
    },
    { patience: 0, onRestartFailed: () => {} },
  )
  first.die()
  await expect.poll(() => begun.length).toBe(2)
  const stopped = running.stop()
  finishRestart(second)
  await stopped
  expect(second.stops()).toBe(1)
})

it('tells when the first start fails', async () => {
  const attempt = keepRunning(() => Promise.reject(new Error('no room')), {
    patience: 0,
    onRestartFailed: () => {},
  })
  await expect(attempt).rejects.toThrow('no room')
})
