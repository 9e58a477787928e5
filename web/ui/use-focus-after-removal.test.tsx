import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { expect, it } from 'vitest'
import { useFocusAfterRemoval } from './use-focus-after-removal.ts'

const NONE: readonly string[] = []

interface CardProps {
  rows: readonly string[]
  /** Rows that are still closing. */
  leaving?: readonly string[]
}

function Card({ rows, leaving = NONE }: CardProps) {
  const ref = useRef<HTMLElement>(null)
  const staying = rows.filter((row) => !leaving.includes(row))
  const focusHandlers = useFocusAfterRemoval(ref, staying)
  return (
    <section ref={ref} {...focusHandlers}>
      <button type="button">Add</button>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <div inert={leaving.includes(row)}>
              <button type="button">Edit {row}</button>
              <button type="button">Delete {row}</button>
            </div>
          </li>
        ))}
      </ul>
      <button type="button">Other</button>
    </section>
  )
}

const focus = (name: string) => act(() => screen.getByText(name).focus())
const focusedText = () => document.activeElement?.textContent

it.each([
  ['the same control of the row in the place of the removed one', 'a b c', 'Delete b', 'a c', 'Delete c'],
  ['the next row that is left when several are removed at once', 'a b c d e', 'Edit b', 'd e', 'Edit d'],
  ['the last row when the last one is removed', 'a b', 'Edit b', 'a', 'Edit a'],
  ['the first button of the card when no row is left', 'a', 'Edit a', '', 'Add'],
])('moves the focus to %s', (_, before, focused, after, expected) => {
  const { rerender } = render(<Card rows={before.split(' ')} />)
  focus(focused)
  rerender(<Card rows={after.split(' ').filter(Boolean)} />)
  expect(focusedText()).toBe(expected)
})

it('moves it out of a row that is still closing', () => {
  const { rerender } = render(<Card rows={['a', 'b', 'c']} />)
  focus('Delete b')
  rerender(<Card rows={['a', 'b', 'c']} leaving={['b']} />)
  expect(focusedText()).toBe('Delete c')
  rerender(<Card rows={['a', 'b', 'c']} leaving={['b', 'c']} />)
  expect(focusedText()).toBe('Delete a')
})

it('finds the row even when others were added before it', () => {
  const { rerender } = render(<Card rows={['b', 'c']} />)
  focus('Edit b')
  rerender(<Card rows={['a', 'b', 'c']} />)
  rerender(<Card rows={['a', 'c']} />)
  expect(focusedText()).toBe('Edit c')
})

it('leaves the focus alone when it is elsewhere', () => {
  const { rerender } = render(<Card rows={['a', 'b']} />)
  focus('Edit a')
  focus('Other')
  rerender(<Card rows={['b']} />)
  expect(focusedText()).toBe('Other')
  rerender(<Card rows={[]} />)
  expect(focusedText()).toBe('Other')
})

it('leaves the focus alone when the user has clicked elsewhere on the page', () => {
  const { rerender } = render(<Card rows={['a', 'b']} />)
  focus('Edit a')
  act(() => screen.getByText('Edit a').blur())
  rerender(<Card rows={['b']} />)
  expect(document.activeElement).toBe(document.body)
})

it('keeps the row in mind while another window has the focus', () => {
  const { rerender } = render(<Card rows={['a', 'b']} />)
  focus('Edit a')
  fireEvent.blur(screen.getByText('Edit a'))
  rerender(<Card rows={['b']} />)
  expect(focusedText()).toBe('Edit b')
})
