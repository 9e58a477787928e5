import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useQuery } from './use-query.ts'

const DIALOG_STATE = { openDialogs: 1 }

beforeEach(() => {
  vi.useFakeTimers()
  history.replaceState(DIALOG_STATE, '', '/search#q=anna+maria')
})
afterEach(() => history.replaceState(null, '', '/'))

it('begins with the query in the URL', () => {
  expect(renderHook(useQuery).result.current.query).toBe('anna maria')
})

it('puts the query into the URL when the user pauses, without another entry in the history', () => {
  const entries = history.length
  const { result } = renderHook(useQuery)
  act(() => result.current.setQuery('100% & #q='))
  expect(location.hash).toBe('#q=anna+maria')
  act(() => void vi.advanceTimersByTime(250))
  expect(location.hash).toBe('#q=100%25+%26+%23q%3D')
  expect(renderHook(useQuery).result.current.query).toBe('100% & #q=')
  act(() => result.current.setQuery(''))
  act(() => void vi.advanceTimersByTime(250))
  expect(location.href).toMatch(/\/search$/)
  expect(history.state).toEqual(DIALOG_STATE)
  expect(history.length).toBe(entries)
})

it('brings the URL up to date on request', () => {
  const { result } = renderHook(useQuery)
  act(() => result.current.setQuery('ben'))
  act(() => result.current.flushQuery())
  expect(location.hash).toBe('#q=ben')
  expect(result.current.query).toBe('ben')
})

it('follows the URL when it is changed by a link, or in the address bar', () => {
  const { result } = renderHook(useQuery)
  act(() => result.current.setQuery('typed'))
  act(() => {
    history.replaceState(null, '', '/search#q=clara')
    dispatchEvent(new HashChangeEvent('hashchange'))
  })
  expect(result.current.query).toBe('clara')
  act(() => void vi.advanceTimersByTime(250))
  expect(location.hash).toBe('#q=clara')
})

it('leaves the URL alone after the screen was left', () => {
  const { result, unmount } = renderHook(useQuery)
  act(() => result.current.setQuery('ben'))
  unmount()
  history.replaceState(null, '', '/dashboard')
  vi.advanceTimersByTime(250)
  expect(location.href).toMatch(/\/dashboard$/)
})

it.each(['#access_token=1', '#q', '#%', '#q=%E0%A4%A'])('reads any fragment, such as "%s"', (fragment) => {
  history.replaceState(null, '', `/search${fragment}`)
  expect(renderHook(useQuery).result.current.query).not.toContain('token')
})
