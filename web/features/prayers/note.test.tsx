import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { excerptOf, Note } from './note.tsx'

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
    expect(screen.getByRole('button', { name: 'more of the note for Anna' })).toBeDefined()
  })
})
