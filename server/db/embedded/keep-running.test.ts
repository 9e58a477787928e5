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
    { patience: 0, onGivenUp: () => {} },
  )
  first.die()
  await expect.poll(() => waiting.length).toBe(0)
  await running.stop()
  expect(second.stops()).toBe(1)
})

it('gives up when it ends again and again', async () => {
  let starts = 0
  const reason = await new Promise<unknown>((resolve) => {
    void keepRunning(
      () => {
        starts += 1
        const next = createProcess()
        next.die()
        return Promise.resolve(next)
      },
      { patience: 0, onGivenUp: resolve },
    )
  })
  expect(String(reason)).toContain('PostgreSQL ended again and again')
  expect(starts).toBe(4)
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
    { patience: 0, onGivenUp: () => {} },
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
    onGivenUp: () => {},
  })
  await expect(attempt).rejects.toThrow('no room')
})
