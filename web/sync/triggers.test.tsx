import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Commit } from './storage.ts'
import { startTriggers, type Triggers } from './triggers.ts'

const COMMITTED: Commit = { version: 1, batch: {}, seqs: [] }
const SECOND = 1000
const MINUTE = 60 * SECOND

const syncNow = vi.fn<() => Promise<boolean>>()
const follow = vi.fn<(committed: Commit) => Promise<void>>()
const refresh = vi.fn<() => Promise<void>>()
const status = {
  complete: true,
  fetching: false,
  error: null,
  retryAfter: 0,
  waiting: 0,
  waitingSince: null,
  rejected: [],
  durable: true,
  unsafe: false,
  encryption: { state: 'off', replacing: null } as const,
}
let visibility: DocumentVisibilityState
let triggers: Triggers

beforeEach(() => {
  vi.useFakeTimers()
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility)
  syncNow.mockResolvedValue(true)
  follow.mockResolvedValue()
  refresh.mockResolvedValue()
  Object.assign(status, { retryAfter: 0, waiting: 0, encryption: { state: 'off', replacing: null } })
})

afterEach(() => triggers.stop())

/** Starts, and forgets the first round. */
async function start(): Promise<void> {
  triggers = startTriggers({ syncNow, follow, refresh, status: () => status })
  await pass(0)
  syncNow.mockClear()
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

async function expectRoundAfter(milliseconds: number): Promise<void> {
  await pass(milliseconds - 1)
  expect(syncNow).not.toHaveBeenCalled()
  await pass(1)
  expect(syncNow).toHaveBeenCalledTimes(1)
  syncNow.mockClear()
}

async function show(state: DocumentVisibilityState): Promise<void> {
  visibility = state
  document.dispatchEvent(new Event('visibilitychange'))
  await pass(0)
}

it('runs a round at the start, and every five minutes while the page is visible', async () => {
  triggers = startTriggers({ syncNow, follow, refresh, status: () => status })
  expect(syncNow).toHaveBeenCalledTimes(1)
  await pass(5 * MINUTE)
  expect(syncNow).toHaveBeenCalledTimes(2)
  await show('hidden')
  await pass(60 * MINUTE)
  expect(syncNow).toHaveBeenCalledTimes(2)
})

it('leaves the first round of a page that was opened in the background until it is shown', async () => {
  visibility = 'hidden'
  await start()
  expect(syncNow).not.toHaveBeenCalled()
  await show('visible')
  expect(syncNow).toHaveBeenCalledTimes(1)
})

it.each([
  ['the connection returns', () => dispatchEvent(new Event('online'))],
  ['the window gets the focus', () => dispatchEvent(new Event('focus'))],
  ['the page is shown', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['the page is taken out of the browser’s cache', () => dispatchEvent(new Event('pageshow'))],
])('runs a round when %s', async (_event, dispatch) => {
  await start()
  await pass(10 * SECOND)
  dispatch()
  expect(syncNow).toHaveBeenCalledTimes(1)
})

it('runs one round when several events say that the user has returned', async () => {
  await start()
  await pass(10 * SECOND)
  await show('visible')
  dispatchEvent(new Event('focus'))
  dispatchEvent(new Event('pageshow'))
  expect(syncNow).toHaveBeenCalledTimes(1)
  expect(refresh).toHaveBeenCalledTimes(3)
})

it('runs a round when the user returns, although the clock was set back', async () => {
  await start()
  vi.setSystemTime(Date.now() - 10 * 365 * 24 * 60 * MINUTE)
  dispatchEvent(new Event('focus'))
  expect(syncNow).toHaveBeenCalledTimes(1)
})

it('tries again after 1, 2, 5, 10, 30, 60 and 60 seconds', async () => {
  syncNow.mockResolvedValue(false)
  await start()
  for (const seconds of [1, 2, 5, 10, 30, 60, 60]) await expectRoundAfter(seconds * SECOND)
  syncNow.mockResolvedValue(true)
  await pass(60 * SECOND)
  syncNow.mockClear()
  await pass(MINUTE)
  expect(syncNow).not.toHaveBeenCalled()
})

it.each([
  ['the time the server asks for', 20, 20 * SECOND],
  ['no longer than five minutes', 10 ** 9, 5 * MINUTE],
])('waits %s before it tries again', async (_what, retryAfter, delay) => {
  syncNow.mockResolvedValue(false)
  status.retryAfter = retryAfter
  await start()
  await expectRoundAfter(delay)
})

it('leaves the server alone for a minute while the user has to do something first', async () => {
  await start()
  Object.assign(status, { encryption: { state: 'key-needed', replacing: null } })
  syncNow.mockResolvedValue(false)
  await triggers.run()
  syncNow.mockClear()
  await expectRoundAfter(MINUTE)
  await expectRoundAfter(MINUTE)
})

it('does not wait after a failure when the user returns', async () => {
  syncNow.mockResolvedValue(false)
  await start()
  dispatchEvent(new Event('focus'))
  expect(syncNow).toHaveBeenCalledTimes(1)
})

it('sends a change at once, and tries again until it is sent, in a hidden page too', async () => {
  await start()
  await show('hidden')
  syncNow.mockResolvedValue(false)
  triggers.onPending()
  expect(syncNow).toHaveBeenCalledTimes(1)
  syncNow.mockResolvedValue(true)
  await pass(SECOND)
  expect(syncNow).toHaveBeenCalledTimes(2)
  await pass(60 * MINUTE)
  expect(syncNow).toHaveBeenCalledTimes(2)
})

it('does not retry in a hidden page what another page has to send', async () => {
  syncNow.mockResolvedValue(false)
  await start()
  await show('hidden')
  await pass(60 * MINUTE)
  dispatchEvent(new Event('online'))
  expect(syncNow).not.toHaveBeenCalled()
})

it('takes over what another tab has written, and reads the storage if that is unknown or the page was hidden', async () => {
  await start()
  triggers.onCommitElsewhere(COMMITTED)
  expect(follow).toHaveBeenCalledWith(COMMITTED)
  expect(refresh).not.toHaveBeenCalled()
  triggers.onCommitElsewhere(null)
  expect(refresh).toHaveBeenCalledTimes(1)
  await show('hidden')
  triggers.onCommitElsewhere(COMMITTED)
  expect(follow).toHaveBeenCalledTimes(1)
  await show('visible')
  expect(refresh).toHaveBeenCalledTimes(2)
})

it('sends the changes of another tab if that tab does not', async () => {
  await start()
  status.waiting = 1
  triggers.onCommitElsewhere(COMMITTED)
  await pass(10 * SECOND)
  expect(syncNow).toHaveBeenCalledTimes(1)
})

it('does nothing after it was stopped', async () => {
  await start()
  triggers.stop()
  await show('visible')
  dispatchEvent(new Event('online'))
  await pass(60 * MINUTE)
  expect(syncNow).not.toHaveBeenCalled()
})
