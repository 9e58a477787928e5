import { act, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ReorderMode, useReorderFocus, useReorderMode } from './reorder-mode.tsx'

it('hides the Reorder button while it is on, and for 320 ms afterwards', () => {
  vi.useFakeTimers()
  const { result } = renderHook(useReorderMode)
  expect(result.current).toMatchObject({ on: false, state: 'off' })
  act(() => result.current.enter())
  expect(result.current).toMatchObject({ on: true, state: 'on' })
  act(() => result.current.leave())
  act(() => void vi.advanceTimersByTime(319))
  expect(result.current).toMatchObject({ on: false, state: 'leaving' })
  act(() => void vi.advanceTimersByTime(1))
  expect(result.current).toMatchObject({ on: false, state: 'off' })
})

describe('at its end, the focus', () => {
  afterEach(() => document.body.replaceChildren())
  const element = <Tag extends 'button' | 'input'>(tag: Tag) =>
    document.body.appendChild(document.createElement(tag))

  const end = () => {
    const reorder = element('button')
    const { rerender } = renderHook(
      (state: ReorderMode['state']) => useReorderFocus(state, { current: null }, { current: reorder }),
      { initialProps: 'leaving' },
    )
    rerender('off')
    return reorder
  }

  it('moves to the Reorder button, because Done is gone', () => {
    const reorder = end()
    expect(document.activeElement).toBe(reorder)
  })

  it('stays in a field that was opened meanwhile', () => {
    const field = element('input')
    field.focus()
    end()
    expect(document.activeElement).toBe(field)
  })
})
