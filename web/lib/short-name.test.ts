import { describe, expect, it } from 'vitest'
import { shortName } from './short-name.ts'

describe('a name in an announcement', () => {
  it('is shown as it is', () => {
    expect(shortName('Anna')).toBe('Anna')
    expect(shortName('x'.repeat(60))).toBe('x'.repeat(60))
  })

  it('is shortened if it is very long', () => {
    const name = `${'x'.repeat(58)} ${'y'.repeat(140)}`
    expect(shortName(name)).toBe(`${'x'.repeat(58)}…`)
  })
})
