import { describe, expect, it } from 'vitest'
import { readLinkResult, withQueryOnly } from './initial-url.ts'

const read = (url: string) => readLinkResult(new URL(url, 'https://prayers.example'))

describe('the result in a URL', () => {
  it('is a recovery with its tokens', () => {
    expect(
      read('/reset-password#access_token=a.b.c&refresh_token=r&sb=&token_type=bearer&type=recovery'),
    ).toEqual({
      kind: 'recovery',
      accessToken: 'a.b.c',
      refreshToken: 'r',
    })
  })

  it.each(['#type=recovery', '#recovery', '#recovery&x=1'])('is a recovery without tokens: %s', (hash) => {
    expect(read(`/reset-password${hash}`)).toEqual({
      kind: 'recovery',
      accessToken: null,
      refreshToken: null,
    })
  })

  it('is a failure reported in the hash', () => {
    const hash = '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid'
    expect(read(`/reset-password${hash}`)).toEqual({
      kind: 'failure',
      description: 'Email link is invalid',
      code: 'otp_expired',
    })
  })

  it('is a failure reported in the query', () => {
    expect(read('/auth/callback?error=server_error&error_description=No+email')).toEqual({
      kind: 'failure',
      description: 'No email',
      code: null,
    })
  })

  it.each(['/', '/?mode=reset', '/#access_token=a&refresh_token=r&type=signup', '/#top'])(
    'is none: %s',
    (url) => {
      expect(read(url)).toEqual({ kind: 'none' })
    },
  )
})

it.each([
  ['/search#q=anna+100%25', '/search#q=anna+100%25'],
  ['/search#q=anna&access_token=a.b.c&type=recovery', '/search'],
  ['/search#access_token=a.b.c&q=anna', '/search'],
  ['/dashboard#error=access_denied&error_code=otp_expired', '/dashboard'],
  ['/dashboard?error=server_error#access_token=a.b.c&refresh_token=r', '/dashboard'],
  ['/dashboard', '/dashboard'],
])('what is kept of %s until the user has signed in has no tokens and no errors', (url, kept) => {
  expect(withQueryOnly(new URL(url, 'https://prayers.example'))).toBe(kept)
})
