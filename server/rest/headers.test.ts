import { describe, expect, it } from 'vitest'
import { chooseFormat, parsePrefer, preferenceApplied } from './headers.ts'

describe('the Prefer header', () => {
  it('lists preferences in any order', () => {
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

  it('has the first of contradicting preferences take effect', () => {
    expect(parsePrefer('return=minimal, return=representation')).toMatchObject({ return: 'minimal' })
  })

  it('may contain unknown preferences, which are ignored', () => {
    expect(parsePrefer('respond-async, return=minimal, tx=rollback')).toEqual(parsePrefer('return=minimal'))
  })

  it('is rejected for unknown preferences when handling is strict', () => {
    expect(() => parsePrefer('handling=strict, max-affected=1, count=exact, what')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'PGRST122',
        details: 'Invalid preferences: max-affected=1, what',
      }),
    )
    expect(parsePrefer('handling=strict, tx=commit')).toMatchObject({ handling: 'strict' })
  })

  it("is confirmed by Preference-Applied in PostgREST's order", () => {
    const preferences = parsePrefer('count=exact,return=minimal,missing=default,resolution=ignore-duplicates')
    expect(preferenceApplied(preferences)).toEqual({
      'preference-applied': 'resolution=ignore-duplicates, missing=default, return=minimal, count=exact',
    })
    expect(preferenceApplied(parsePrefer(undefined))).toEqual({})
  })
})

describe('the Accept header', () => {
  it.each([
    [undefined, 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json; charset=utf-8'],
    ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
    [
      'application/json;q=0.5, application/vnd.pgrst.object',
      'application/vnd.pgrst.object+json; charset=utf-8',
    ],
  ])('%s selects %s', (accept, contentType) => {
    expect(chooseFormat(accept)).toMatchObject({ contentType })
  })

  it.each([
    'text/csv',
    'text/html;q=1',
    'application/json;q=0',
    'application/vnd.pgrst.array+json;nulls=stripped',
    ';;;',
  ])('%s is rejected', (accept) => {
    expect(() => chooseFormat(accept)).toThrow(expect.objectContaining({ status: 406, code: 'PGRST107' }))
  })
})
