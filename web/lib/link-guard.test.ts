import { expect, it } from 'vitest'
import { isUnaskedSession } from './link-guard.ts'

const SESSION = '#access_token=a&refresh_token=b&expires_in=3600&token_type=bearer'
const nobody = { leftForX: false, signedIn: false }

it.each([
  ['nothing', '', nobody, false],
  ['a failure', '#error=access_denied', nobody, false],
  ['a session after leaving for X', SESSION, { leftForX: true, signedIn: false }, false],
  ['a session after leaving for X again', SESSION, { leftForX: true, signedIn: true }, false],
  ['a session out of nowhere', SESSION, nobody, true],
  ['a session out of nowhere, for somebody signed in', SESSION, { leftForX: false, signedIn: true }, true],
  ['a mailed session', `${SESSION}&type=signup`, nobody, false],
  [
    'a mailed session, for somebody signed in',
    `${SESSION}&type=signup`,
    { leftForX: false, signedIn: true },
    true,
  ],
  ['a session of another kind', `${SESSION}&type=x`, nobody, true],
])('%s', (_name, hash, here, expected) => {
  expect(isUnaskedSession(hash, here)).toBe(expected)
})
