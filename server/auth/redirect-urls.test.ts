import { describe, expect, it } from 'vitest'
import { ApiError } from '../errors/api-error.ts'
import {
  encodeParameters,
  errorParameters,
  withErrorQuery,
  withErrorQueryAndFragment,
  withFragment,
} from './redirect-urls.ts'

describe('parameters', () => {
  it('are sorted and encoded as Go does it', () => {
    expect(encodeParameters({ b: 'a b+c', a: "~(é)!*'", sb: '' })).toBe(
      'a=~%28%C3%A9%29%21%2A%27&b=a+b%2Bc&sb=',
    )
  })

  it('decode to the original values', () => {
    const given = { error_description: 'a: "b" & c = d # e % f + g' }
    expect(Object.fromEntries(new URLSearchParams(encodeParameters(given)))).toEqual(given)
  })
})

describe('an error', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'unauthorized_client'],
    [403, 'access_denied'],
    [500, 'server_error'],
    [422, undefined],
  ])('with status %d becomes %s', (status, error) => {
    expect(errorParameters(new ApiError(status, 'the_code', 'The text'))).toEqual({
      ...(error === undefined ? {} : { error }),
      error_code: 'the_code',
      error_description: 'The text',
    })
  })

  const error = { error: 'x' }

  it('is put into the query, the fragment or both; the target keeps its query but not its fragment', () => {
    expect(withFragment('https://a.example/p?q=1#old', error)).toBe('https://a.example/p?q=1#error=x&sb=')
    expect(withErrorQuery('https://a.example/p', error)).toBe('https://a.example/p?error=x')
    expect(withErrorQuery('https://a.example/p?q=1', error)).toBe('https://a.example/p?q=1&error=x')
    expect(withErrorQueryAndFragment('https://a.example/p', error)).toBe(
      'https://a.example/p?error=x#error=x&sb=',
    )
  })
})
