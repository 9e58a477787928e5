import { describe, expect, it } from 'vitest'
import { checkNewPassword, parseEmailAddress } from './account-rules.ts'

describe('an email address', () => {
  it.each(['a@b.de', "o'hara+prayer@mail.example.org", 'ruth@localhost', `${'x'.repeat(250)}@a.de`])(
    '%s is accepted',
    (address) => {
      expect(parseEmailAddress(address)).toBe(address)
    },
  )

  it('is stored in lower case', () => {
    expect(parseEmailAddress('Ruth@Example.COM')).toBe('ruth@example.com')
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
  ])('%j is rejected', (address, message) => {
    expect(() => parseEmailAddress(address)).toThrow(message)
  })
})

describe('a new password', () => {
  it('may have 6 characters, and up to 72 bytes', () => {
    for (const password of ['sixsix', 'x'.repeat(72), '\u00e9'.repeat(36)]) {
      expect(errorOf(() => checkNewPassword(password))).toBeNull()
    }
  })

  it('of 5 characters is weak, however many bytes they take', () => {
    expect(errorOf(() => checkNewPassword('\u{1F54A}'.repeat(5)))).toMatchObject({
      status: 422,
      code: 'weak_password',
      message: 'Password should be at least 6 characters.',
      weakPasswordReasons: ['length'],
    })
  })

  it('of 73 bytes is rejected, even if it has fewer characters', () => {
    for (const password of ['x'.repeat(73), '\u00e9'.repeat(37)]) {
      expect(errorOf(() => checkNewPassword(password))).toMatchObject({
        status: 400,
        code: 'validation_failed',
        message: 'Password cannot be longer than 72 characters',
      })
    }
  })
})

function errorOf(check: () => void): unknown {
  try {
    check()
    return null
  } catch (error) {
    return error
  }
}
