import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { createStore } from '#web/lib/storage/store.ts'
import {
  anna,
  connectionLost,
  FakeServer,
  family,
  openData,
  openSynced,
  withData,
} from './fake-server.test-data.ts'
import { prayerActions } from './prayers.ts'
import { useOverdue, useSyncStatus } from './sync-status.ts'
import { createUserData } from './user-data.tsx'

/** When the fake data makes its changes. */
const MADE_AT = new Date('2026-11-03T14:05:00Z')

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: MADE_AT }))

async function changeOffline() {
  const server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
  const { data, sync } = await openSynced(server)
  const { result } = renderHook(useOverdue, withData(data))
  server.intercept = () => connectionLost()
  await act(() => prayerActions(data).change(anna, { resolved: true }))
  return { result, server, sync }
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

it('is true once a change has been waiting for three seconds, until none is waiting', async () => {
  const { result, server, sync } = await changeOffline()
  await pass(2999)
  expect(result.current).toBe(false)
  await pass(1)
  expect(result.current).toBe(true)
  server.intercept = () => null
  await act(() => sync.syncNow())
  expect(result.current).toBe(false)
})

it.each([
  ['back', new Date('2016-11-03T14:05:00Z'), 3000],
  ['ahead', new Date('2036-11-03T14:05:00Z'), 0],
])('takes three seconds at most if the clock was set %s', async (_direction, now, milliseconds) => {
  vi.setSystemTime(now)
  const { result } = await changeOffline()
  await pass(milliseconds)
  expect(result.current).toBe(true)
})

it.each([
  [false, 'a page that does not reach the server is offline'],
  [true, 'a page that is outdated is not offline: it does not try to reach the server'],
])('outdated: %s; %s', async (isOutdated) => {
  const server = new FakeServer()
  server.intercept = () => connectionLost()
  const { opened } = openData(server)
  const data = createUserData(
    'me',
    opened.then((sync) => ({ ...sync, outdated: createStore(isOutdated) })),
  )
  await (await data.opened).syncNow()
  const { result } = renderHook(useSyncStatus, withData(data))
  expect(result.current).toMatchObject({ offline: !isOutdated, outdated: isOutdated })
})
