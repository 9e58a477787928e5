import { expect, it } from 'vitest'
import { opensOffline } from './routes.ts'

it.each([
  ['/', true],
  ['/dashboard', true],
  ['/answered/2026', true],
  ['/answered/last', false],
  ['/terms', true],
  ['/pray/', true],
  ['/answered/2026//', true],
  ['/prayer/anything/', true],
  ['/auth/callback', false],
  ['/auth/callback/', false],
  ['/nowhere', false],
])('opens %s without the network: %s', (path, opens) => {
  expect(opensOffline(path)).toBe(opens)
})
