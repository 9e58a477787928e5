import { expect, it } from 'vitest'
import { isStorableText, withoutUnstorable } from './storable-text.ts'

it.each(['', 'Ruth', '🕊', 'línea 1\nlínea 2'])('keeps text as it is: %j', (text) => {
  expect(isStorableText(text)).toBe(true)
  expect(withoutUnstorable(text)).toBe(text)
})

it.each([
  ['a\0b\0', 'ab'],
  ['\ud83da', 'a'],
  ['a\udd4a\udd4a', 'a'],
  ['\ud83d🕊', '🕊'],
])('finds and leaves out what is no text: %j', (text, kept) => {
  // Twice, because a search must not begin where the last one ended.
  expect([isStorableText(text), isStorableText(text)]).toEqual([false, false])
  expect(withoutUnstorable(text)).toBe(kept)
})
