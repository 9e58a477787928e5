import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { TermsScreen } from './terms-screen.tsx'

const show = (given: { today?: Date; locale?: string } = {}) =>
  render(<TermsScreen productName="Vesper" today={new Date(2026, 0, 5, 0, 30)} {...given} />)
const texts = (level: number) => screen.getAllByRole('heading', { level }).map((each) => each.textContent)

it('has one main heading and the seven specified sections, numbered', () => {
  show()
  expect(texts(1)).toEqual(['Terms of Service'])
  expect(texts(2)).toEqual([
    '1. Acceptance of these terms',
    '2. Use license',
    '3. Your account',
    '4. Your content',
    '5. Disclaimer',
    '6. Limitation of liability',
    '7. Changes to these terms',
  ])
})

it('permits personal, non-commercial use, in the name of the installation, and links to the privacy policy', () => {
  show()
  expect(screen.getByRole('region', { name: '2. Use license' }).textContent).toContain(
    'You may use Vesper for personal, non-commercial purposes',
  )
  expect(document.body.textContent).toContain('this installation of Vesper')
  expect(document.body.textContent).not.toContain('Intercede')
  expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe('/privacy')
})

it.each([
  ['en-US', 'January 5, 2026'],
  ['de-DE', '5. Januar 2026'],
])('formats the date of today for the locale %s', (locale, expected) => {
  show({ locale })
  const date = screen.getByText(expected)
  expect(date.getAttribute('lang')).toBe(locale)
  expect(date.getAttribute('datetime')).toBe('2026-01-05')
  expect(date.parentElement?.textContent).toBe(`Last updated: ${expected}`)
})

it('uses the day of the reader’s time zone, not of UTC', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland')
  show({ today: new Date('2026-01-04T12:30:00Z'), locale: 'en-US' })
  expect(screen.getByText('January 5, 2026').getAttribute('datetime')).toBe('2026-01-05')
})

it('shows the day on which the page is opened', () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z'), toFake: ['Date'] })
  render(<TermsScreen productName="Vesper" locale="en-US" />)
  expect(screen.getByText('March 1, 2026')).toBeDefined()
})
