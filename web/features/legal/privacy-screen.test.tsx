import { render, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { PrivacyScreen } from './privacy-screen.tsx'

beforeEach(() => {
  render(<PrivacyScreen productName="Vesper" />)
})

test('has one main heading and the eight promised topics', () => {
  const [title, ...others] = screen.getAllByRole('heading', { level: 1 })
  expect(title?.textContent).toBe('Privacy Policy')
  expect(others).toEqual([])
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    'Information we collect',
    'How we use it',
    'Sharing',
    'Security',
    'Your rights',
    'Third-party authentication',
    'Changes to this policy',
    'Contact',
  ])
})

test.each([
  'your e-mail address',
  'one-way hash (Argon2id',
  'If nobody ever confirms the address, the account is deleted after 30 days',
  'refresh tokens',
  'name and network address',
  'your picture and its address',
  'your note',
  'PostgreSQL',
  'session in local storage',
  'no cookies',
  'no analytics',
])('says of what is stored: %s', (fact) => {
  expect(topic('Information we collect')).toContain(fact)
})

test('admits that prayers are not end-to-end encrypted and who could read them', () => {
  expect(topic('Security')).toContain('Prayers are not end-to-end encrypted')
  expect(topic('Security')).toContain('administers the server or its database could technically read them')
})

test('promises encryption on the way only where the address says so', () => {
  expect(topic('Security')).toContain('When the address of this site begins with https')
})

test('says when X is involved, and that it is not otherwise', () => {
  expect(topic('Third-party authentication')).toContain('sign in with X (formerly Twitter)')
  expect(topic('Third-party authentication')).toContain('If you never use X, nothing is sent to it.')
})

test('sends questions to the operator of the installation', () => {
  expect(topic('Contact')).toContain('the operator of this installation')
})

test('names the product as this installation does, and nothing else', () => {
  expect(document.body.textContent).toContain('Vesper is software that anyone can run')
  expect(document.body.textContent).not.toContain('Intercede')
})

test('leads to the terms, and within the page to a topic that is there', () => {
  expect(screen.getByRole('link', { name: 'Terms of Service' }).getAttribute('href')).toBe('/terms')
  const sharing = within(screen.getByRole('region', { name: 'Sharing' }))
  const target = sharing.getByRole('link', { name: 'Third-party authentication' }).getAttribute('href')
  expect(document.querySelector(target ?? '')).toBe(
    screen.getByRole('region', { name: 'Third-party authentication' }),
  )
})

test("leads to X's own policy without telling X where the reader was", () => {
  const link = screen.getByRole('link', { name: 'X’s own privacy policy' })
  expect(link.getAttribute('href')).toBe('https://x.com/privacy')
  expect(link.getAttribute('rel')).toBe('noreferrer')
})

/** The text of a topic, with line breaks and the like as a reader sees them. */
function topic(name: string): string {
  return screen.getByRole('region', { name }).textContent.replaceAll(/\s+/g, ' ')
}
