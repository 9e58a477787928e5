import { expect, it } from 'vitest'
import { announcedName } from './announced-name.ts'

it('says a name as it is', () => {
  expect(announcedName('Anna')).toBe('Anna')
  expect(announcedName('x'.repeat(60))).toBe('x'.repeat(60))
})

it('says a very long name in short', () => {
  expect(announcedName(`${'x'.repeat(58)} ${'y'.repeat(140)}`)).toBe(`${'x'.repeat(58)}…`)
})
