import { expect, it } from 'vitest'
import { authMode } from './auth-screen.tsx'

it.each([
  ['', 'login'],
  ['?mode=signup', 'signup'],
  ['mode=reset', 'reset'],
  ['?mode=other', 'login'],
])('%j opens the mode %s', (search, mode) => {
  expect(authMode(search)).toBe(mode)
})
