import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { optionalObject, optionalText, text } from './request-body.ts'

describe('a text field', () => {
  it.each(['', 'Ruth', '🕊', 'línea 1\nlínea 2'])('may be %j', (value) => {
    expect(v.parse(text, value)).toBe(value)
    expect(v.parse(optionalText, value)).toBe(value)
  })

  it.each(['a\0b\0', '\ud83da', 'a\udd4a\udd4a', '\ud83d🕊', 5, {}])('may not be %j', (value) => {
    expect(v.is(text, value)).toBe(false)
    expect(v.is(optionalText, value)).toBe(false)
  })

  it.each([null, undefined])('may be missing: %j', (value) => {
    expect(v.parse(text, value)).toBe('')
    expect(v.parse(optionalText, value)).toBeNull()
  })
})

describe('an object field', () => {
  it.each([{}, { a: ['b', { c: null, d: 1 }] }, null])('may be %j', (value) => {
    expect(v.parse(optionalObject, value)).toEqual(value)
  })

  it.each([[[]], 'text', { a: '\0' }, { '\ud83d': 1 }, { a: [{ b: '\udd4a' }] }])(
    'may not be %j',
    (value) => {
      expect(v.is(optionalObject, value)).toBe(false)
    },
  )

  it.each([
    [32, true],
    [33, false],
    [100_000, false],
  ])('with %d levels: %j', (levels, expected) => {
    const json = '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
    expect(v.is(optionalObject, JSON.parse(json))).toBe(expected)
  })
})
