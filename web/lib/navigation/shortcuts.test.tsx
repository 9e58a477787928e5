import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lettersOff, shortcutKey } from './shortcuts.ts'

let pressed: (string | null)[] = []
const listen = (event: KeyboardEvent) => void pressed.push(shortcutKey(event))

beforeEach(() => {
  pressed = []
  document.addEventListener('keydown', listen)
  render(
    <>
      <h1>Pray</h1>
      <button type="button">Skip</button>
      <input aria-label="Name" />
      <input type="checkbox" aria-label="Family" />
    </>,
  )
})
afterEach(() => {
  document.removeEventListener('keydown', listen)
  lettersOff.set(null)
})

const press = (element: Element, key: string, init: KeyboardEventInit = {}) => {
  pressed = []
  fireEvent.keyDown(element, { key, ...init })
  return pressed[0]
}

it('is the key, in lower case', () => {
  const heading = screen.getByRole('heading')
  expect(['p', 'P', '?', '/', 'ArrowRight', ' ', 'Enter'].map((key) => press(heading, key))).toEqual([
    'p',
    'p',
    '?',
    '/',
    'ArrowRight',
    ' ',
    'Enter',
  ])
})

it('is null while the user is typing, with modifier keys, and while a key is held down', () => {
  const heading = screen.getByRole('heading')
  expect(press(screen.getByLabelText('Name'), 'p')).toBeNull()
  expect(press(screen.getByLabelText('Name'), 'ArrowRight')).toBeNull()
  for (const init of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }])
    expect(press(heading, 'p', init)).toBeNull()
})

it('leaves Space and Enter to the element that has the focus', () => {
  const elements = [screen.getByRole('button'), screen.getByLabelText('Family')]
  for (const element of elements) {
    expect(press(element, ' ')).toBeNull()
    expect(press(element, 'Enter')).toBeNull()
    expect(press(element, 's')).toBe('s')
  }
})

it('is null for single characters once they are switched off', () => {
  const heading = screen.getByRole('heading')
  lettersOff.set(true)
  expect([press(heading, 'p'), press(heading, '?')]).toEqual([null, null])
  expect([press(heading, ' '), press(heading, 'Enter'), press(heading, 'ArrowLeft')]).toEqual([
    ' ',
    'Enter',
    'ArrowLeft',
  ])
})
