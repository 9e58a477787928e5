import { expect, it } from 'vitest'
import { isSameName } from './fold.ts'

it.each([
  ['Family', 'family', true],
  ['Family', ' Fam ily', true],
  ['Café', 'CAFE', true],
  ['Łukasz & José', 'lukasz&jose', true],
  ['Family', 'Families', false],
  ['', 'Family', false],
])('“%s” and “%s” are the same name: %s', (a, b, isSame) => {
  expect(isSameName(a, b)).toBe(isSame)
})
