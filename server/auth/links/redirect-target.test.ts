import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REDIRECT_TRICKS } from '#tests/support/redirect-tricks.ts'
import { isAllowedTarget } from './redirect-target.ts'

const local = { siteUrl: 'http://localhost:3000', redirectUrls: [] }
const site = { siteUrl: 'https://pray.example.org', redirectUrls: [] }

describe('the site itself', () => {
  it.each([
    'https://pray.example.org',
    'https://pray.example.org/',
    'https://pray.example.org/reset-password?a=b#c',
    'https://PRAY.example.org/x',
    'https://pray.example.org:443/x',
  ])('%s is allowed', (target) => {
    expect(isAllowedTarget(target, site)).toBe(true)
  })

  it.each(['http://localhost:3000/x', 'http://localhost:5173/x', 'http://localhost'])(
    'on this machine any port is: %s',
    (target) => {
      expect(isAllowedTarget(target, local)).toBe(true)
    },
  )

  it.each(['http://127.0.0.1:9000/x', 'http://[::1]:9000/x'])(
    'the loopback address %s is, for apps on the person\u2019s own machine',
    (target) => {
      expect(isAllowedTarget(target, site)).toBe(true)
    },
  )
})

describe('known tricks', () => {
  it.each(REDIRECT_TRICKS)('%j is not allowed', (target) => {
    expect(isAllowedTarget(target, site)).toBe(false)
  })
})

describe('configured patterns', () => {
  const config = {
    siteUrl: 'https://pray.example.org',
    redirectUrls: ['https://*.preview.example/**', 'https://app.example/auth/*'],
  }

  it.each([
    ['https://one.preview.example/auth/callback', true],
    ['https://one.preview.example/auth/callback?x=1#y', true],
    ['https://one.two.preview.example/', false],
    ['https://preview.example/', false],
    ['https://evil.example/?https://one.preview.example/', false],
    ['https://one.preview.example.evil.example/', false],
    ['https://app.example/auth/callback', true],
    ['https://app.example/auth/one/two', false],
    ['https://app.example/other', false],
  ])('%s: %j', (target, expected) => {
    expect(isAllowedTarget(target, config)).toBe(expected)
  })

  it('never allow another script, even where they match everything', () => {
    const all = { siteUrl: 'https://pray.example.org', redirectUrls: ['**'] }
    expect(isAllowedTarget('https://anything.example/', all)).toBe(true)
    for (const target of [
      'javascript:alert(1)',
      'https://8.8.8.8/',
      '//evil.example',
      'https://a@b.example/',
    ]) {
      expect(isAllowedTarget(target, all)).toBe(false)
    }
  })
})

it('whatever is allowed leads to the site or to this machine, as browsers read it', () => {
  const piece = fc.constantFrom(
    'https:',
    'http:',
    '/',
    '//',
    '\\',
    '@',
    ':',
    '.',
    '#',
    '?',
    '%2e',
    '%00',
    '\t',
    '\n',
    ' ',
    '443',
    '[::1]',
    'pray.example.org',
    'evil.example',
    '127.0.0.1',
    '2130706433',
    'user',
    '\u3002',
    '\u200B',
    'javascript:',
  )
  const target = fc.oneof(
    fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.webUrl(),
    fc.string(),
  )
  fc.assert(
    fc.property(target, (given) => {
      if (!isAllowedTarget(given, site)) return
      const { protocol, hostname, username, password } = new URL(given, 'https://base.example/')
      expect(['pray.example.org', '127.0.0.1', '[::1]']).toContain(hostname)
      expect(`${username}${password}`).toBe('')
      expect(hostname === 'pray.example.org' ? protocol : 'https:').toBe('https:')
    }),
    { seed: 11, numRuns: 20_000 },
  )
})
