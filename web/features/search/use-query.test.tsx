import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setDraftOwner } from '#web/lib/storage/draft-owner.ts'
import { useQuery } from './use-query.ts'

const DIALOG_STATE = { openDialogs: 1 }
const TEXT = '100% & #q='

beforeEach(() => {
  setDraftOwner('anna')
  history.replaceState(DIALOG_STATE, '', '/search')
})
afterEach(() => {
  setDraftOwner(null)
  history.replaceState(null, '', '/')
})

function openSearch() {
  const { result, unmount } = renderHook(useQuery)
  return {
    query: () => result.current[0],
    type: (text: string) => act(() => result.current[1](text)),
    unmount,
  }
}

/** As "back" or "forward" does. */
function visit(state: unknown): void {
  act(() => {
    history.replaceState(state, '', '/search')
    dispatchEvent(new PopStateEvent('popstate', { state }))
  })
}

it('is kept for a reload, and neither in the URL nor in the state of the history entry', () => {
  const entries = history.length
  const first = openSearch()
  first.type(TEXT)
  expect(first.query()).toBe(TEXT)
  first.unmount()
  expect(openSearch().query()).toBe(TEXT)
  expect(location.href).toMatch(/\/search$/)
  expect(history.state).toEqual({ ...DIALOG_STATE, search: expect.any(String) })
  expect(JSON.stringify(history.state)).not.toContain('100')
  expect(history.length).toBe(entries)
})

it('changes the history once, however much is typed, because browsers limit that', () => {
  const replaceState = vi.spyOn(history, 'replaceState')
  const { type } = openSearch()
  for (const text of ['a', 'an', 'ann', '', 'b']) type(text)
  expect(replaceState).toHaveBeenCalledTimes(1)
})

it('belongs to a history entry, so that "back" and "forward" restore it', () => {
  const { query, type } = openSearch()
  type('anna')
  const first: unknown = history.state
  visit(null)
  expect(query()).toBe('')
  type('ben')
  visit(first)
  expect(query()).toBe('anna')
})

it.each([
  ['after signing out', () => setDraftOwner(null)],
  ['for another user', () => setDraftOwner('ben')],
])('is nowhere %s', (_when, change) => {
  const { type, unmount } = openSearch()
  type('anna')
  unmount()
  change()
  expect(openSearch().query()).toBe('')
  expect(JSON.stringify([sessionStorage, localStorage, history.state, location.href])).not.toContain('anna"')
})

it('is taken out of links of earlier versions, also while the page is open', () => {
  history.replaceState(DIALOG_STATE, '', '/search#q=anna+maria')
  const { query } = openSearch()
  expect(query()).toBe('anna maria')
  expect(location.href).toMatch(/\/search$/)
  for (const linked of ['clara', 'clara']) {
    act(() => {
      history.replaceState(null, '', `/search#q=${linked}`)
      dispatchEvent(new HashChangeEvent('hashchange'))
    })
    expect(query()).toBe(linked)
    expect(location.href).toMatch(/\/search$/)
  }
})

it.each(['#access_token=1', '#q', '#%', '#q=%E0%A4%A'])('reads any fragment, such as "%s"', (fragment) => {
  history.replaceState(null, '', `/search${fragment}`)
  expect(openSearch().query()).not.toContain('token')
})
