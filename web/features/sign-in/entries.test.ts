import { describe, expect, it } from 'vitest'
import { confirmationProblem, emailProblem, newPasswordProblem, passwordProblem } from './entries.ts'

describe('an e-mail address', () => {
  it('is asked for when it is missing', () => {
    expect(emailProblem('  ', false)).toBe('Please enter your email address')
  })
  it('is asked for in full when the browser does not know it as one', () => {
    expect(emailProblem('ruth', true)).toContain('full email address')
  })
  it('is taken as it is otherwise', () => {
    expect(emailProblem('ruth@example.com', false)).toBeNull()
  })
})

describe('a new password', () => {
  it.each([
    ['', 'Please choose a password'],
    ['12345', 'Password must be at least 6 characters long'],
    ['123456', null],
    ['ü'.repeat(36), null],
    ['ü'.repeat(37), 'Password cannot be longer than 72 characters'],
  ])('typed as %j: %s', (password, problem) => {
    expect(newPasswordProblem(password)).toBe(problem)
  })
  it('has to be entered twice alike', () => {
    expect(confirmationProblem('123456', '123457')).toBe('Passwords do not match')
    expect(confirmationProblem('123456', '123456')).toBeNull()
  })
})

it('any password will do to sign in, but one is needed', () => {
  expect(passwordProblem('')).toBe('Please enter your password')
  expect(passwordProblem('x')).toBeNull()
})
