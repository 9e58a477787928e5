import { describe, expect, it } from 'vitest'
import { fieldsOf, isRecord } from './fields.ts'

class Failure extends Error {
  readonly code = '23505'
}

describe('a value with named fields', () => {
  it.each([{}, { name: 'Anna' }, Object.create(null), new Failure()])('is one: %o', (value) => {
    expect(isRecord(value)).toBe(true)
    expect(fieldsOf(value)).toBe(value)
  })

  it.each([null, undefined, 'text', 5, true, [], [{ name: 'Anna' }], () => 'Anna'])(
    'is none, and there is nothing to read from it: %o',
    (value) => {
      expect(isRecord(value)).toBe(false)
      expect(fieldsOf(value)).toEqual({})
    },
  )

  it('gives what is its own and what its class gives it', () => {
    expect(fieldsOf(new Failure('refused'))).toMatchObject({ message: 'refused', code: '23505' })
  })
})
