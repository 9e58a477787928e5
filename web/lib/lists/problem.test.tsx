import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { Refusal } from '../error-text.ts'
import { attempt } from './attempt.ts'
import { type Problem, useProblem } from './problem.ts'

const KEY = ['people', 'me']
const gone = new TypeError('Failed to fetch')
const refetch = vi.fn<() => void>()

let client: QueryClient

beforeEach(() => {
  client = new QueryClient()
})

function problem(failure: Error | null = null) {
  return renderHook(
    (latest: Error | null) => useProblem(KEY, { failure: latest, refetch }, 'fetch prayers'),
    {
      initialProps: failure,
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  )
}

const shows = (result: { current: Problem | null }, message: string | undefined) =>
  waitFor(() => expect(result.current?.message).toBe(message))

const fail = (failure: Error) =>
  act(() => attempt(client, KEY, 'delete prayer', () => Promise.reject(failure)))

it('is none while all goes well', async () => {
  const { result } = problem()
  expect(await act(() => attempt(client, KEY, 'add prayer', async () => {}))).toEqual({ success: true })
  expect(result.current).toBeNull()
})

it('is what a failed change says, until it is dismissed', async () => {
  expectConsoleError('Failed to delete prayer')
  const { result } = problem()
  expect(await fail(gone)).toEqual({ success: false, error: 'Failed to delete prayer' })
  await shows(result, 'Failed to delete prayer')
  expect(result.current?.retry).toBeNull()
  act(() => result.current?.dismiss())
  await shows(result, undefined)
})

it('is gone when the next change begins', async () => {
  expectConsoleError('Prayer not found')
  const { result } = problem()
  await fail(new Refusal('Prayer not found'))
  await shows(result, 'Prayer not found')
  await act(() => attempt(client, KEY, 'delete prayer', async () => {}))
  await shows(result, undefined)
})

it('is a failed fetch, which can be tried again', () => {
  expectConsoleError('Failed to fetch prayers')
  const { result, rerender } = problem(gone)
  expect(result.current?.message).toBe('Failed to fetch prayers')
  result.current?.retry?.()
  expect(refetch).toHaveBeenCalled()
  rerender(null)
  expect(result.current).toBeNull()
})

it('of change and fetch together is the change, and one dismissal is enough, until a fetch fails again', async () => {
  expectConsoleError('Failed to fetch prayers')
  expectConsoleError('Failed to delete prayer')
  const { result, rerender } = problem(gone)
  await fail(gone)
  await shows(result, 'Failed to delete prayer')
  expect(result.current?.retry).not.toBeNull()
  act(() => result.current?.dismiss())
  await shows(result, undefined)
  rerender(new TypeError('Failed to fetch'))
  expect(result.current?.message).toBe('Failed to fetch prayers')
})
