import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileUrlPattern, isAllowedTarget } from './redirect-targets.ts'

const local = { siteUrl: 'http://localhost:3000', redirectUrls: [] }
const site = { siteUrl: 'https://pray.example.org', redirectUrls: [] }

describe('a redirect target', () => {
  it.each([
    'https://pray.example.org',
    'https://pray.example.org/',
    'https://pray.example.org/reset-password?a=b#c',
    'https://PRAY.example.org/x',
    'https://pray.example.org:443/x',
  ])('on the site itself is allowed: %s', (target) => {
    expect(isAllowedTarget(target, site)).toBe(true)
  })

  it.each(['http://localhost:3000/x', 'http://localhost:5173/x', 'http://localhost'])(
    'may have any port if the site is on this machine: %s',
    (target) => {
      expect(isAllowedTarget(target, local)).toBe(true)
    },
  )

  it.each(['http://127.0.0.1:9000/x', 'http://[::1]:9000/x'])(
    'on a loopback address is allowed only if the site is on this machine too: %s',
    (target) => {
      expect(isAllowedTarget(target, local)).toBe(true)
      expect(isAllowedTarget(target, { ...local, siteUrl: 'http://127.0.0.1:3000' })).toBe(true)
      expect(isAllowedTarget(target, site)).toBe(false)
      expect(isAllowedTarget(target, { ...site, redirectUrls: ['**'] })).toBe(false)
    },
  )
})

/**
 * Known open-redirect tricks against a site at https://pray.example.org. Each leads elsewhere in some browser or parser,
 * or is a URL that no client has a good reason to send.
 */
const REDIRECT_TRICKS: readonly string[] = [
  '',
  ' ',
  '/',
  '/dashboard',
  '//evil.example',
  '///evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  'evil.example',
  'http://pray.example.org/',
  'https://pray.example.org:444/',
  'https://pray.example.org.evil.example/',
  'https://evil.example/https://pray.example.org',
  'https://evil.example?https://pray.example.org',
  'https://evil.example#https://pray.example.org',
  'https://pray.example.org@evil.example/',
  'https://pray.example.org:443@evil.example/',
  'https://user@pray.example.org/',
  'https://pray.example.org%40evil.example/',
  'https://pray.example.org%2eevil.example/',
  'https://pray.example.org\\@evil.example/',
  'https://pray.example.org\\.evil.example/',
  'https:/\\evil.example/',
  'https:\\\\evil.example/',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https:pray.example.org',
  'https://pray.example.org\t.evil.example/',
  'https://pray.example.org\n.evil.example/',
  '\thttps://pray.example.org/',
  'https://pray.example.org/ x',
  'https://pray.example.org\u3002evil.example/',
  'https://pray.example.\u24DErg/',
  'https://\u{1F54A}.example/',
  'https://pray.example.org./',
  'https://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://127.0.0.1:9999/',
  'http://[::1]:9999/',
  'http://192.168.0.1/',
  'http://169.254.169.254/',
  'https://pray_example.org/',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'javascript://pray.example.org/%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://pray.example.org/x',
  'ftp://pray.example.org/',
  'intent://pray.example.org#Intent;end',
  'https://pray.example.org:99999/',
  `https://pray.example.org/${'x'.repeat(2048)}`,
]

it.each(REDIRECT_TRICKS)('a known open-redirect trick is not allowed: %j', (target) => {
  expect(isAllowedTarget(target, site)).toBe(false)
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

  it('never allow anything but plain http and https URLs, even if they match everything', () => {
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

it('allows only URLs that lead to the site, as browsers parse them', () => {
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
      expect([protocol, hostname]).toEqual(['https:', 'pray.example.org'])
      expect(`${username}${password}`).toBe('')
    }),
    { seed: 11, numRuns: 5000 },
  )
})

// Rules of github.com/gobwas/glob with the separators `.` and `/`.
it.each([
  ['https://a.example/*', 'https://a.example/x', true],
  ['https://a.example/*', 'https://a.example/', true],
  ['https://a.example/*', 'https://a.example/x/y', false],
  ['https://a.example/*', 'https://a.example/x.y', false],
  ['https://a.example/**', 'https://a.example/x/y.z?q', true],
  ['https://*.example/', 'https://a.example/', true],
  ['https://*.example/', 'https://a.b.example/', false],
  ['https://**.example/', 'https://a.b.example/', true],
  ['https://a.example/?', 'https://a.example/x', true],
  ['https://a.example/?', 'https://a.example//', false],
  ['https://[ab].example/', 'https://b.example/', true],
  ['https://[!ab].example/', 'https://b.example/', false],
  ['https://[a-c].example/', 'https://d.example/', false],
  ['https://{one,two}.example/', 'https://two.example/', true],
  ['https://{one,two}.example/', 'https://three.example/', false],
  ['https://{a*,b}.example/', 'https://abc.example/', true],
  ['https://a.example/\\*', 'https://a.example/*', true],
  ['https://a.example/\\*', 'https://a.example/x', false],
  ['https://a.example', 'https://axexample', false],
  ['https://a.example', 'https://a.example.evil', false],
  ['https://a.example/(x|y)', 'https://a.example/x', false],
])('pattern %s matches %s: %j', (pattern, url, expected) => {
  expect(compileUrlPattern(pattern).test(url)).toBe(expected)
})
