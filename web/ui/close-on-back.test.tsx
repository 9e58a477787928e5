import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeOnBack, navigateAfterDialogs, startClosingOnBack } from './close-on-back.ts'

const START = { page: 'dashboard' }
let entries: { state: unknown }[]
let current: number
let stop: () => void
const dialogs: { isOpen: boolean; close: () => void }[] = []

/** A history in which every navigation takes place later, as in browsers. */
beforeEach(() => {
  vi.useFakeTimers()
  entries = [{ state: null }, { state: START }]
  current = 1
  vi.spyOn(history, 'state', 'get').mockImplementation(() => entries[current]?.state)
  vi.spyOn(history, 'pushState').mockImplementation((state) => {
    entries = [...entries.slice(0, current + 1), { state }]
    current += 1
  })
  vi.spyOn(history, 'go').mockImplementation((delta = 0) => void setTimeout(() => move(delta), 5))
  stop = startClosingOnBack()
})
afterEach(() => {
  for (const { isOpen, close } of dialogs.splice(0)) if (isOpen) close()
  vi.runAllTimers()
  stop()
  vi.restoreAllMocks()
})

function move(delta: number): void {
  current += delta
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Follows "back" or "forward", and what they cause. */
function follow(delta: number): void {
  move(delta)
  vi.runAllTimers()
}

/** A dialog that disappears when it is closed. */
function openDialog() {
  const dialog = { isOpen: true, close: () => void 0 }
  const disappear = closeOnBack(() => dialog.close())
  dialog.close = () => {
    dialog.isOpen = false
    disappear()
  }
  dialogs.push(dialog)
  return dialog
}

it('"back" closes the dialog, and the next "back" leaves the page', () => {
  const dialog = openDialog()
  follow(-1)
  expect(dialog.isOpen).toBe(false)
  expect(current).toBe(1)
  follow(-1)
  expect(current).toBe(0)
})

it('"back" closes only the newest of several dialogs', () => {
  const first = openDialog()
  const second = openDialog()
  follow(-1)
  expect([first.isOpen, second.isOpen]).toEqual([true, false])
  follow(-1)
  expect(first.isOpen).toBe(false)
  expect(current).toBe(1)
})

it('a dialog that is closed in another way leaves its entry, and keeps the state of the page', () => {
  const dialog = openDialog()
  expect(history.state).toMatchObject(START)
  dialog.close()
  vi.runAllTimers()
  expect(current).toBe(1)
  expect(history.state).toEqual(START)
})

it('a dialog that opens in place of another one uses its entry', () => {
  openDialog().close()
  const second = openDialog()
  vi.runAllTimers()
  expect(second.isOpen).toBe(true)
  expect(current).toBe(2)
})

it('a dialog that opens while the entry of another one is being left stays open', () => {
  openDialog().close()
  vi.advanceTimersByTime(1)
  const second = openDialog()
  vi.runAllTimers()
  expect(second.isOpen).toBe(true)
  expect(current).toBe(2)
})

it('"forward" to a dialog that was closed returns to the page', () => {
  openDialog()
  follow(-1)
  follow(1)
  expect(current).toBe(1)
})

it('a page that is opened right after a dialog was closed takes the place of the page, not of the dialog', () => {
  const open = () => navigateAfterDialogs(() => history.pushState({ page: 'pray' }, ''))
  openDialog().close()
  open()
  vi.advanceTimersByTime(1)
  open()
  vi.runAllTimers()
  expect(entries.slice(1).map(({ state }) => state)).toEqual([START, { page: 'pray' }, { page: 'pray' }])
  expect(current).toBe(3)
  const dialog = openDialog()
  open()
  expect(current).toBe(5)
  dialog.close()
})

it('leaves the history as it is once it was stopped', () => {
  const dialog = openDialog()
  openDialog().close()
  stop()
  vi.runAllTimers()
  expect(current).toBe(3)
  follow(-2)
  expect(dialog.isOpen).toBe(true)
  openDialog()
  expect(current).toBe(1)
})
