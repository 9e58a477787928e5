import { describe, expect, it } from 'vitest'
import { ApiError } from '../../errors/api-error.ts'
import { describeError, withErrorEverywhere, withErrorFragment, withErrorQuery } from './error-redirect.ts'
import { encodeParameters } from './fragment.ts'

describe('parameters', () => {
  it('are sorted and written as Go writes them', () => {
    expect(encodeParameters({ b: 'a b+c', a: "~(é)!*'", sb: '' })).toBe(
      'a=~%28%C3%A9%29%21%2A%27&b=a+b%2Bc&sb=',
    )
  })

  it('read back as they were', () => {
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
  ])('of status %d is called %s', (status, error) => {
    expect(describeError(new ApiError(status, 'the_code', 'The text'))).toEqual({
      ...(error === undefined ? {} : { error }),
      error_code: 'the_code',
      error_description: 'The text',
    })
  })

  const error = { error: 'x' }

  it('goes where it belongs, and the target keeps its query but not its fragment', () => {
    expect(withErrorFragment('https://a.example/p?q=1#old', error)).toBe(
      'https://a.example/p?q=1#error=x&sb=',
    )
    expect(withErrorQuery('https://a.example/p', error)).toBe('https://a.example/p?error=x')
    expect(withErrorQuery('https://a.example/p?q=1', error)).toBe('https://a.example/p?q=1&error=x')
    expect(withErrorEverywhere('https://a.example/p', error)).toBe('https://a.example/p?error=x#error=x&sb=')
  })
})
