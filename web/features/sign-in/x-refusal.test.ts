import { describe, expect, it } from 'vitest'
import { isNotOffered, readXRefusal } from './x-refusal.ts'

describe('an answer that does not lead to X', () => {
  it('is read in both shapes of the protocol', () => {
    const refusal = { status: 429, code: 'over_request_rate_limit', message: 'Request rate limit reached' }
    const { code, message } = refusal
    expect(readXRefusal(429, { code: 429, error_code: code, msg: message })).toEqual(refusal)
    expect(readXRefusal(429, { code, message })).toEqual(refusal)
  })

  it.each([null, 'text', [], {}, { msg: 5, code: 500 }])('says nothing when it is %j', (answer) => {
    expect(readXRefusal(502, answer)).toEqual({ status: 502, code: '', message: '' })
  })

  it.each([
    [true, 400, 'Unsupported provider: provider is not enabled'],
    [true, 400, 'Unsupported provider: Provider x could not be found'],
    [false, 400, 'Something else'],
    [false, 500, 'Unsupported provider'],
  ])('means that X is not offered: %s for %i %s', (notOffered, status, message) => {
    expect(isNotOffered({ status, code: '', message })).toBe(notOffered)
  })
})
