import { describe, expect, it } from 'vitest'
import { readEmailAddress } from './email-address.ts'

describe('an e-mail address', () => {
  it.each(['a@b.de', "o'hara+prayer@mail.example.org", 'ruth@localhost', `${'x'.repeat(250)}@a.de`])(
    '%s is taken',
    (address) => {
      expect(readEmailAddress(address)).toBe(address)
    },
  )

  it('is kept in lower case', () => {
    expect(readEmailAddress('Ruth@Example.COM')).toBe('ruth@example.com')
  })

  it.each([
    ['', 'An email address is required'],
    [`${'x'.repeat(251)}@a.de`, 'An email address is too long'],
    ['ruth', 'Unable to validate email address: invalid format'],
    ['@example.com', 'Unable to validate email address: invalid format'],
    ['a@b@c.de', 'Unable to validate email address: invalid format'],
    ['a@b.de\n', 'Unable to validate email address: invalid format'],
    ['a b@c.de', 'Unable to validate email address: invalid format'],
    ['"a"@c.de', 'Unable to validate email address: invalid format'],
    ['a@-b.de', 'Unable to validate email address: invalid format'],
    ['\u0430@b.de', 'Unable to validate email address: invalid format'],
    ['a@b.de\0', 'Unable to validate email address: invalid format'],
  ])('%j is refused', (address, message) => {
    expect(() => readEmailAddress(address)).toThrow(message)
  })
})
