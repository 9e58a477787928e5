import { fireEvent, render, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { expect, it, vi } from 'vitest'
import { Dialog } from './dialog.tsx'

it('a double click on a button that closes it presses nothing below it, and moves no focus there', () => {
  vi.useFakeTimers()
  const press = vi.fn<() => void>()
  const page = (open: boolean) => (
    <>
      <button type="button" onClick={press}>
        Below
      </button>
      {open && (
        <Dialog title="Title" onClose={() => {}}>
          Content
        </Dialog>
      )}
    </>
  )
  const { rerender } = render(page(true))
  rerender(page(false))
  const below = screen.getByRole('button', { name: 'Below' })
  // The browser moves the focus unless this is prevented.
  expect(fireEvent.mouseDown(below, { detail: 2 })).toBe(false)
  fireEvent.click(below, { detail: 2 })
  expect(press).not.toHaveBeenCalled()
  expect(fireEvent.mouseDown(below, { detail: 1 })).toBe(true)
  fireEvent.click(below, { detail: 1 })
  expect(press).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(500)
  fireEvent.click(below, { detail: 2 })
  expect(press).toHaveBeenCalledTimes(2)
})

it('is closed by its owner, not by the browser, on Esc from the moment it appears', () => {
  const close = vi.fn<() => void>()
  let isLeftToBrowser = true
  function Page() {
    useLayoutEffect(() => {
      isLeftToBrowser = screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }))
    }, [])
    return (
      <Dialog title="Title" onClose={close}>
        Content
      </Dialog>
    )
  }
  render(<Page />)
  expect(close).toHaveBeenCalledTimes(1)
  expect(isLeftToBrowser).toBe(false)
})
