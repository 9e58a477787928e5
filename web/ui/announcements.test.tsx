import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import {
  type AnnouncementOptions,
  AnnouncementProvider,
  type MadeAnnouncement,
  useAnnounce,
  useWithdrawOnError,
} from './announcements.tsx'

beforeEach(() => void vi.useFakeTimers())

const undo = vi.fn<() => void>()
let made: MadeAnnouncement[] = []

function Announcer({ error, options }: { error: string | null; options: AnnouncementOptions }) {
  const announceMessage = useAnnounce()
  useWithdrawOnError(error)
  return (
    <>
      <button type="button" onClick={() => made.push(announceMessage('Saved', options))}>
        Save
      </button>
      <input aria-label="Name" />
    </>
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => fireEvent.click(button(name))
const undoButton = () => screen.queryByRole('button', { name: 'Undo' })
const status = () => screen.getByRole('status').textContent
const wait = (seconds: number) => act(() => void vi.advanceTimersByTime(seconds * 1000))

/** Makes an announcement. Returns what makes an error turn up, or disappear. */
function announce(options: AnnouncementOptions = {}) {
  made = []
  const page = (error: string | null) => (
    <AnnouncementProvider>
      <Announcer error={error} options={options} />
    </AnnouncementProvider>
  )
  const { rerender } = render(page(null))
  press('Save')
  return (error: string | null) => rerender(page(error))
}

it('announces a message in a polite live region, and the same message again', () => {
  announce()
  expect(status()).toBe('Saved')
  expect(undoButton()).toBeNull()
  const first = screen.getByRole('status').firstChild
  press('Save')
  expect(screen.getByRole('status').firstChild).not.toBe(first)
})

it('shows nothing of a message for screen readers', () => {
  announce({ quiet: true })
  expect(screen.getAllByText('Saved')).toHaveLength(1)
})

it('offers what may come next beside undoing', () => {
  const run = vi.fn<() => void>()
  announce({ undo, more: { label: 'Record answer', run } })
  press('Record answer')
  expect(run).toHaveBeenCalledTimes(1)
  expect(undo).not.toHaveBeenCalled()
  expect(undoButton()).toBeNull()
})

it('offers to undo for nine seconds', () => {
  announce({ undo })
  wait(8)
  expect(undoButton()).not.toBeNull()
  wait(2)
  expect(undoButton()).toBeNull()
  expect(undo).not.toHaveBeenCalled()
})

it('undoes once and restores the focus', () => {
  announce({ undo })
  button('Save').focus()
  button('Undo').focus()
  press('Undo')
  expect(undo).toHaveBeenCalledTimes(1)
  expect(undoButton()).toBeNull()
  expect(document.activeElement).toBe(button('Save'))
})

it('disappears and is corrected when withdrawn, unless a later announcement has replaced it', () => {
  announce({ undo })
  press('Save')
  expect(made.map((announcement) => announcement.isShown())).toEqual([false, true])
  act(() => made[0]?.withdraw())
  expect(undoButton()).not.toBeNull()
  expect(status()).toBe('Saved')
  act(() => made[1]?.withdraw())
  expect(undoButton()).toBeNull()
  expect(status()).toBe('Not saved: Saved')
  expect(made[1]?.isShown()).toBe(false)
})

it('is withdrawn when an error turns up while it is shown', () => {
  const setError = announce()
  setError('Prayer not found')
  expect(status()).toBe('Not saved: Saved')
  setError(null)
  press('Save')
  wait(10)
  setError('Prayer not found')
  expect(status()).toBe('Saved')
})

it.each([
  ['it has the focus', () => button('Undo').focus(), () => button('Undo').blur()],
  [
    'the pointer is over it',
    () => fireEvent.pointerEnter(button('Undo').parentElement ?? document.body),
    () => fireEvent.pointerLeave(button('Undo').parentElement ?? document.body),
  ],
])('stays while %s', (_, enter, leave) => {
  announce({ undo })
  act(enter)
  wait(60)
  expect(undoButton()).not.toBeNull()
  act(leave)
  wait(10)
  expect(undoButton()).toBeNull()
})

it('stays while the focus moves between its buttons, and when the pointer leaves it then', () => {
  announce({ undo, more: { label: 'Record answer', run: () => undefined } })
  act(() => button('Record answer').focus())
  act(() => button('Undo').focus())
  fireEvent.pointerLeave(button('Undo').parentElement ?? document.body)
  wait(60)
  expect(document.activeElement).toBe(button('Undo'))
})

it('undoes on Ctrl+Z, except while typing', () => {
  announce({ undo })
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'z', ctrlKey: true })
  expect(undo).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(undo).toHaveBeenCalledTimes(1)
  fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })
  expect(undo).toHaveBeenCalledTimes(1)
})

it.each([
  ['ends with its page', {}, false],
  ['belongs to the next page, if it reports what has left its own', { leaving: '/prayer/anna' }, true],
  ['ends with the next page, if that was left before', { leaving: '/prayer/ben' }, false],
])('an announcement %s', (_, options, isShown) => {
  const page = (path: string) => (
    <AnnouncementProvider page={path}>
      <Announcer error={null} options={{ undo, ...options }} />
    </AnnouncementProvider>
  )
  const { rerender } = render(page('/prayer/anna'))
  press('Save')
  rerender(page('/dashboard'))
  expect(undoButton() !== null).toBe(isShown)
  rerender(page('/pray'))
  expect(undoButton()).toBeNull()
})
