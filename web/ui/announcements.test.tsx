import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  type AnnouncementOptions,
  AnnouncementProvider,
  type MadeAnnouncement,
  useAnnounce,
  useWithdrawOnError,
} from './announcements.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function Announcer(options: AnnouncementOptions) {
  const announceMessage = useAnnounce()
  return (
    <>
      <button type="button" onClick={() => announceMessage('Anna marked as resolved', options)}>
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

it('announces a message in a polite live region', () => {
  announce()
  expect(screen.getByRole('status').textContent).toBe('Anna marked as resolved')
  expect(undoButton()).toBeNull()
})

it('announces the same message again', () => {
  announce()
  const first = screen.getByRole('status').firstChild
  fireEvent.click(screen.getByRole('button', { name: 'Resolve' }))
  expect(screen.getByRole('status').firstChild).not.toBe(first)
})

it('offers what may come next beside undoing', () => {
  const run = vi.fn<() => void>()
  const undo = vi.fn<() => void>()
  announce({ undo, more: { label: 'Record answer', run } })
  fireEvent.click(screen.getByRole('button', { name: 'Record answer' }))
  expect(run).toHaveBeenCalledTimes(1)
  expect(undo).not.toHaveBeenCalled()
  expect(undoButton()).toBeNull()
})

it('offers to undo for nine seconds', () => {
  const undo = vi.fn<() => void>()
  announce({ undo })
  wait(8)
  expect(undoButton()).not.toBeNull()
  wait(2)
  expect(undoButton()).toBeNull()
  expect(undo).not.toHaveBeenCalled()
})

it('undoes once and restores the focus', () => {
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

it('disappears and is corrected when withdrawn, unless a later announcement has replaced it', () => {
  const made: MadeAnnouncement[] = []
  function Saver() {
    const announceMessage = useAnnounce()
    return (
      <button type="button" onClick={() => made.push(announceMessage('Saved', { undo: () => undefined }))}>
        Save
      </button>
    )
  }
  render(
    <AnnouncementProvider>
      <Saver />
    </AnnouncementProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(made.map((announcement) => announcement.isShown())).toEqual([false, true])
  act(() => made[0]?.withdraw())
  expect(undoButton()).not.toBeNull()
  expect(screen.getByRole('status').textContent).toBe('Saved')
  act(() => made[1]?.withdraw())
  expect(undoButton()).toBeNull()
  expect(screen.getByRole('status').textContent).toBe('Not saved: Saved')
  expect(made[1]?.isShown()).toBe(false)
})

it('is withdrawn when an error turns up while it is shown', () => {
  function Saver({ error }: { error: string | null }) {
    const announceMessage = useAnnounce()
    useWithdrawOnError(error)
    return (
      <button type="button" onClick={() => announceMessage('Saved')}>
        Save
      </button>
    )
  }
  const page = (error: string | null) => (
    <AnnouncementProvider>
      <Saver error={error} />
    </AnnouncementProvider>
  )
  const { rerender } = render(page(null))
  const status = () => screen.getByRole('status').textContent
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  rerender(page('Prayer not found'))
  expect(status()).toBe('Not saved: Saved')
  rerender(page(null))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  wait(10)
  rerender(page('Prayer not found'))
  expect(status()).toBe('Saved')
})

it('stays while it has the focus', () => {
  announce({ undo: () => undefined })
  act(() => undoButton()?.focus())
  wait(60)
  expect(undoButton()).not.toBeNull()
  act(() => undoButton()?.blur())
  wait(10)
  expect(undoButton()).toBeNull()
})

it('stays while the pointer is over it', () => {
  announce({ undo: () => undefined })
  const toast = screen.getByRole('button', { name: 'Undo' }).parentElement ?? document.body
  fireEvent.pointerEnter(toast)
  wait(60)
  expect(undoButton()).not.toBeNull()
  fireEvent.pointerLeave(toast)
  wait(10)
  expect(undoButton()).toBeNull()
})

it('undoes on Ctrl+Z, except while typing', () => {
  const undo = vi.fn<() => void>()
  announce({ undo })
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'z', ctrlKey: true })
  expect(undo).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(undo).toHaveBeenCalledTimes(1)
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(undo).toHaveBeenCalledTimes(1)
})
