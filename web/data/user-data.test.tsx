import { act, render, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { sessionWith, storeSession } from '#web/lib/session/sample-session.test-data.ts'
import { startSession } from '#web/lib/session/session.ts'
import { endStoredSession } from '#web/lib/session/stored-session.ts'
import { stubIndexedDb } from '#web/sync/browser-database.test-data.ts'
import { anna, connectionLost, failure, FakeServer, openData, withData } from './user-data.test-data.ts'
import { prayerActions } from './prayer-actions.ts'
import { useCountUnsaved, useSyncStatus } from './sync-status.ts'
import { UserDataProvider } from './user-data.tsx'

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('prayers', anna)
})

describe('when the server has nothing of what it had', () => {
  async function openThenLose(isAccountDeleted: () => Promise<boolean>) {
    const sync = await openData(server, true, isAccountDeleted).opened
    await sync.syncNow()
    server.loseEverything()
    return { sync, succeeded: await sync.syncNow() }
  }

  const offline = () => Promise.reject(new TypeError('Failed to fetch'))
  it.each([
    ['leaves everything as it is if the account was deleted', async () => true, true],
    ['waits while it cannot be known', offline, false],
  ])('%s', async (_what, isAccountDeleted, done) => {
    const ask = vi.fn(isAccountDeleted)
    const { sync, succeeded } = await openThenLose(ask)
    expect(ask).toHaveBeenCalledTimes(1)
    expect(succeeded).toBe(done)
    expect(sync.rows('prayers')).toHaveLength(1)
    expect(sync.status().rejected).toEqual([])
  })

  it('sends the rows again if it was restored from an older backup', async () => {
    const { sync, succeeded } = await openThenLose(async () => false)
    expect(succeeded).toBe(true)
    expect(sync.rows('prayers')).toMatchObject([{ id: 'anna' }])
    expect(server.tables.prayers).toMatchObject([{ id: 'anna' }])
  })
})

it('does not ask whether the account was deleted if nothing was ever written', async () => {
  server.loseEverything()
  const isDeleted = vi.fn<() => Promise<boolean>>()
  const sync = await openData(server, true, isDeleted).opened
  expect([await sync.syncNow(), await sync.syncNow()]).toEqual([true, true])
  expect(isDeleted).not.toHaveBeenCalled()
})

it('deletes what is stored on this device when the server has ended the session', async () => {
  stubIndexedDb()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const databases = async () => (await indexedDB.databases()).map(({ name }) => name)
  storeSession(sessionWith('token', 3600))
  await startSession()
  dispatchEvent(new Event('pageshow'))
  const { unmount } = render(<UserDataProvider userId="ruth">{null}</UserDataProvider>)
  await expect.poll(databases).toEqual(['intercede-ruth'])
  unmount()
  endStoredSession('expired')
  await expect.poll(databases).toEqual([])
  localStorage.clear()
  dispatchEvent(new Event('pageshow'))
})

describe('the status', () => {
  async function renderStatus(durable = true) {
    const data = openData(server, durable)
    const { result } = renderHook(useSyncStatus, withData(data))
    const count = renderHook(useCountUnsaved, withData(data)).result.current
    const sync = await act(() => data.opened)
    const syncNow = () => act(() => sync.syncNow())
    await syncNow()
    /** Makes a change, and tries to send it. */
    const resolve = async () => {
      await act(() => prayerActions(data).change(anna, { resolved: true }))
      await syncNow()
    }
    return { result, count, sync, syncNow, resolve }
  }

  async function renderOffline() {
    const rendered = await renderStatus()
    server.intercept = connectionLost
    await rendered.resolve()
    return rendered
  }

  it('is quiet while all is well', async () => {
    const { result, count } = await renderStatus()
    const quiet = { waiting: 0, waitingSince: null, rejectedCount: 0 }
    expect(result.current).toEqual({ ...quiet, durable: true, outdated: false })
    expect(await count()).toBe(0)
  })

  it('shows what waits to be sent', async () => {
    const { result, count, syncNow } = await renderOffline()
    const since = '2026-11-03T14:05:00.000Z'
    expect(result.current).toMatchObject({ waiting: 1, waitingSince: since })
    expect(await count()).toBe(1)
    server.intercept = () => null
    await syncNow()
    expect(result.current).toMatchObject({ waiting: 0 })
  })

  it('sends what is waiting before it is counted', async () => {
    const { result, count } = await renderOffline()
    server.intercept = () => null
    expect(await act(count)).toBe(0)
    expect(result.current.waiting).toBe(0)
  })

  it('does not wait for what is fetched once everything was sent', async () => {
    const { sync, count } = await renderOffline()
    server.intercept = () => null
    const send = sync.syncNow
    vi.spyOn(sync, 'syncNow').mockImplementation(() => send().then(() => new Promise(() => {})))
    // The ten seconds never pass.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    expect(await count()).toBe(0)
  })

  it('counts what is waiting if the server does not respond for twenty seconds', async () => {
    const { sync, count } = await renderOffline()
    vi.spyOn(sync, 'syncNow').mockReturnValue(new Promise(() => {}))
    vi.useFakeTimers()
    const counted = count()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await counted).toBe(1)
  })

  it('counts what could not be saved', async () => {
    expectConsoleError('not allowed')
    const { result, count, resolve } = await renderStatus()
    server.intercept = ({ method }) => (method === 'PATCH' ? failure(403, '42501', 'not allowed') : null)
    await resolve()
    expect(result.current).toMatchObject({ waiting: 0, rejectedCount: 1 })
    expect(await count()).toBe(1)
  })
})
