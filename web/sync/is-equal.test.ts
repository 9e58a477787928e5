import { expect, it } from 'vitest'
import type { Json } from '#shared/database.types.ts'
import { isEqual } from './is-equal.ts'

const VALUE = { tags: ['a', { b: null }], done: false }

it.each<[string, Json | undefined, Json | undefined]>([
  ['a text', 'a', 'a'],
  ['nothing', null, null],
  ['an object of the same content', VALUE, structuredClone(VALUE)],
  ['an object whose names are in another order', VALUE, { done: false, tags: ['a', { b: null }] }],
])('%s is equal', (_what, a, b) => {
  expect(isEqual(a, b)).toBe(true)
})

it.each<[string, Json | undefined, Json | undefined]>([
  ['another text', 'a', 'b'],
  ['a number and its text', 1, '1'],
  ['null and no value', null, undefined],
  ['a list in another order', ['a', 'b'], ['b', 'a']],
  ['a longer list', ['a'], ['a', 'b']],
  ['a list and an object', ['a'], { 0: 'a' }],
  ['an object with another value inside', VALUE, { ...VALUE, tags: ['a', { b: 1 }] }],
  ['an object with another name', { a: 1 }, { b: 1 }],
  ['an object and nothing', {}, null],
])('%s is different', (_what, a, b) => {
  expect(isEqual(a, b)).toBe(false)
  expect(isEqual(b, a)).toBe(false)
})
