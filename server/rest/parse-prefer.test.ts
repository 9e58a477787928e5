import { describe, expect, it } from 'vitest'
import { parsePrefer, preferenceApplied } from './parse-prefer.ts'

describe('preferences', () => {
  it('are read from one header, in any order', () => {
    expect(
      parsePrefer('return=representation,  resolution=merge-duplicates,count=exact, missing=default'),
    ).toEqual({
      return: 'representation',
      resolution: 'merge-duplicates',
      count: 'exact',
      missing: 'default',
      handling: null,
    })
  })

  it('count once: the first of two that contradict each other', () => {
    expect(parsePrefer('return=minimal, return=representation')).toMatchObject({ return: 'minimal' })
  })

  it('are left alone when unknown', () => {
    expect(parsePrefer('respond-async, return=minimal, tx=rollback')).toEqual(parsePrefer('return=minimal'))
  })

  it('must be known when handling is strict', () => {
    expect(() => parsePrefer('handling=strict, max-affected=1, count=exact, what')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'PGRST122',
        details: 'Invalid preferences: max-affected=1, what',
      }),
    )
    expect(parsePrefer('handling=strict, tx=commit')).toMatchObject({ handling: 'strict' })
  })

  it('are confirmed in the order of the real service', () => {
    const preferences = parsePrefer('count=exact,return=minimal,missing=default,resolution=ignore-duplicates')
    expect(preferenceApplied(preferences)).toBe(
      'resolution=ignore-duplicates, missing=default, return=minimal, count=exact',
    )
    expect(preferenceApplied(parsePrefer(undefined))).toBeNull()
  })
})
