import type { User, UserIdentity } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { avatarUrl, displayName, hasTwitterIdentity, initial } from './user-profile.ts'

function person(fields: Partial<User>): User {
  return { id: '1', aud: 'authenticated', created_at: '', app_metadata: {}, user_metadata: {}, ...fields }
}

function identity(provider: string, data: Record<string, unknown>): UserIdentity {
  return { id: '1', user_id: '1', identity_id: '1', provider, identity_data: data }
}

describe('the name shown', () => {
  const email = 'ruth@example.com'
  it.each([
    [
      'own full name',
      person({
        email,
        user_metadata: { full_name: 'Ruth' },
        identities: [identity('x', { full_name: 'R.' })],
      }),
      'Ruth',
    ],
    [
      "the identity's full name",
      person({ email, identities: [identity('x', { name: 'rr', full_name: 'R. R.' })] }),
      'R. R.',
    ],
    [
      "the identity's name",
      person({ email, identities: [identity('x', { name: 'rr', full_name: ' ' })] }),
      'rr',
    ],
    ['before the @', person({ email, identities: [identity('email', { email })] }), 'ruth'],
    ['nothing known', person({ email: '' }), 'User'],
  ])('is told by %s', (_case, user, name) => {
    expect(displayName(user)).toBe(name)
  })
})

describe('the picture shown', () => {
  it('is the own one before the identity’s', () => {
    const identities = [identity('x', { avatar_url: 'https://b.example/' })]
    const user_metadata = { avatar_url: 'https://a.example/' }
    expect(avatarUrl(person({ user_metadata, identities }), null)).toBe('https://a.example/')
    expect(avatarUrl(person({ identities }), null)).toBe('https://b.example/')
    expect(avatarUrl(person({}), null)).toBeNull()
  })

  it('is the copy of the backend where it has one, whatever the person says', () => {
    const identities = [identity('email', {}), { ...identity('x', { avatar_url: 'b' }), identity_id: 'i/2' }]
    const user_metadata = { avatar_url: 'https://a.example/' }
    expect(avatarUrl(person({ user_metadata, identities }), '/pictures/')).toBe('/pictures/i%2F2')
    expect(avatarUrl(person({ user_metadata }), '/pictures/')).toBeNull()
  })

  it.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', 'http://a.example/', '//a.example/', 'x'])(
    'is never %s',
    (address) => {
      expect(avatarUrl(person({ user_metadata: { avatar_url: address } }), null)).toBeNull()
    },
  )
})

it.each([
  ['ruth', 'R'],
  ['élise', 'É'],
  ['𐐨x', '𐐀'],
  ['', ''],
])('the initial of %j is %j', (name, letter) => {
  expect(initial(name)).toBe(letter)
})

it.each([
  ['twitter', true],
  ['x', true],
  ['email', false],
])('signed in with Twitter by %s: %s', (provider, expected) => {
  expect(hasTwitterIdentity(person({ identities: [identity(provider, {})] }))).toBe(expected)
})
