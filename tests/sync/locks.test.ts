import { expect, it } from 'vitest'
import { createLocks } from './locks.ts'

/** A tab of one browser for each request, and what happens to the requests. */
function openBrowser() {
  const locks = createLocks()
  const log: string[] = []
  const request = (tab: { name: string }, lock = 'sync') => {
    const waiting = new AbortController()
    let finish = () => {}
    let fail = () => {}
    const work = () => {
      log.push(`${tab.name} starts`)
      return new Promise<void>((resolve, reject) => {
        finish = resolve
        fail = () => reject(new Error('broken'))
      })
    }
    const ended = locks.of(tab).request(lock, { signal: waiting.signal }, work)
    ended.then(
      () => log.push(`${tab.name} ends`),
      (reason: unknown) => log.push(`${tab.name}: ${String(reason)}`),
    )
    return { finish: () => finish(), fail: () => fail(), abort: () => waiting.abort('too long') }
  }
  /** What has happened since the last call. */
  const events = async () => {
    for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve))
    return log.splice(0)
  }
  return { locks, request, events }
}

const [A, B, C] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]

it('grants a lock in the order of the requests, to the next one when the work of the last has ended', async () => {
  const { locks, request, events } = openBrowser()
  const [a, b] = [request(A), request(B), request(C)]
  expect(await events()).toEqual(['a starts'])
  expect([A, B, C].map(locks.isWaiting)).toEqual([false, true, true])
  a.fail()
  expect(await events()).toEqual(['a: Error: broken', 'b starts'])
  b.finish()
  expect(await events()).toEqual(['b ends', 'c starts'])
})

it('grants locks with other names, and those of other browsers, at once', async () => {
  const [one, other] = [openBrowser(), openBrowser()]
  one.request(A)
  one.request(B, 'another')
  other.request(C)
  expect([await one.events(), await other.events()]).toEqual([['a starts', 'b starts'], ['c starts']])
})

it('forgets a request that is aborted, unless its lock was granted', async () => {
  const { request, events } = openBrowser()
  const [a, b] = [request(A), request(B), request(C)]
  await events()
  a.abort()
  b.abort()
  expect(await events()).toEqual(['b: too long'])
  a.finish()
  expect(await events()).toEqual(['a ends', 'c starts'])
})

it('releases the locks of a killed tab, and forgets its requests', async () => {
  const { locks, request, events } = openBrowser()
  const [a] = [request(A), request(B), request(C)]
  await events()
  locks.release(B)
  locks.release(A)
  expect(await events()).toEqual(['c starts'])
  a.finish()
  request(B)
  expect(await events()).toEqual(['a ends'])
})
