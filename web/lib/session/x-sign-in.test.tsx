import { expect, it } from 'vitest'
import { isXNotOffered } from './x-sign-in.ts'

it.each([
  [true, 400, 'Unsupported provider: provider is not enabled'],
  [true, 400, 'Unsupported provider: Provider x could not be found'],
  [false, 400, 'Something else'],
  [false, 500, 'Unsupported provider'],
])('an error response means that X is not offered: %s for %i %s', (notOffered, status, message) => {
  expect(isXNotOffered({ status, code: '', message })).toBe(notOffered)
})
