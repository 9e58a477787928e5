import type { User, UserIdentity } from '@supabase/auth-js'
import { expect, it } from 'vitest'
import { sampleApp } from '#web/lib/session/sample-session.test-data.ts'
import { proofFor } from './use-deletion.ts'

function userWith(...providers: string[]): User {
  const identities = providers.map((provider): UserIdentity => ({
    id: '1',
    user_id: '1',
    identity_id: '1',
    provider,
    identity_data: {},
  }))
  return { id: '1', aud: 'authenticated', created_at: '', app_metadata: {}, user_metadata: {}, identities }
}

it.each([
  [['email'], false, 'password'],
  [['email'], true, 'password'],
  [['twitter'], false, 'x'],
  [['x'], true, 'recent-sign-in'],
  [['email', 'twitter'], false, 'password-or-x'],
  [['email', 'twitter'], true, 'recent-sign-in'],
  [[], false, 'password'],
])(
  'a user with identities %j, recently signed in: %s, proves it with: %s',
  (providers, signedInLately, proof) => {
    expect(proofFor(userWith(...providers), signedInLately)).toBe(proof)
  },
)

it('a user with two-factor sign-in has proved it by the sign-in that came before the code', () => {
  const user = { ...userWith('email'), factors: [sampleApp('My phone')] }
  expect([proofFor(user, false), proofFor(user, true)]).toEqual(['password', 'recent-sign-in'])
})
