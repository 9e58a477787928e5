import {
  AuthApiError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthUnknownError,
} from '@supabase/auth-js'
import { PostgrestError } from '@supabase/postgrest-js'
import { describe, expect, it, vi } from 'vitest'
import { type Attempt, errorText, Refusal, reportFailure } from './error-text.ts'

const answer = (code: string, message: string) =>
  new PostgrestError({ code, message, details: 'Failing row contains (secret)', hint: '' })

describe('the text for a failure', () => {
  it.each([
    new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'),
    new AuthSessionMissingError(),
    answer('23514', 'violates check constraint'),
    { code: '42501', message: 'not allowed', details: '', hint: null },
    new Refusal('Prayer not found'),
  ])('is what was said about the request: $message', (failure) => {
    expect(errorText('add prayer', failure)).toBe(failure.message)
  })

  it.each([
    new AuthRetryableFetchError('Failed to fetch', 0),
    new AuthRetryableFetchError('Unexpected failure, please check server logs', 500),
    new AuthUnknownError('Unexpected token <', new SyntaxError('<')),
    new TypeError('Failed to fetch'),
    answer('', 'TypeError: Failed to fetch'),
    answer('53300', 'sorry, too many clients already'),
    answer('23505', ''),
    'a string',
    undefined,
  ])('is the fallback where nobody said why: %s', (failure) => {
    expect(errorText('add prayer', failure)).toBe('Failed to add prayer')
  })
})

const FALLBACKS: [Attempt, string][] = [
  ['initialise', 'Failed to initialize auth'],
  ['sign up', 'Failed to sign up'],
  ['sign in', 'Failed to sign in'],
  ['sign out', 'Failed to sign out'],
  ['sign in with X', 'Failed to sign in with Twitter'],
  ['send reset mail', 'Failed to send reset password email'],
  ['set session', 'Failed to set session'],
  ['update password', 'Failed to update password'],
  ['fetch prayers', 'Failed to fetch prayers'],
  ['add prayer', 'Failed to add prayer'],
  ['update prayer', 'Failed to update prayer'],
  ['delete prayer', 'Failed to delete prayer'],
  ['fetch categories', 'Failed to fetch categories'],
  ['add category', 'Failed to add category'],
  ['update category', 'Failed to update category'],
  ['delete category', 'Failed to delete category'],
  ['reorder categories', 'Failed to reorder categories'],
  ['export your data', 'Failed to export your data'],
  ['import', 'Failed to import'],
  ['delete your account', 'Failed to delete your account'],
]

it.each(FALLBACKS)('to %s that fails without a word says "%s"', (attempt, words) => {
  expect(errorText(attempt, undefined)).toBe(words)
})

it('tells the console what failed, and never the details of a row', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  expect(reportFailure('add prayer', answer('23514', 'too long'))).toBe('too long')
  expect(log.mock.calls).toEqual([['Failed to add prayer: too long, 23514']])
})
