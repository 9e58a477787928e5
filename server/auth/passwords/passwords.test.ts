import { describe, expect, it } from 'vitest'
import { ApiError } from '../../errors/api-error.ts'
import { createPasswords } from './passwords.ts'
import { checkNewPassword } from './password-rules.ts'

function refusalOf(check: () => void): unknown {
  try {
    check()
    return null
  } catch (error) {
    return error
  }
}

describe('passwords', () => {
  it('match their hash', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('a password')
    expect(await passwords.matches('a password', hash)).toBe(true)
    expect(await passwords.matches('b password', hash)).toBe(false)
  })

  it('match nothing where there is no hash', async () => {
    expect(await createPasswords().matches('', null)).toBe(false)
  })

  it('are refused with a clear code when too many are being checked', async () => {
    const passwords = createPasswords({ concurrent: 1, waiting: 1 })
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => passwords.matches('x', null)))
    const refused = all.filter((one) => one.status === 'rejected').map((one): unknown => one.reason)
    expect(refused).toHaveLength(3)
    expect(refused[0]).toBeInstanceOf(ApiError)
    expect(refused[0]).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
  })
})

describe('a new password', () => {
  it('may have 6 characters, and up to 72 bytes', () => {
    for (const password of ['sixsix', 'x'.repeat(72), '\u00e9'.repeat(36)]) {
      expect(refusalOf(() => checkNewPassword(password))).toBeNull()
    }
  })

  it('of 5 characters is weak, however many bytes they take', () => {
    expect(refusalOf(() => checkNewPassword('\u{1F54A}'.repeat(5)))).toMatchObject({
      status: 422,
      code: 'weak_password',
      message: 'Password should be at least 6 characters.',
      weakPasswordReasons: ['length'],
    })
  })

  it('of 73 bytes is refused, also when it has fewer characters', () => {
    for (const password of ['x'.repeat(73), '\u00e9'.repeat(37)]) {
      expect(refusalOf(() => checkNewPassword(password))).toMatchObject({
        status: 400,
        code: 'validation_failed',
        message: 'Password cannot be longer than 72 characters',
      })
    }
  })
})
