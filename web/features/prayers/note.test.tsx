import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { excerptOf, Note } from './note.tsx'

const LONG = 'That she finds words for her father. '.repeat(300)

const note = (text: string, printing = false) => (
  <Note text={text} about="the note for Anna" resolved={false} printing={printing} />
)
const shownText = () => document.querySelector('p')?.textContent

it('has links for web addresses', () => {
  render(note('See https://example.org.'))
  expect(screen.getByRole('link', { name: 'https://example.org' })).toBeDefined()
})

describe('the excerpt of a note', () => {
  it.each([
    ['a short note as it is', 'Peace', 'Peace', false],
    ['its lines', 'Peace\nA flat', 'Peace\nA flat', false],
    ['no blank lines', '\n \nPeace \n\t\n\r\n  A flat\n\n', 'Peace\nA flat', false],
    ['words up to a limit', 'Peace '.repeat(100), 'Peace '.repeat(83).trim(), true],
    ['lines up to a limit', 'Peace\n\n'.repeat(100), 'Peace\n'.repeat(83).trim(), true],
    ['a part of an endless word', 'x'.repeat(501), 'x'.repeat(500), true],
  ])('has %s', (_, text, excerpt, isCut) => {
    expect(excerptOf(text)).toEqual({ excerpt, isCut })
  })
})

describe('a long note', () => {
  it('shows its beginning until it is expanded', () => {
    render(note(LONG))
    const { excerpt } = excerptOf(LONG)
    expect(shownText()).toBe(excerpt)
    fireEvent.click(screen.getByRole('button', { name: 'more of the note for Anna' }))
    expect(shownText()).toBe(LONG)
    fireEvent.click(screen.getByRole('button', { name: 'less of the note for Anna' }))
    expect(shownText()).toBe(excerpt)
  })

  it('is printed as a whole', () => {
    render(note(LONG, true))
    expect(shownText()).toBe(LONG)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('can be expanded if it has more lines than are visible', () => {
    let resize = () => {}
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(callback: () => void) {
          resize = callback
        }
        observe() {
          resize()
        }
        disconnect() {}
      },
    )
    vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(63)
    render(note('Three lines'))
    const more = screen.getByRole('button', { name: 'more of the note for Anna' })
    expect(more.parentElement?.textContent).toBe(' … more')
  })
})
