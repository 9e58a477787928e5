import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { UserError } from '#web/lib/error-message.ts'
import { type Change, editedRow, runAction, sendChange } from './change-list.ts'
import { listQuery, userList } from './list.ts'
import { UserIdContext, useList } from './use-list.ts'

type Person = { id: string; name: string }

const connectionLost = new TypeError('Failed to fetch')
const ann = { id: 'a', name: 'Ann' }
const fetchPage = vi.fn<() => Promise<readonly Person[]>>()
const definition = { table: 'prayers', fetchPage, pageSize: 100 } as const

let client: QueryClient

beforeEach(() => {
  client = new QueryClient()
  fetchPage.mockReset().mockResolvedValue([ann])
})

const listOf = (userId: string | null) => userList<Person>(definition, client, userId)

async function renderList() {
  const { result } = renderHook(() => useList<Person>(definition), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <UserIdContext value="me">
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </UserIdContext>
    ),
  })
  await waitFor(() => expect(result.current.fetching).toBe(false))
  return result
}

const fail = (failure: Error) =>
  act(() => runAction(listOf('me'), 'delete prayer', () => Promise.reject(failure)))

/** Fetches again, without the retry and its delay. */
const refetch = () =>
  act(() => client.query({ ...listQuery(listOf('me')), staleTime: 0, retry: false }).catch(() => {}))

it('shows a pending change until the server has responded', async () => {
  const result = await renderList()
  let respond: (saved: Change<Person>) => void = () => {}
  const send = () => new Promise<Change<Person>>((resolve) => (respond = resolve))
  const change = editedRow<Person>('a', { name: 'Anna' })
  let sent = Promise.resolve()
  act(() => {
    sent = sendChange(listOf('me'), { change, row: 'a', send, onFailure: 'restore-row' })
  })
  await waitFor(() => expect(result.current.rows).toEqual([{ id: 'a', name: 'Anna' }]))
  await act(async () => {
    respond(editedRow('a', { name: 'Anna (saved)' }))
    await sent
  })
  await waitFor(() => expect(result.current.rows).toEqual([{ id: 'a', name: 'Anna (saved)' }]))
})

describe('the error of a list', () => {
  it('is none while everything succeeds', async () => {
    const result = await renderList()
    expect(await act(() => runAction(listOf('me'), 'add prayer', async () => {}))).toEqual({ success: true })
    expect(result.current).toMatchObject({ rows: [ann], complete: true, error: null })
  })

  it('is that of a failed action, until it is dismissed', async () => {
    expectConsoleError('Failed to delete prayer')
    const result = await renderList()
    expect(await fail(connectionLost)).toEqual({ success: false, error: 'Failed to delete prayer' })
    await waitFor(() => expect(result.current.error?.message).toBe('Failed to delete prayer'))
    expect(result.current.error?.retry).toBeNull()
    act(() => result.current.error?.dismiss())
    await waitFor(() => expect(result.current.error).toBeNull())
  })

  it('disappears when the next action begins', async () => {
    expectConsoleError('Prayer not found')
    const result = await renderList()
    await fail(new UserError('Prayer not found'))
    await waitFor(() => expect(result.current.error?.message).toBe('Prayer not found'))
    await act(() => runAction(listOf('me'), 'delete prayer', async () => {}))
    await waitFor(() => expect(result.current.error).toBeNull())
  })

  it('is that of a failed fetch, which can be retried', async () => {
    expectConsoleError('Failed to fetch prayers')
    const result = await renderList()
    fetchPage.mockRejectedValueOnce(connectionLost)
    await refetch()
    await waitFor(() => expect(result.current.error?.message).toBe('Failed to fetch prayers'))
    await act(async () => result.current.error?.retry?.())
    await waitFor(() => expect(result.current.error).toBeNull())
    expect(fetchPage).toHaveBeenCalledTimes(3)
  })

  it('of an action hides that of a fetch; one dismissal is enough for both, until another fetch fails', async () => {
    expectConsoleError('Failed to fetch prayers')
    expectConsoleError('Failed to delete prayer')
    const result = await renderList()
    fetchPage.mockRejectedValueOnce(connectionLost)
    await refetch()
    await fail(connectionLost)
    await waitFor(() => expect(result.current.error?.message).toBe('Failed to delete prayer'))
    expect(result.current.error?.retry).not.toBeNull()
    act(() => result.current.error?.dismiss())
    await waitFor(() => expect(result.current.error).toBeNull())
    fetchPage.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    await refetch()
    await waitFor(() => expect(result.current.error?.message).toBe('Failed to fetch prayers'))
  })
})

it('an action fails when no one is signed in', async () => {
  expectConsoleError('User not authenticated')
  const action = vi.fn<() => Promise<void>>()
  expect(await runAction(listOf(null), 'add prayer', action)).toEqual({
    success: false,
    error: 'User not authenticated',
  })
  expect(action).not.toHaveBeenCalled()
})
