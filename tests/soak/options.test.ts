import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

it('has defaults for a short run', () => {
  expect(readOptions([])).toEqual({ minutes: 3, users: 20, rounds: 50, histories: 1000 })
  const options = { minutes: 60, users: 5, rounds: 100, histories: 5000 }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${String(value)}`)
  expect(readOptions(args)).toEqual(options)
})

it.each(['--minutes=0', '--minutes=soon', '--users=1.5'])(
  'rejects %s and names the accepted values',
  (option) => {
    expect(() => readOptions([option])).toThrow(/must be a whole number from 1 to/)
  },
)
