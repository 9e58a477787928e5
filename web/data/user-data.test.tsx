import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, connectionLost, failure, FakeServer, openData } from './fake-server.test-data.ts'
import { prayerActions } from './prayers.ts'
import { type UserData, UserDataContext } from './rows.ts'
import { useCountUnsaved, useSyncStatus } from './sync-status.ts'

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

  it('leaves everything as it is if the account was deleted', async () => {
    const isDeleted = vi.fn<() => Promise<boolean>>().mockResolvedValue(true)
    const { sync } = await openThenLose(isDeleted)
    expect(isDeleted).toHaveBeenCalledTimes(1)
    expect(sync.rows('prayers')).toHaveLength(1)
    expect(sync.status().rejected).toEqual([])
  })

  it('keeps the rows to be sent again if it was restored from an older backup', async () => {
    const { sync, succeeded } = await openThenLose(async () => false)
    expect(succeeded).toBe(true)
    expect(sync.rows('prayers')).toEqual([])
    expect(sync.status().rejected).toMatchObject([{ row: 'anna', kind: 'insert', reason: 'restored' }])
  })

  it('waits while it cannot be known', async () => {
    const { sync, succeeded } = await openThenLose(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(succeeded).toBe(false)
    expect(sync.rows('prayers')).toHaveLength(1)
    expect(sync.status().rejected).toEqual([])
  })
})

it('does not ask whether the account was deleted if nothing was ever written', async () => {
  server.loseEverything()
  const isDeleted = vi.fn<() => Promise<boolean>>()
  const sync = await openData(server, true, isDeleted).opened
  expect(await sync.syncNow()).toBe(true)
  expect(await sync.syncNow()).toBe(true)
  expect(isDeleted).not.toHaveBeenCalled()
})

describe('the status', () => {
  const provide = (data: UserData) => ({
    wrapper: ({ children }: { children: ReactNode }) => (
      <UserDataContext value={data}>{children}</UserDataContext>
    ),
  })

  async function renderStatus(durable = true) {
    const data = openData(server, durable)
    const { result } = renderHook(useSyncStatus, provide(data))
    const count = renderHook(useCountUnsaved, provide(data)).result.current
    const sync = await act(() => data.opened)
    const syncNow = () => act(() => sync.syncNow())
    await syncNow()
    return {
      result,
      count,
      sync,
      syncNow,
      resolve: () => act(() => prayerActions(data).update(anna, { resolved: true })),
    }
  }

  it('is quiet while all is well', async () => {
    const { result, count } = await renderStatus()
    expect(result.current).toEqual({
      offline: false,
      waiting: 0,
      waitingSince: null,
      rejectedCount: 0,
      durable: true,
      outdated: false,
    })
    expect(await count()).toBe(0)
  })

  it('shows that the server cannot be reached, and what waits for it', async () => {
    const { result, count, syncNow, resolve } = await renderStatus()
    server.intercept = connectionLost
    await resolve()
    await syncNow()
    expect(result.current).toMatchObject({
      offline: true,
      waiting: 1,
      waitingSince: '2026-11-03T14:05:00.000Z',
    })
    expect(await count()).toBe(1)
    server.intercept = () => null
    await syncNow()
    expect(result.current).toMatchObject({ offline: false, waiting: 0 })
  })

  it('sends what is waiting before it is counted', async () => {
    const { result, count, syncNow, resolve } = await renderStatus()
    server.intercept = connectionLost
    await resolve()
    await syncNow()
    server.intercept = () => null
    expect(await act(count)).toBe(0)
    expect(result.current.waiting).toBe(0)
  })

  it('does not wait for what is fetched once everything was sent', async () => {
    const { sync, count, syncNow, resolve } = await renderStatus()
    server.intercept = connectionLost
    await resolve()
    await syncNow()
    server.intercept = () => null
    const send = sync.syncNow
    vi.spyOn(sync, 'syncNow').mockImplementation(() => send().then(() => new Promise(() => {})))
    // The ten seconds never pass.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    expect(await count()).toBe(0)
  })

  it('counts what is waiting if the server does not respond for twenty seconds', async () => {
    const { sync, count, syncNow, resolve } = await renderStatus()
    server.intercept = connectionLost
    await resolve()
    await syncNow()
    vi.spyOn(sync, 'syncNow').mockReturnValue(new Promise(() => {}))
    vi.useFakeTimers()
    const counted = count()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await counted).toBe(1)
  })

  it.each([
    [502, true],
    [503, true],
    [429, false],
    [500, false],
  ])('after a response with status %i: offline is %s', async (status, offline) => {
    const { result, syncNow } = await renderStatus()
    server.intercept = () => new Response('', { status })
    await syncNow()
    expect(result.current.offline).toBe(offline)
  })

  it('is offline when the browser is', async () => {
    const { result } = await renderStatus()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    act(() => void dispatchEvent(new Event('offline')))
    expect(result.current.offline).toBe(true)
  })

  it('counts what could not be saved', async () => {
    expectConsoleError('not allowed')
    const { result, count, syncNow, resolve } = await renderStatus()
    server.intercept = ({ method }) => (method === 'PATCH' ? failure(403, '42501', 'not allowed') : null)
    await resolve()
    await syncNow()
    expect(result.current).toMatchObject({ waiting: 0, rejectedCount: 1 })
    expect(await count()).toBe(1)
  })
})
