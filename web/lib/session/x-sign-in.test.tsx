import { describe, expect, it } from 'vitest'
import { isXNotOffered, readErrorResponse } from './x-sign-in.ts'

describe('an error response to the authorize request', () => {
  it('is read in both shapes of the protocol', () => {
    const error = { status: 429, code: 'over_request_rate_limit', message: 'Request rate limit reached' }
    const { code, message } = error
    expect(readErrorResponse(429, { code: 429, error_code: code, msg: message })).toEqual(error)
    expect(readErrorResponse(429, { code, message })).toEqual(error)
  })

  it.each([null, 'text', [], {}, { msg: 5, code: 500 }])('has no message when it is %j', (body) => {
    expect(readErrorResponse(502, body)).toEqual({ status: 502, code: '', message: '' })
  })

  it.each([
    [true, 400, 'Unsupported provider: provider is not enabled'],
    [true, 400, 'Unsupported provider: Provider x could not be found'],
    [false, 400, 'Something else'],
    [false, 500, 'Unsupported provider'],
  ])('means that X is not offered: %s for %i %s', (notOffered, status, message) => {
    expect(isXNotOffered({ status, code: '', message })).toBe(notOffered)
  })
})
