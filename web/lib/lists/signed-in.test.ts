import { expect, it } from 'vitest'
import { signedIn } from './signed-in.ts'

it('lets nobody read or change a list without being signed in', () => {
  expect(() => signedIn(null)).toThrow('User not authenticated')
  expect(signedIn('ruth')).toBe('ruth')
})
