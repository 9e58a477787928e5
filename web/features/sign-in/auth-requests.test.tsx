import { expect, it } from 'vitest'
import { resetOrigin } from './auth-requests.ts'

it.each([
  ['http://localhost:5173/', 'http://localhost:5173'],
  ['http://app.localhost:8080/', 'http://app.localhost:8080'],
  ['https://preview.example/', 'https://prayers.example'],
  ['https://localhost.example/', 'https://prayers.example'],
])('a reset email requested at %s links to %s', (page, expected) => {
  expect(resetOrigin(new URL(page), 'https://prayers.example')).toBe(expected)
})
