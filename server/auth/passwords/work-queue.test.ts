import { expect, it } from 'vitest'
import { QueueFullError, WorkQueue } from './work-queue.ts'

function openJob() {
  let finish: () => void = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { job: () => done, finish: () => finish() }
}

it('runs no more at once than it may, in the order they came', async () => {
  const queue = new WorkQueue({ concurrent: 1, waiting: 5 })
  const order: string[] = []
  const first = openJob()
  const pending = [
    queue.run(async () => {
      order.push('first starts')
      await first.job()
      order.push('first ends')
    }),
    queue.run(async () => void order.push('second')),
    queue.run(async () => void order.push('third')),
  ]
  first.finish()
  await Promise.all(pending)
  expect(order).toEqual(['first starts', 'first ends', 'second', 'third'])
})

it('turns away who would have to wait behind too many, and takes others again later', async () => {
  const queue = new WorkQueue({ concurrent: 1, waiting: 1 })
  const first = openJob()
  const running = queue.run(first.job)
  const waiting = queue.run(async () => 'waited')
  await expect(queue.run(async () => 'no')).rejects.toBeInstanceOf(QueueFullError)
  first.finish()
  await running
  expect(await waiting).toBe('waited')
  expect(await queue.run(async () => 'again')).toBe('again')
})

it('gives the place on when a job fails', async () => {
  const queue = new WorkQueue({ concurrent: 1, waiting: 1 })
  const failing = queue.run(async () => {
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(await queue.run(async () => 'fine')).toBe('fine')
})
