import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { TermsScreen } from './terms-screen.tsx'

const TODAY = new Date(2026, 0, 5, 0, 30)

afterEach(() => {
  vi.unstubAllEnvs()
})

test('has one main heading and the seven specified sections, numbered', () => {
  render(<TermsScreen productName="Intercede" today={TODAY} />)

  const [title, ...others] = screen.getAllByRole('heading', { level: 1 })
  expect(title?.textContent).toBe('Terms of Service')
  expect(others).toEqual([])
  expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    '1. Acceptance of these terms',
    '2. Use license',
    '3. Your account',
    '4. Your content',
    '5. Disclaimer',
    '6. Limitation of liability',
    '7. Changes to these terms',
  ])
})

test('permits personal, non-commercial use', () => {
  render(<TermsScreen productName="Intercede" today={TODAY} />)

  expect(screen.getByRole('region', { name: '2. Use license' }).textContent).toContain(
    'You may use Intercede for personal, non-commercial purposes',
  )
})

test.each([
  ['en-US', 'January 5, 2026'],
  ['de-DE', '5. Januar 2026'],
])('formats the date of today for the locale %s', (locale, expected) => {
  render(<TermsScreen productName="Intercede" today={TODAY} locale={locale} />)

  const date = screen.getByText(expected)
  expect(date.getAttribute('lang')).toBe(locale)
  expect(date.getAttribute('datetime')).toBe('2026-01-05')
  expect(date.parentElement?.textContent).toBe(`Last updated: ${expected}`)
})

test('uses the day of the reader’s time zone, not of UTC', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland')
  render(<TermsScreen productName="Intercede" today={new Date('2026-01-04T12:30:00Z')} locale="en-US" />)

  expect(screen.getByText('January 5, 2026').getAttribute('datetime')).toBe('2026-01-05')
})

test('shows the day on which the page is opened', () => {
  render(<TermsScreen productName="Intercede" locale="en-US" />)

  const today = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(new Date())
  expect(screen.getByText(today)).toBeDefined()
})

test('uses the product name of the installation', () => {
  render(<TermsScreen productName="Vesper" today={TODAY} />)

  expect(document.body.textContent).toContain('this installation of Vesper')
  expect(document.body.textContent).not.toContain('Intercede')
})

test('links to the privacy policy', () => {
  render(<TermsScreen productName="Intercede" today={TODAY} />)

  expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe('/privacy')
})
