import { describe, expect, it } from 'vitest'
import { identityData, parseProfile } from './x-profile.ts'

const ISSUER = 'https://x.com'
const response = {
  data: {
    id: '7',
    name: 'Ruth',
    username: 'ruth',
    confirmed_email: 'Ruth@Example.com',
    profile_image_url: 'https://pbs.twimg.com/a.jpg',
  },
}

describe('a profile', () => {
  it('is parsed from the response of X', () => {
    expect(parseProfile(response, ISSUER)).toEqual({
      issuer: ISSUER,
      id: '7',
      name: 'Ruth',
      userName: 'ruth',
      avatarUrl: 'https://pbs.twimg.com/a.jpg',
      email: 'ruth@example.com',
    })
  })

  it.each([null, 'text', [], {}, { data: null }, { data: {} }, { data: { id: 7 } }, { data: { id: '' } }])(
    'without a user id is an error: %j',
    (broken) => {
      expect(() => parseProfile(broken, ISSUER)).toThrow('the profile has no id')
    },
  )

  it("drops text that can't be stored or is too long, and invalid URLs and email addresses", () => {
    const odd = parseProfile(
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
    expect([odd.userName, odd.email, odd.avatarUrl]).toEqual(['', null, null])
  })
})

it('an identity without an avatar has no avatar fields', () => {
  const profile = { ...parseProfile(response, ISSUER), avatarUrl: null }
  expect(Object.keys(identityData(profile, 'ruth@example.com'))).not.toEqual(
    expect.arrayContaining(['avatar_url']),
  )
})

it.each([
  ['Ruth', 'Ruth'],
  ['🕊', '🕊'],
  ['a\0b\0', 'ab'],
  ['\ud83da', 'a'],
  ['a\udd4a\udd4a', 'a'],
  ['\ud83d🕊', '🕊'],
])('a name %j is stored as %j', (name, stored) => {
  expect(parseProfile({ data: { id: '7', name } }, ISSUER).name).toBe(stored)
})
