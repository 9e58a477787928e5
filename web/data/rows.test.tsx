import { act, renderHook, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { anna, connectionLost, failure, FakeServer, openData, withData } from './user-data.test-data.ts'
import { prayerActions } from './prayer-actions.ts'
import { useRows } from './rows.ts'

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
  server.put('prayers', anna)
})

async function renderRows(durable = true) {
  const data = openData(server, durable)
  const { result } = renderHook(() => useRows('prayers'), withData(data))
  const sync = await act(() => data.opened)
  return { data, result, sync, actions: prayerActions(data), syncNow: () => act(() => sync.syncNow()) }
}

it('has no rows, and is fetching, until the first ones have been received', async () => {
  const { result, syncNow } = await renderRows()
  expect(result.current).toMatchObject({ rows: null, complete: false, error: null })
  await syncNow()
  expect(result.current).toMatchObject({ rows: [{ id: 'anna' }], complete: true, error: null })
})

it('has an empty list once the server has confirmed that there are no rows', async () => {
  server.remove('prayers', 'anna')
  const { result, syncNow } = await renderRows()
  await syncNow()
  expect(result.current).toMatchObject({ rows: [], complete: true })
})

it('keeps the object of a row that has not changed', async () => {
  const { result, syncNow } = await renderRows()
  await syncNow()
  const before = result.current.rows?.find(({ id }) => id === 'anna')
  server.put('prayers', { ...anna, id: 'ben' })
  await syncNow()
  expect(result.current.rows).toHaveLength(2)
  expect(result.current.rows?.find(({ id }) => id === 'anna')).toBe(before)
})

describe('when the rows cannot be fetched', () => {
  it('there is an error, with a way to try again', async () => {
    expectConsoleError('Failed to fetch prayers')
    const { result, syncNow } = await renderRows()
    server.intercept = connectionLost
    await syncNow()
    expect(result.current).toMatchObject({ rows: null })
    expect(result.current.error?.message).toBe('Failed to fetch prayers')
    server.intercept = () => null
    act(() => result.current.error?.retry?.())
    await waitFor(() => expect(result.current.rows).toHaveLength(1))
    expect(result.current.error).toBeNull()
  })

  it('the error is the message of the server if it has one', async () => {
    expectConsoleError('This account is suspended')
    const { result, syncNow } = await renderRows()
    server.intercept = () => failure(403, '42501', 'This account is suspended')
    await syncNow()
    expect(result.current.error?.message).toBe('This account is suspended')
  })

  it('the error stays dismissed while the rounds go on failing', async () => {
    expectConsoleError('Failed to fetch prayers')
    const { result, syncNow } = await renderRows()
    server.intercept = connectionLost
    await syncNow()
    act(() => result.current.error?.dismiss())
    await syncNow()
    expect(result.current.error).toBeNull()
  })

  it('there is no error if they are on this device', async () => {
    const { result, syncNow } = await renderRows()
    await syncNow()
    server.intercept = connectionLost
    await syncNow()
    expect(result.current).toMatchObject({ rows: [{ id: 'anna' }], complete: true, error: null })
  })
})

describe('the error of a change', () => {
  it('shows until it is dismissed', async () => {
    expectConsoleError('Prayer not found')
    const { result, actions } = await renderRows()
    await act(() => actions.change({ ...anna, id: 'unknown' }, { resolved: true }))
    expect(result.current.error).toMatchObject({ message: 'Prayer not found', retry: null })
    act(() => result.current.error?.dismiss())
    expect(result.current.error).toBeNull()
  })

  it('disappears when the next change begins', async () => {
    expectConsoleError('Prayer not found')
    const { result, actions, syncNow } = await renderRows()
    await syncNow()
    await act(() => actions.change({ ...anna, id: 'unknown' }, { resolved: true }))
    await act(() => actions.change(anna, { resolved: true }))
    expect(result.current.error).toBeNull()
  })

  it('that the server has rejected shows when its response arrives, with the row as it was', async () => {
    expectConsoleError('not allowed')
    const { result, sync, actions, syncNow } = await renderRows()
    await syncNow()
    server.intercept = ({ method }) => (method === 'PATCH' ? failure(403, '42501', 'not allowed') : null)
    await act(() => actions.change(anna, { resolved: true }))
    await syncNow()
    expect(result.current.error?.message).toBe('not allowed')
    expect(result.current.rows).toMatchObject([{ id: 'anna', resolved: false }])
    expect(sync.status().rejected).toMatchObject([{ row: 'anna', reason: 'rejected', code: '42501' }])
  })

  it('hides that of a fetch; one dismissal is enough for both', async () => {
    expectConsoleError('Failed to fetch prayers')
    expectConsoleError('Prayer not found')
    const { result, actions, syncNow } = await renderRows()
    server.intercept = connectionLost
    await syncNow()
    await act(() => actions.change({ ...anna, id: 'unknown' }, { resolved: true }))
    expect(result.current.error?.message).toBe('Prayer not found')
    expect(result.current.error?.retry).not.toBeNull()
    act(() => result.current.error?.dismiss())
    expect(result.current.error).toBeNull()
  })
})

it('has no rows when no one is signed in', () => {
  const { result } = renderHook(() => useRows('prayers'))
  expect(result.current).toMatchObject({ rows: null, complete: false })
})
