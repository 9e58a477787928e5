import { describe, expect, it } from 'vitest'
import { callbackFailure } from './callback-failure.ts'

describe('a return without a session', () => {
  it('asks for an e-mail address when X has none', () => {
    expect(callbackFailure('Error getting user email from external provider', null).message).toBe(
      'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.',
    )
  })

  it('asks to try again, with what the other service said', () => {
    expect(callbackFailure('The person said no', null)).toEqual({
      message: 'Authentication failed. Please try again.',
      detail: 'The person said no',
    })
  })

  it('says what went wrong here', () => {
    expect(callbackFailure(null, 'Failed to initialize auth').message).toBe('Failed to initialize auth')
  })
})
