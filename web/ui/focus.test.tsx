import { act, fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { describe, expect, it } from 'vitest'
import { keepFocus, useFocusAfterRemoval } from './focus.ts'

const NONE: readonly string[] = []

interface CardProps {
  rows: readonly string[]
  /** Rows that are still closing. */
  leaving?: readonly string[]
  /** Whether a dialog in the card is open. */
  asking?: boolean
}

function Card({ rows, leaving = NONE, asking = false }: CardProps) {
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
              <a href="/">About {row}</a>
              {row !== 'note' && (
                <>
                  <button type="button">Edit {row}</button>
                  <button type="button">Delete {row}</button>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
      <button type="button">Other</button>
      {asking && (
        <dialog open>
          <button type="button">No</button>
          <button type="button">Yes</button>
        </dialog>
      )}
    </section>
  )
}

function CardInDialog(props: CardProps) {
  return (
    <dialog open>
      <Card {...props} />
      <button type="button">Close</button>
    </dialog>
  )
}

const focus = (name: string) => act(() => screen.getByText(name).focus())
const focusedText = () => document.activeElement?.textContent

it.each([
  ['the same control of the row in the place of the removed one', 'a b c', 'Delete b', 'a c', 'Delete c'],
  ['the next row that is left when several are removed at once', 'a b c d e', 'Edit b', 'd e', 'Edit d'],
  ['the last row when the last one is removed', 'a b', 'Edit b', 'a', 'Edit a'],
  ['the first control of the next row when a link had it', 'a b', 'About a', 'b', 'Edit b'],
  ['the first button of the card when the next row has no control', 'a note', 'Edit a', 'note', 'Add'],
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

it('moves it on when a row is removed together with the dialog that was opened from it', () => {
  const { rerender } = render(<CardInDialog rows={['a', 'b']} asking={false} />)
  focus('Delete a')
  rerender(<CardInDialog rows={['a', 'b']} asking />)
  focus('No')
  focus('Yes')
  rerender(<CardInDialog rows={['b']} asking={false} />)
  expect(focusedText()).toBe('Delete b')
})

it('forgets the row when the focus moves to another part of the dialog that the card is in', () => {
  const { rerender } = render(<CardInDialog rows={['a', 'b']} asking={false} />)
  focus('Delete a')
  focus('Close')
  act(() => screen.getByText('Close').blur())
  rerender(<CardInDialog rows={['b']} asking={false} />)
  expect(document.activeElement).toBe(document.body)
})

describe('keepFocus', () => {
  function Form({ withNext = true }: { withNext?: boolean }) {
    const [open, setOpen] = useState(true)
    const nextRef = useRef<HTMLButtonElement>(null)
    const close = () =>
      keepFocus(
        () => setOpen(false),
        () => nextRef.current,
      )
    return (
      <main>
        <h1 tabIndex={-1}>Heading</h1>
        {open && (
          <button type="button" onClick={close}>
            Close
          </button>
        )}
        {!open && withNext && (
          <button type="button" ref={nextRef}>
            Open
          </button>
        )}
        <button type="button">Other</button>
      </main>
    )
  }

  it.each([
    ['what takes its place', 'Close', true, 'Open'],
    ['the heading of the screen if nothing does', 'Close', false, 'Heading'],
    ['what has it elsewhere', 'Other', true, 'Other'],
  ])('after a change that removes a button, the focus is on %s', (_, focused, withNext, expected) => {
    render(<Form withNext={withNext} />)
    focus(focused)
    fireEvent.click(screen.getByText('Close'))
    expect(focusedText()).toBe(expected)
  })
})
