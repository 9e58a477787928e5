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

it.each([
  ['a user name', 'https://paypal.com@evil.example/', 'evil.example (https://paypal.com@evil.example/)'],
  ['a user name after www.', 'www.paypal.com@evil.example', 'evil.example (www.paypal.com@evil.example)'],
  ['a password', 'https://paypal.com:443@evil.example', 'evil.example (https://paypal.com:443@evil.example)'],
  [
    'an encoded slash',
    'https://paypal.com%2F@evil.example',
    'evil.example (https://paypal.com%2F@evil.example)',
  ],
  ['a backslash', 'https://evil.example\\@paypal.com', 'evil.example (https://evil.example\\@paypal.com)'],
  ['more slashes', 'https:////evil.example/paypal.com', 'evil.example (https:////evil.example/paypal.com)'],
  ['letters of two alphabets', 'https://p\u0430ypal.com/', 'xn--pypal-4ve.com (https://p\u0430ypal.com/)'],
  ['an umlaut', 'https://münchen.example/', 'xn--mnchen-3ya.example (https://münchen.example/)'],
  [
    'a full stop of another script',
    'https://paypal.com。evil.example',
    'paypal.com.evil.example (https://paypal.com。evil.example)',
  ],
  ['a soft hyphen', 'https://pay\u00adpal.com/', 'paypal.com (https://pay%C2%ADpal.com/)'],
  ['an encoded host', 'https://%65vil.example/', 'evil.example (https://%65vil.example/)'],
  ['a number', 'https://2130706433/', '127.0.0.1 (https://2130706433/)'],
])('a link with %s says first which host opens', (_, text, label) => {
  show(text)
  expect(links().map(([shown]) => shown)).toEqual([label])
})

it.each([
  'https://example.org:8443/path',
  'https://example.org:443',
  'HTTPS://Example.ORG?who=anna@example.org',
  'https://example.org#@evil.example',
  'https://example.org/@evil.example/straße/דף',
  'http://[::1]:3000/x',
])('a link to the host that was typed is shown as typed: %s', (text) => {
  show(text)
  expect(links()).toEqual([[text, text]])
})

it.each([
  ['a right-to-left mark', '\u200f'],
  ['a left-to-right override', '\u202d'],
  ['a right-to-left override', '\u202e'],
  ['a right-to-left isolate', '\u2067'],
  ['a zero-width space', '\u200b'],
])('%s within a link becomes visible', (_, mark) => {
  show(`https://evil.example/${mark}moc.lapyap//:sptth`)
  const label = `https://evil.example/${encodeURIComponent(mark)}moc.lapyap//:sptth`
  expect(links().map(([shown]) => shown)).toEqual([label])
})

it('direction marks around a link stay in the text, where they cannot turn the link', () => {
  const text = '\u202ehttps://example.org/a\u202c.'
  show(text)
  expect(links()).toEqual([['https://example.org/a', 'https://example.org/a']])
  // Isolates it from the direction of the text around it.
  expect(screen.getByRole('link').getAttribute('dir')).toBe('ltr')
  expect(shownText()).toBe(text)
})

it.each([
  ['a direction mark', 'https://exa\u202emple.org/'],
  ['half an IPv6 address', 'https://[x'],
  ['two ports', 'https://a:b:c/'],
  ['an invalid encoding', 'https://xn--a/'],
])('an address with %s in its host stays text, as no browser opens it', (_, text) => {
  show(text)
  expect(links()).toEqual([])
  expect(shownText()).toBe(text)
})

it('in any text, everything stays readable, and each link is understood by the browser as it looks', () => {
  const piece = fc.constantFrom(
    'https://',
    'www.',
    'bank.example',
    'evil.example',
    '@',
    ':',
    ':80',
    '/',
    '\\',
    '?',
    '#',
    '.',
    ' ',
    '%2F',
    'é',
    '\u0430',
    '\u05d0',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u00ad',
    '\ud800',
    '(',
    ')',
  )
  const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const { unmount } = show(text)
      for (const link of screen.queryAllByRole<HTMLAnchorElement>('link')) {
        const label = link.textContent
        expect(label).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        expect(
          label
            .replace(/^(?:https?:\/\/)?/i, '')
            .toLowerCase()
            .startsWith(link.hostname),
        ).toBe(true)
      }
      const shown = shownText() ?? ''
      for (const word of text.split(/[^a-z]+/)) expect(shown).toContain(word)
      unmount()
    }),
    { seed: 1, numRuns: 300 },
  )
})

/** The end of a web address, one character after the other. */
function withoutPunctuation(address: string): string {
  return ".,;:!?'’”)]}…".includes(address.slice(-1)) ? withoutPunctuation(address.slice(0, -1)) : address
}

it('a web address ends before the punctuation at its end, and nowhere else', () => {
  const end = fc.string({ unit: fc.constantFrom(...Array.from("ab/.,;:!?'’”)]}…")), maxLength: 12 })
  fc.assert(
    fc.property(fc.constantFrom('https://a/', 'WWW.a/'), end, (start, rest) => {
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
