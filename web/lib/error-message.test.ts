import {
  AuthApiError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthUnknownError,
} from '@supabase/auth-js'
import { PostgrestError } from '@supabase/postgrest-js'
import { describe, expect, it, vi } from 'vitest'
import { causeOf, errorMessage, reportError, UserError } from './error-message.ts'

const databaseError = (code: string, message: string) =>
  new PostgrestError({ code, message, details: 'Failing row contains (secret)', hint: '' })

describe('the message for a failure', () => {
  it.each([
    new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'),
    new AuthSessionMissingError(),
    databaseError('23514', 'violates check constraint'),
    { code: '42501', message: 'not allowed', details: '', hint: null },
    new UserError('Prayer not found'),
  ])('is the message of a rejected request: $message', (failure) => {
    expect(errorMessage('add prayer', failure)).toBe(failure.message)
  })

  it.each([
    new AuthRetryableFetchError('Failed to fetch', 0),
    new AuthRetryableFetchError('Unexpected failure, please check server logs', 500),
    new AuthUnknownError('Unexpected token <', new SyntaxError('<')),
    new TypeError('Failed to fetch'),
    databaseError('', 'TypeError: Failed to fetch'),
    databaseError('53300', 'sorry, too many clients already'),
    databaseError('XX000', 'unexpected error'),
    databaseError('23505', ''),
    'a string',
    undefined,
  ])('names the operation when there is no such message: %s', (failure) => {
    expect(errorMessage('add prayer', failure)).toBe('Failed to add prayer')
  })

  // Every other operation fails in another test.
  it.each(['set session', 'delete your account'] as const)('names the operation “%s”', (operation) => {
    expect(errorMessage(operation, undefined)).toBe(`Failed to ${operation}`)
  })
})

it.each([
  ['request', ['22001', '23505', '42501', 'P0001', 'PT422']],
  ['passing', ['08006', '40001', '53300', '55P03', '57014']],
  ['fault', ['54000', '58030', 'XX000']],
  [null, ['', '42P01', 'PGRST116', 'weak_password', '500']],
] as const)('the cause of a database error is “%s” for %j', (cause, codes) => {
  expect(codes.map(causeOf)).toEqual(codes.map(() => cause))
})

it('logs what failed, but never the details of a row', () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  expect(reportError('add prayer', databaseError('23514', 'too long'))).toBe('too long')
  expect(log.mock.calls).toEqual([['Failed to add prayer: too long, 23514']])
})
