import { expect, it } from 'vitest'
import { securityTextOf } from './security-text.ts'

const NOW = new Date('2026-03-01T00:00:00Z')
const site = { VITE_SITE_URL: 'https://pray.example.org/' }

it('adds security.txt to a static build when a contact is configured', () => {
  const text = securityTextOf({ ...site, VITE_SECURITY_CONTACT: 'security@example.org' }, NOW)
  expect(text).toContain('Contact: mailto:security@example.org\n')
  expect(text).toContain('Canonical: https://pray.example.org/.well-known/security.txt\n')
})

it('adds none without a contact', () => {
  expect(securityTextOf(site, NOW)).toBeNull()
  expect(securityTextOf({ VITE_SECURITY_CONTACT: '' }, NOW)).toBeNull()
})

it.each([
  [{ ...site, VITE_SECURITY_CONTACT: 'nobody' }, 'must be an e-mail address'],
  [{ VITE_SECURITY_CONTACT: 'security@example.org' }, 'without VITE_SITE_URL'],
])('stops the build for invalid variables: %j', (variables, message) => {
  expect(() => securityTextOf(variables, NOW)).toThrow(message)
})
