import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Note } from './note.tsx'

const LONG = 'That she finds words for her father. '.repeat(300)

const note = (text: string, printing = false) => (
  <Note text={text} about="the note for Anna" resolved={false} printing={printing} />
)
const links = () => screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
const shownText = () => document.querySelector('p')?.textContent

describe('web addresses', () => {
  it.each([
    ['See https://example.org/a?b=c#d.', 'https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['(www.example.org)', 'www.example.org', 'https://www.example.org'],
    ['HTTP://EXAMPLE.ORG, today', 'HTTP://EXAMPLE.ORG', 'HTTP://EXAMPLE.ORG'],
  ])('in %s are links, without the punctuation behind them', (text, label, address) => {
    render(note(text))
    expect(links()).toEqual([[label, address]])
    expect(shownText()).toBe(text)
  })

  it('do not include other schemes or email addresses', () => {
    render(note('javascript:alert(1) anna@example.org httpx://example.org'))
    expect(links()).toEqual([])
  })

  it('open in another tab, which learns nothing about this one', () => {
    render(note('https://one.example and https://two.example'))
    expect(links()).toHaveLength(2)
    for (const link of screen.getAllByRole('link')) {
      expect(link.getAttribute('target')).toBe('_blank')
      expect(link.getAttribute('rel')).toBe('noreferrer')
    }
  })
})

describe('a long note', () => {
  it('shows its beginning until it is expanded', () => {
    render(note(LONG))
    expect(shownText()?.length).toBe(500)
    fireEvent.click(screen.getByRole('button', { name: 'more of the note for Anna' }))
    expect(shownText()).toBe(LONG)
    fireEvent.click(screen.getByRole('button', { name: 'less of the note for Anna' }))
    expect(shownText()?.length).toBe(500)
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
    expect(screen.getByRole('button', { name: 'more of the note for Anna' })).toBeDefined()
  })
})
