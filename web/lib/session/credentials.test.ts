import { describe, expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'
import { newPasswordError, passwordError } from './credentials.ts'

describe('a new password', () => {
  it.each([
    ['', 'Please choose a password'],
    ['12345', 'Password must be at least 6 characters long'],
    ['123456', null],
    ['ü'.repeat(36), null],
    ['ü'.repeat(37), 'Password cannot be longer than 72 characters'],
  ])('%j has the error %s', (password, error) => {
    expect(newPasswordError(password)).toBe(error)
  })
  it.each([
    ['password', true],
    ['Password1', true],
    ['123456', true],
    ['prayer', true],
    ['a quiet hour', false],
    ['', false],
  ])('%j is one of the most common: %s', (password, common) => {
    expect(isCommonPassword(password)).toBe(common)
  })
})

it('signing in needs a password, of any length', () => {
  expect(passwordError('')).toBe('Please enter your password')
  expect(passwordError('x')).toBeNull()
})
