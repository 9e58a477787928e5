import { expect, it } from 'vitest'
import { newId } from './new-id.ts'

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('is a random UUID', () => {
  expect(newId()).toMatch(VERSION_4)
  expect(newId()).not.toBe(newId())
})

it('is also a random UUID if the browser has no randomUUID', () => {
  const insecure = { getRandomValues: crypto.getRandomValues.bind(crypto) }
  expect(newId(insecure)).toMatch(VERSION_4)
  expect(newId(insecure)).not.toBe(newId(insecure))
})
