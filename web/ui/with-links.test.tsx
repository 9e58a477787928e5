import { render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withLinks } from './with-links.tsx'

const show = (text: string) => render(<p>{withLinks(text)}</p>)
const links = () => screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
const shownText = () => document.querySelector('p')?.textContent

it.each([
  ['See https://example.org/a?b=c#d.', 'https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
  ['(www.example.org)', 'www.example.org', 'https://www.example.org'],
  ['HTTP://EXAMPLE.ORG, today', 'HTTP://EXAMPLE.ORG', 'HTTP://EXAMPLE.ORG'],
])('web addresses in %s are links, without the punctuation behind them', (text, label, address) => {
  show(text)
  expect(links()).toEqual([[label, address]])
  expect(shownText()).toBe(text)
})

it.each(['javascript:alert(1) anna@example.org httpx://example.org', 'https://... and www.!'])(
  'nothing in %s is a link',
  (text) => {
    show(text)
    expect(links()).toEqual([])
    expect(shownText()).toBe(text)
  },
)

it('links open in another tab, which learns nothing about this one', () => {
  show('https://one.example and https://two.example')
  expect(links()).toHaveLength(2)
  for (const link of screen.getAllByRole('link')) {
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toBe('noreferrer')
  }
})

/** The end of a web address, one character after the other. */
function withoutPunctuation(address: string): string {
  return ".,;:!?'’”)]}…".includes(address.slice(-1)) ? withoutPunctuation(address.slice(0, -1)) : address
}

it('a web address ends before the punctuation at its end, and nowhere else', () => {
  const end = fc.string({ unit: fc.constantFrom(...Array.from("ab/.,;:!?'’”)]}…")), maxLength: 12 })
  fc.assert(
    fc.property(fc.constantFrom('https://a', 'WWW.a'), end, (start, rest) => {
      const { unmount } = show(`${start}${rest} `)
      expect(links().map(([label]) => label)).toEqual([withoutPunctuation(start + rest)])
      unmount()
    }),
    { seed: 1 },
  )
})

const MILLION = 1_000_000

// With work that grows with the square of the length, each would take ten minutes.
it.each([
  ['within an address', `https://example.org/${'.'.repeat(MILLION)}x`],
  ['at the end of one', `https://example.org/x${'.'.repeat(MILLION)}`],
  ['instead of one', `https://${'.'.repeat(MILLION)}`],
  ['of many addresses', 'https://example.org/... '.repeat(MILLION / 20)],
])('a million characters of punctuation %s do not stop the app', (_, text) => {
  expect(withLinks(text).length).toBeGreaterThan(0)
})
