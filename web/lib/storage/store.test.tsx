import { act, render, screen } from '@testing-library/react'
import { number, object } from 'valibot'
import { expect, it, vi } from 'vitest'
import { createStore, createStoredValue, useStore } from './store.ts'

const KEY = 'intercede-test'
const COUNTER = object({ count: number() })

it('notifies listeners of changes, and only of changes', () => {
  const store = createStore('a')
  const listener = vi.fn<() => void>()
  const unsubscribe = store.subscribe(listener)
  store.set('a')
  expect(listener).not.toHaveBeenCalled()
  store.set('b')
  expect(store.get()).toBe('b')
  unsubscribe()
  store.set('c')
  expect(listener).toHaveBeenCalledTimes(1)
})

it('renders components again when the value changes', () => {
  const store = createStore('before')
  function Value() {
    return <p>{useStore(store)}</p>
  }
  render(<Value />)
  act(() => store.set('after'))
  expect(screen.getByText('after')).toBeDefined()
})

it('renders components again when another tab has changed a stored value', () => {
  const store = createStoredValue(KEY, COUNTER, () => localStorage)
  function Value() {
    return <p>{useStore(store)?.count ?? 'none'}</p>
  }
  render(<Value />)
  expect(screen.getByText('none')).toBeDefined()
  localStorage.setItem(KEY, '{"count":2}')
  act(() => void dispatchEvent(new StorageEvent('storage', { key: KEY })))
  expect(screen.getByText('2')).toBeDefined()
  localStorage.clear()
})

it('keeps a stored value across page loads', () => {
  createStoredValue(KEY, COUNTER).set({ count: 1 })
  const afterReload = createStoredValue(KEY, COUNTER)
  expect(afterReload.get()).toEqual({ count: 1 })
  afterReload.set(null)
  expect(afterReload.get()).toBeNull()
  expect(sessionStorage.getItem(KEY)).toBeNull()
})

it.each(['not JSON', 'null', '{}', '{"count":"1"}'])(
  'ignores a stored value of another shape: %s',
  (text) => {
    sessionStorage.setItem(KEY, text)
    expect(createStoredValue(KEY, COUNTER).get()).toBeNull()
  },
)

it('returns the same object until the value changes', () => {
  sessionStorage.setItem(KEY, '{"count":2}')
  const store = createStoredValue(KEY, COUNTER)
  expect(store.get()).toBe(store.get())
})
