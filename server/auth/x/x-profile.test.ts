import { describe, expect, it } from 'vitest'
import { identityData, readProfile } from './x-profile.ts'

const ISSUER = 'https://x.com'
const answer = {
  data: {
    id: '7',
    name: 'Ruth',
    username: 'ruth',
    confirmed_email: 'Ruth@Example.com',
    profile_image_url: 'https://pbs.twimg.com/a.jpg',
  },
}

describe('a profile', () => {
  it('is read as X gives it', () => {
    expect(readProfile(answer, ISSUER)).toEqual({
      issuer: ISSUER,
      id: '7',
      name: 'Ruth',
      userName: 'ruth',
      pictureUrl: 'https://pbs.twimg.com/a.jpg',
      email: 'ruth@example.com',
    })
  })

  it.each([null, 'text', [], {}, { data: null }, { data: { id: 7 } }, { data: { id: '' } }])(
    'like %j names nobody',
    (broken) => {
      expect(() => readProfile(broken, ISSUER)).toThrow('the profile has no id')
    },
  )

  it('loses what could not be stored, is too long, or is no web address or e-mail address', () => {
    const odd = readProfile(
      {
        data: {
          id: '7',
          name: `a\0b\uD800c${'x'.repeat(400)}`,
          username: 5,
          confirmed_email: 'nothing',
          profile_image_url: 'javascript:alert(1)',
        },
      },
      ISSUER,
    )
    expect(odd.name.startsWith('abcx')).toBe(true)
    expect(odd.name.length).toBeLessThanOrEqual(300)
    expect([odd.userName, odd.email, odd.pictureUrl]).toEqual(['', null, null])
  })
})

it('an identity without a picture has no picture at all', () => {
  const profile = { ...readProfile(answer, ISSUER), pictureUrl: null }
  expect(Object.keys(identityData(profile, 'ruth@example.com'))).not.toEqual(
    expect.arrayContaining(['avatar_url']),
  )
})
