import { expect, it } from 'vitest'
import { securityTextOf } from './vite-security-text.ts'

const NOW = new Date('2026-03-01T00:00:00Z')
const site = { VITE_SITE_URL: 'https://pray.example.org/' }

it('a static build gets a security.txt where somebody is named', () => {
  const text = securityTextOf({ ...site, VITE_SECURITY_CONTACT: 'security@example.org' }, NOW)
  expect(text).toContain('Contact: mailto:security@example.org\n')
  expect(text).toContain('Canonical: https://pray.example.org/.well-known/security.txt\n')
})

it('and none where nobody is', () => {
  expect(securityTextOf(site, NOW)).toBeNull()
  expect(securityTextOf({ VITE_SECURITY_CONTACT: '' }, NOW)).toBeNull()
})

it.each([
  [{ ...site, VITE_SECURITY_CONTACT: 'nobody' }, 'must be an e-mail address'],
  [{ VITE_SECURITY_CONTACT: 'security@example.org' }, 'without VITE_SITE_URL'],
])('what is wrong stops the build: %j', (variables, sentence) => {
  expect(() => securityTextOf(variables, NOW)).toThrow(sentence)
})
