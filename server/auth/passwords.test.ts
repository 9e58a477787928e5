import { hash as hashBcrypt } from '@node-rs/bcrypt'
import { hash as hashArgon2 } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import { createPasswords, hashPassword, isOutdated, matchesHash } from './passwords.ts'

describe('a password hash', () => {
  it('is argon2id with the parameters that OWASP recommends, and differs each time', async () => {
    const hash = await hashPassword('correct horse')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await hashPassword('correct horse')).not.toBe(hash)
    expect(isOutdated(hash)).toBe(false)
  })

  it('matches its password and no other', async () => {
    const hash = await hashPassword('p\u00e4ssw\u00f6rd \u{1F54A}')
    expect(await matchesHash('p\u00e4ssw\u00f6rd \u{1F54A}', hash)).toBe(true)
    expect(await matchesHash('passw\u00f6rd \u{1F54A}', hash)).toBe(false)
  })

  it('of an account moved from Supabase (bcrypt) is verified, and outdated', async () => {
    const hash = await hashBcrypt('moved along', 4)
    expect(await matchesHash('moved along', hash)).toBe(true)
    expect(await matchesHash('moved alonk', hash)).toBe(false)
    expect(isOutdated(hash)).toBe(true)
  })

  it('made with weaker parameters is outdated', async () => {
    expect(isOutdated(await hashArgon2('x', { memoryCost: 4096, timeCost: 3, parallelism: 1 }))).toBe(true)
  })

  it.each(['', 'plain text', '$fbscrypt$v=1'])('%j matches nothing', async (hash) => {
    expect(await matchesHash('plain text', hash)).toBe(false)
  })
})

describe('passwords', () => {
  it('match their own hash only', async () => {
    const passwords = createPasswords()
    const hash = await passwords.hash('a password')
    expect(await passwords.matches('a password', hash)).toBe(true)
    expect(await passwords.matches('b password', hash)).toBe(false)
  })

  it('match nothing when there is no hash', async () => {
    expect(await createPasswords().matches('', null)).toBe(false)
  })

  it('are rejected with a clear code when too many are waiting, and accepted again later', async () => {
    const passwords = createPasswords({ concurrent: 1, waiting: 1 })
    const calls = Array.from({ length: 5 }, () => passwords.matches('x', null))
    expect(passwords.waiting()).toBe(1)
    const results = await Promise.allSettled(calls)
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ])
    const errors = results.filter((one) => one.status === 'rejected').map((one): unknown => one.reason)
    expect(errors[0]).toBeInstanceOf(ApiError)
    expect(errors[0]).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
    expect(passwords.waiting()).toBe(0)
    expect(await passwords.matches('x', null)).toBe(false)
  })

  it('are still accepted after a call failed', async () => {
    const passwords = createPasswords({ concurrent: 1, waiting: 1 })
    await expect(passwords.matches('x', '$argon2id$broken')).rejects.toThrow('Decoding failed')
    expect(await passwords.matches('x', null)).toBe(false)
  })
})
