import { expect, it } from 'vitest'
import { resetAddress } from './reset-address.ts'

it.each([
  ['http://localhost:5173/', 'http://localhost:5173/reset-password'],
  ['http://app.localhost:8080/', 'http://app.localhost:8080/reset-password'],
  ['https://preview.example/', 'https://prayers.example/reset-password'],
  ['https://localhost.example/', 'https://prayers.example/reset-password'],
])('from %s a reset mail leads to %s', (here, expected) => {
  expect(resetAddress(new URL(here), 'https://prayers.example', '/reset-password')).toBe(expected)
})
