import { hash as hashBcrypt } from '@node-rs/bcrypt'
import { hash as hashArgon2 } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { hashPassword, isOutdated, matchesHash } from './password-hash.ts'

describe('a password hash', () => {
  it('is argon2id with parameters that OWASP recommends, and differs each time', async () => {
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

  it('of a moved account (bcrypt) is understood, and is to be replaced', async () => {
    const hash = await hashBcrypt('moved along', 4)
    expect(await matchesHash('moved along', hash)).toBe(true)
    expect(await matchesHash('moved alonk', hash)).toBe(false)
    expect(isOutdated(hash)).toBe(true)
  })

  it('made with less work is to be replaced', async () => {
    expect(isOutdated(await hashArgon2('x', { memoryCost: 4096, timeCost: 3, parallelism: 1 }))).toBe(true)
  })

  it.each(['', 'plain text', '$fbscrypt$v=1'])('%j matches nothing', async (hash) => {
    expect(await matchesHash('plain text', hash)).toBe(false)
  })
})
