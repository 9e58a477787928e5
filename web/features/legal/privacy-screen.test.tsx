import { render, screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { PrivacyScreen } from './privacy-screen.tsx'

beforeEach(() => {
  render(<PrivacyScreen productName="Vesper" />)
})

test('has one main heading and the eight specified topics', () => {
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
  'If the address is never confirmed, the account is deleted after 30 days',
  'refresh tokens',
  'name and network address',
  'your picture and its address',
  'your note',
  'PostgreSQL',
  'session in local storage',
  'no cookies',
  'no analytics',
])('mentions among the stored information: %s', (fact) => {
  expect(topic('Information we collect')).toContain(fact)
})

test('states that prayers are not end-to-end encrypted and who could read them', () => {
  expect(topic('Security')).toContain('Prayers are not end-to-end encrypted')
  expect(topic('Security')).toContain('administers the server or its database could technically read them')
})

test('promises encryption in transit only for https addresses', () => {
  expect(topic('Security')).toContain('When the address of this site begins with https')
})

test('states when X is involved and when it is not', () => {
  expect(topic('Third-party authentication')).toContain('sign in with X (formerly Twitter)')
  expect(topic('Third-party authentication')).toContain('If you never use X, nothing is sent to it.')
})

test('names the operator of the installation as contact', () => {
  expect(topic('Contact')).toContain('the operator of this installation')
})

test('uses the product name of the installation', () => {
  expect(document.body.textContent).toContain('Vesper is software that anyone can run')
  expect(document.body.textContent).not.toContain('Intercede')
})

test('links to the terms and to an existing section of the page', () => {
  expect(screen.getByRole('link', { name: 'Terms of Service' }).getAttribute('href')).toBe('/terms')
  const sharing = within(screen.getByRole('region', { name: 'Sharing' }))
  const target = sharing.getByRole('link', { name: 'Third-party authentication' }).getAttribute('href')
  expect(document.querySelector(target ?? '')).toBe(
    screen.getByRole('region', { name: 'Third-party authentication' }),
  )
})

test("links to X's own policy without a referrer", () => {
  const link = screen.getByRole('link', { name: 'X’s own privacy policy' })
  expect(link.getAttribute('href')).toBe('https://x.com/privacy')
  expect(link.getAttribute('rel')).toBe('noreferrer')
})

/** The text of a topic with normalised white space. */
function topic(name: string): string {
  return screen.getByRole('region', { name }).textContent.replaceAll(/\s+/g, ' ')
}
