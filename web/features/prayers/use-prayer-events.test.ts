import { expect, it } from 'vitest'
import { shortName } from './use-prayer-events.ts'

it('announces a name as it is', () => {
  expect(shortName({ person_name: 'Anna' })).toBe('Anna')
  expect(shortName({ person_name: 'x'.repeat(60) })).toBe('x'.repeat(60))
})

it('shortens a very long name', () => {
  const name = `${'x'.repeat(58)} ${'y'.repeat(140)}`
  expect(shortName({ person_name: name })).toBe(`${'x'.repeat(58)}…`)
})
