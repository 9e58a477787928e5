import { expect, it } from 'vitest'
import { isUnsolicitedSession } from './link-guard.ts'

const SESSION = '#access_token=a&refresh_token=b&expires_in=3600&token_type=bearer'
const guest = { returnsFromX: false, signedIn: false }
const signedIn = { returnsFromX: false, signedIn: true }

it.each([
  ['no session', '', guest, false],
  ['an error', '#error=access_denied', guest, false],
  ['a session on the return from X', SESSION, { returnsFromX: true, signedIn: false }, false],
  ['a session on the return from X while signed in', SESSION, { returnsFromX: true, signedIn: true }, false],
  ['an unexpected session', SESSION, guest, true],
  ['an unexpected session while signed in', SESSION, signedIn, true],
  ['a session from an emailed link', `${SESSION}&type=signup`, guest, false],
  ['a session from an emailed link while signed in', `${SESSION}&type=signup`, signedIn, true],
  [
    'a session from an emailed link while signed in, on the return from X',
    `${SESSION}&type=signup`,
    { returnsFromX: true, signedIn: true },
    true,
  ],
  [
    'a session from an emailed link to a URL with a hash, while signed in',
    `#a${SESSION}&type=signup`,
    signedIn,
    true,
  ],
  ['an unexpected session behind another hash', `#a${SESSION}`, guest, true],
  ['a session of an unknown type', `${SESSION}&type=x`, guest, true],
])('%s: unsolicited is %4$s', (_name, hash, browser, expected) => {
  expect(isUnsolicitedSession({ hash, search: '' }, browser)).toBe(expected)
})

it.each([guest, signedIn, { returnsFromX: true, signedIn: false }])(
  'a session in the query is always unsolicited: %j',
  (browser) => {
    expect(isUnsolicitedSession({ hash: '#type=signup', search: `?${SESSION.slice(1)}` }, browser)).toBe(true)
  },
)
