import type { User, UserIdentity } from '@supabase/auth-js'
import { expect, it } from 'vitest'
import { proofFor } from './deletion-proof.ts'

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
  [['twitter'], false, 'X'],
  [['x'], true, 'just signed in'],
  [['email', 'twitter'], false, 'password or X'],
  [['email', 'twitter'], true, 'just signed in'],
  [[], false, 'password'],
])('somebody who comes by %j, just now: %s, shows it by %s', (providers, lately, proof) => {
  expect(proofFor(userWith(...providers), lately)).toBe(proof)
})
