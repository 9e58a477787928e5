import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import {
  anna,
  connectionLost,
  FakeServer,
  openSynced,
  updateOnAnna,
  withData,
} from './user-data.test-data.ts'
import { usePrayerUpdates } from './prayer-updates.ts'
import { usePrayerUpdateActions } from './prayer-update-actions.ts'
import { prayerActions } from './prayer-actions.ts'

const older = {
  ...updateOnAnna,
  id: 'older',
  body: 'She has applied',
  created_at: '2025-01-01T00:00:00+00:00',
}

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('prayers', anna)
  server.put('prayer_updates', older)
  server.put('prayer_updates', updateOnAnna)
})

async function openUpdates() {
  const { data, sync } = await openSynced(server)
  const { result } = renderHook(
    () => ({ ...usePrayerUpdates(), ...usePrayerUpdateActions() }),
    withData(data),
  )
  return { data, sync, result, bodies: () => result.current.rows?.map(({ body }) => body) }
}

describe('the updates', () => {
  it('are in their order, newest first', async () => {
    const { bodies } = await openUpdates()
    expect(bodies()).toEqual(['She is better', 'She has applied'])
  })

  it('of a prayer disappear with it', async () => {
    const { data, bodies } = await openUpdates()
    server.intercept = connectionLost
    await act(() => prayerActions(data).remove(anna))
    expect(bodies()).toEqual([])
  })
})

describe('adding an update', () => {
  it('shows it at once, and sends all its columns', async () => {
    const { sync, result, bodies } = await openUpdates()
    const added = { prayer_id: 'anna', body: 'She is home' }
    await act(() => result.current.addUpdate(added, 'home'))
    expect(bodies()).toEqual(['She is home', 'She is better', 'She has applied'])
    await act(() => sync.syncNow())
    const times = { created_at: expect.any(String), updated_at: expect.any(String) }
    const body = { ...added, ...times, id: 'home', user_id: 'me' }
    expect(server.changes).toEqual([{ method: 'POST', path: 'prayer_updates', body }])
  })

  it('needs no connection: it is sent when the server is back', async () => {
    const { sync, result, bodies } = await openUpdates()
    server.intercept = connectionLost
    await act(() => result.current.addUpdate({ prayer_id: 'anna', body: 'She is home' }))
    expect(await sync.syncNow()).toBe(false)
    expect(bodies()).toEqual(['She is home', 'She is better', 'She has applied'])
    server.intercept = () => null
    await act(() => sync.syncNow())
    expect(server.tables.prayer_updates).toContainEqual(expect.objectContaining({ body: 'She is home' }))
  })
})

describe('changing an update', () => {
  it('changes its text, here and on the server', async () => {
    const { sync, result, bodies } = await openUpdates()
    await act(() => result.current.changeUpdate(updateOnAnna, 'She is well'))
    expect(bodies()).toEqual(['She is well', 'She has applied'])
    await act(() => sync.syncNow())
    expect(server.tables.prayer_updates).toContainEqual(expect.objectContaining({ body: 'She is well' }))
  })

  it('keeps the text of another device, and adds its own', async () => {
    const { sync, result, bodies } = await openUpdates()
    server.put('prayer_updates', { ...updateOnAnna, body: 'from the phone' })
    await act(() => sync.syncNow())
    await act(() => result.current.changeUpdate(updateOnAnna, 'from here'))
    await act(() => sync.syncNow())
    expect(bodies()).toEqual([
      'Your version of 3 November, 14:05\n\nfrom here',
      'from the phone',
      'She has applied',
    ])
  })
})

describe('deleting an update', () => {
  it('removes it, here and on the server', async () => {
    const { sync, result, bodies } = await openUpdates()
    await act(() => result.current.deleteUpdate(updateOnAnna))
    expect(bodies()).toEqual(['She has applied'])
    await act(() => sync.syncNow())
    expect(server.tables.prayer_updates).toMatchObject([{ id: 'older' }])
  })

  it('is undone if another device has changed it', async () => {
    expectConsoleError('This was changed on another device, so it was not deleted.')
    const { sync, result, bodies } = await openUpdates()
    server.put('prayer_updates', { ...updateOnAnna, body: 'from the phone' })
    await act(() => result.current.deleteUpdate(updateOnAnna))
    await act(() => sync.syncNow())
    expect(bodies()).toEqual(['from the phone', 'She has applied'])
  })
})
