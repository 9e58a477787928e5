import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from '#web/lib/storage/store.ts'
import {
  anna,
  connectionLost,
  failure,
  FakeServer,
  family,
  openData,
  openSynced,
  withData,
} from './user-data.test-data.ts'
import { prayerActions } from './prayer-actions.ts'
import { useConnection, useOverdue } from './sync-status.ts'
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

describe('the connection', () => {
  const setOnline = (isOnline: boolean) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
    return act(async () => void dispatchEvent(new Event(isOnline ? 'online' : 'offline')))
  }

  async function open(server: FakeServer, isOutdated = false) {
    const { opened } = openData(server)
    const data = createUserData(
      'me',
      opened.then((sync) => ({ ...sync, outdated: createStore(isOutdated) })),
    )
    const sync = await data.opened
    await sync.syncNow()
    return { sync, connection: renderHook(useConnection, withData(data)).result }
  }

  it.each<[string, string, FakeServer['intercept']]>([
    ['connected', 'all is well', () => null],
    ['server-unreachable', 'there is no response', () => connectionLost()],
    ['server-unreachable', 'a proxy responds in its place', () => new Response('', { status: 502 })],
    ['server-unreachable', 'it is overloaded', () => failure(503, 'over_capacity')],
    ['connected', 'it responds with a fault', () => failure(500, 'XX000')],
    ['connected', 'it limits requests', () => failure(429, 'PT429')],
  ])('is “%s” if %s', async (expected, _case, intercept) => {
    const server = new FakeServer()
    server.intercept = intercept
    const { connection } = await open(server)
    expect(connection.current).toBe(expected)
    await setOnline(false)
    expect(connection.current).toBe('offline')
  })

  it('is “connected” on a page that is outdated, and so does not try to reach the server', async () => {
    const server = new FakeServer()
    server.intercept = () => connectionLost()
    const { connection } = await open(server, true)
    expect(connection.current).toBe('connected')
  })

  it('does not blame the server for what failed without a network, once the network is back', async () => {
    const server = new FakeServer()
    const { sync, connection } = await open(server)
    await setOnline(false)
    server.intercept = () => connectionLost()
    await act(() => sync.syncNow())
    await setOnline(true)
    expect(connection.current).toBe('offline')
    await act(() => sync.syncNow())
    expect(connection.current).toBe('server-unreachable')
    server.intercept = () => null
    await act(() => sync.syncNow())
    expect(connection.current).toBe('connected')
  })
})
