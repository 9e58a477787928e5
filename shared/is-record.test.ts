import { expect, it } from 'vitest'
import { isRecord } from './is-record.ts'

it.each([{}, { name: 'Anna' }, Object.create(null), new Error('failed')])('%o is a record', (value) => {
  expect(isRecord(value)).toBe(true)
})

it.each([null, undefined, 'text', 5, true, [], [{ name: 'Anna' }], () => 'Anna'])(
  '%o is not a record',
  (value) => {
    expect(isRecord(value)).toBe(false)
  },
)
