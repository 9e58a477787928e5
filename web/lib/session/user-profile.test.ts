import type { User, UserIdentity } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { avatarUrl, displayName, hasXIdentity, initial } from './user-profile.ts'

function user(fields: Partial<User>): User {
  return { id: '1', aud: 'authenticated', created_at: '', app_metadata: {}, user_metadata: {}, ...fields }
}

function identity(provider: string, data: Record<string, unknown>): UserIdentity {
  return { id: '1', user_id: '1', identity_id: '1', provider, identity_data: data }
}

describe('the display name', () => {
  const email = 'ruth@example.com'
  const ofX = (data: Record<string, string>) => [identity('x', data)]
  it.each<[what: string, fields: Partial<User>, name: string]>([
    [
      "the user's own full name",
      { email, user_metadata: { full_name: 'Ruth' }, identities: ofX({ full_name: 'R.' }) },
      'Ruth',
    ],
    ["the identity's full name", { email, identities: ofX({ name: 'rr', full_name: 'R. R.' }) }, 'R. R.'],
    ["the identity's name", { email, identities: ofX({ name: 'rr', full_name: ' ' }) }, 'rr'],
    ['the part before the @', { email, identities: [identity('email', { email })] }, 'ruth'],
    ['no name or address', { email: '' }, 'User'],
  ])('is %s', (_case, fields, name) => {
    expect(displayName(user(fields))).toBe(name)
  })
})

describe('the avatar', () => {
  it('is the user’s own one before the identity’s', () => {
    const identities = [identity('x', { avatar_url: 'https://b.example/' })]
    const user_metadata = { avatar_url: 'https://a.example/' }
    expect(avatarUrl(user({ user_metadata, identities }), null)).toBe('https://a.example/')
    expect(avatarUrl(user({ identities }), null)).toBe('https://b.example/')
    expect(avatarUrl(user({}), null)).toBeNull()
  })

  it('is the copy of the backend if it has one, whatever the user metadata says', () => {
    const identities = [identity('email', {}), { ...identity('x', { avatar_url: 'b' }), identity_id: 'i/2' }]
    const user_metadata = { avatar_url: 'https://a.example/' }
    expect(avatarUrl(user({ user_metadata, identities }), '/pictures/')).toBe('/pictures/i%2F2')
    expect(avatarUrl(user({ user_metadata }), '/pictures/')).toBeNull()
  })

  it.each(['javascript:alert(1)', 'data:image/svg+xml,<svg/>', 'http://a.example/', '//a.example/', 'x'])(
    'is never %s',
    (address) => {
      expect(avatarUrl(user({ user_metadata: { avatar_url: address } }), null)).toBeNull()
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
])('with provider %s, has an X identity: %s', (provider, expected) => {
  expect(hasXIdentity(user({ identities: [identity(provider, {})] }))).toBe(expected)
})
