import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AnnouncementOptions, AnnouncementProvider, useAnnounce } from './announcements.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function Announcer(options: AnnouncementOptions) {
  const say = useAnnounce()
  return (
    <>
      <button type="button" onClick={() => say('Anna marked as resolved', options)}>
        Resolve
      </button>
      <input aria-label="Name" />
    </>
  )
}

function announce(options: AnnouncementOptions = {}) {
  render(
    <AnnouncementProvider>
      <Announcer {...options} />
    </AnnouncementProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Resolve' }))
}

const wait = (seconds: number) => {
  act(() => {
    vi.advanceTimersByTime(seconds * 1000)
  })
}
const undoButton = () => screen.queryByRole('button', { name: 'Undo' })

it('says what happened in a polite live region', () => {
  announce()
  expect(screen.getByRole('status').textContent).toBe('Anna marked as resolved')
  expect(undoButton()).toBeNull()
})

it('says the same thing again when it happens again', () => {
  announce()
  const first = screen.getByRole('status').firstChild
  fireEvent.click(screen.getByRole('button', { name: 'Resolve' }))
  expect(screen.getByRole('status').firstChild).not.toBe(first)
})

it('offers to take it back for some seconds', () => {
  const undo = vi.fn<() => void>()
  announce({ undo })
  wait(8)
  expect(undoButton()).not.toBeNull()
  wait(2)
  expect(undoButton()).toBeNull()
  expect(undo).not.toHaveBeenCalled()
})

it('takes it back once, and gives the focus back to where it was', () => {
  const undo = vi.fn<() => void>()
  announce({ undo })
  const before = screen.getByRole('button', { name: 'Resolve' })
  before.focus()
  undoButton()?.focus()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledTimes(1)
  expect(undoButton()).toBeNull()
  expect(document.activeElement).toBe(before)
})

it('goes at once when it turns out not to be true, and takes no later one along', () => {
  const withdrawals: (() => void)[] = []
  function Doubtful() {
    const say = useAnnounce()
    return (
      <button type="button" onClick={() => withdrawals.push(say('Saved', { undo: () => undefined }))}>
        Save
      </button>
    )
  }
  render(
    <AnnouncementProvider>
      <Doubtful />
    </AnnouncementProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  act(() => withdrawals[0]?.())
  expect(undoButton()).not.toBeNull()
  act(() => withdrawals[1]?.())
  expect(undoButton()).toBeNull()
})

it('stays while it has the focus or is pointed at', () => {
  announce({ undo: () => undefined })
  act(() => undoButton()?.focus())
  wait(60)
  expect(undoButton()).not.toBeNull()
  act(() => undoButton()?.blur())
  wait(10)
  expect(undoButton()).toBeNull()
})

it('is taken back by Ctrl+Z, except while something is typed', () => {
  const undo = vi.fn<() => void>()
  announce({ undo })
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'z', ctrlKey: true })
  expect(undo).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(undo).toHaveBeenCalledTimes(1)
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(undo).toHaveBeenCalledTimes(1)
})
