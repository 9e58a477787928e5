import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

it('takes a few minutes unless told otherwise', () => {
  expect(readOptions([])).toEqual({ minutes: 3, people: 20 })
  expect(readOptions(['--minutes=60', '--people=5'])).toEqual({ minutes: 60, people: 5 })
})

it.each([['--minutes=0'], ['--minutes=soon'], ['--people=1.5']])(
  'refuses %s with what is accepted',
  (option) => {
    expect(() => readOptions([option])).toThrow(/must be a whole number from 1 to/)
  },
)
