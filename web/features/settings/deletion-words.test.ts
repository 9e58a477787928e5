import { expect, it } from 'vitest'
import { consequence } from './deletion-words.ts'

it.each([
  [12, 3, 'with 12 prayers in 3 categories,'],
  [1, 1, 'with 1 prayer in 1 category,'],
  [0, 2, 'with its 2 categories, which hold no prayers,'],
  [0, 0, 'with nothing in it,'],
])('%i prayers in %i categories are told exactly', (prayers, categories, what) => {
  expect(consequence({ prayers, categories }, 'ruth@example.org')).toBe(
    `This deletes the account ruth@example.org ${what} and signs you out on every device. This action cannot be undone.`,
  )
})
