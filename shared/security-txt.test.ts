import { describe, expect, it } from 'vitest'
import { createSecurityTxt, parseSecurityContact } from './security-txt.ts'

describe('a security contact', () => {
  it.each([
    ['security@example.org', 'mailto:security@example.org'],
    ['mailto:security@example.org', 'mailto:security@example.org'],
    ['https://example.org/report', 'https://example.org/report'],
    ['tel:+1-201-555-0123', 'tel:+1-201-555-0123'],
  ])('%s becomes %s', (text, expected) => {
    expect(parseSecurityContact(text)).toBe(expected)
  })

  it.each([
    '',
    'nobody',
    'http://example.org/',
    'javascript:alert(1)',
    'a@b\nContact: c@d',
    'https://a b',
    'https://',
  ])('%j is invalid', (text) => {
    expect(parseSecurityContact(text)).toBeNull()
  })
})

it('security.txt has the fields of RFC 9116 and expires after half a year', () => {
  const site = { contact: 'mailto:security@example.org', siteUrl: 'https://pray.example.org' }
  expect(createSecurityTxt(site, new Date('2026-03-01T09:15:00Z'))).toBe(
    [
      'Contact: mailto:security@example.org',
      'Expires: 2026-08-28T00:00:00Z',
      'Canonical: https://pray.example.org/.well-known/security.txt',
      '',
    ].join('\n'),
  )
})
