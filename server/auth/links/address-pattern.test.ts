import { expect, it } from 'vitest'
import { compileAddressPattern } from './address-pattern.ts'

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
])('%s on %s: %j', (pattern, address, expected) => {
  expect(compileAddressPattern(pattern).test(address)).toBe(expected)
})
