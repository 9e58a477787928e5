import { expect, it } from 'vitest'
import { authMode } from './auth-mode.ts'

it.each([
  ['', 'login'],
  ['?mode=signup', 'signup'],
  ['mode=reset', 'reset'],
  ['?mode=other', 'login'],
])('%j opens %s', (search, mode) => {
  expect(authMode(search)).toBe(mode)
})
