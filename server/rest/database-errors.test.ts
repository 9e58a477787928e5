import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../db/request-scope.ts'
import { fromDatabaseError } from './database-errors.ts'

const anonymous: Caller = { role: 'anon', claims: '{}' }
const signedIn: Caller = { role: 'authenticated', claims: '{}' }
const SECRET = 'for my brother, who drinks'

function databaseError(code: string, message = 'message', detail?: string): DatabaseError {
  const error = new DatabaseError(message, 0, 'error')
  error.code = code
  if (detail !== undefined) error.detail = detail
  return error
}

describe('errors of the database', () => {
  it.each([
    ['23001', 409],
    ['23503', 409],
    ['23505', 409],
    ['23502', 400],
    ['23514', 400],
    ['22P02', 400],
    ['22001', 400],
    ['42703', 400],
    ['42P01', 404],
    ['42883', 404],
    ['40P01', 500],
    ['53200', 503],
    ['54001', 400],
    ['P0001', 400],
    ['P0002', 500],
    ['PT418', 418],
    ['PT999', 500],
  ])('%s is %i, with its code, message and details', (code, status) => {
    expect(fromDatabaseError(databaseError(code, 'message', 'detail'), signedIn)).toMatchObject({
      status,
      code,
      message: 'message',
      details: 'detail',
      hint: null,
    })
  })

  it('about privileges are 401 for an anonymous caller and 403 for a signed-in one', () => {
    expect(fromDatabaseError(databaseError('42501'), anonymous)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
    })
    expect(fromDatabaseError(databaseError('42501'), signedIn)).toMatchObject({ status: 403, headers: {} })
  })

  it('about a result that is not a single row are PGRST116', () => {
    const error = databaseError(
      'PT406',
      'Cannot coerce the result to a single JSON object',
      'The result contains 2 rows',
    )
    expect(fromDatabaseError(error, signedIn)).toMatchObject({
      status: 406,
      code: 'PGRST116',
      details: 'The result contains 2 rows',
    })
  })

  it('that choose their response as in PostgREST are sent with its status, headers and body', () => {
    const message = JSON.stringify({ code: 'PT429', message: 'Too much', hint: 'Wait' })
    const detail = JSON.stringify({ status: 429, headers: { 'Retry-After': '60' } })
    expect(fromDatabaseError(databaseError('PGRST', message, detail), signedIn)).toMatchObject({
      status: 429,
      code: 'PT429',
      message: 'Too much',
      details: null,
      hint: 'Wait',
      headers: { 'Retry-After': '60' },
    })
  })

  it.each([
    ['Too much', '{"status":429,"headers":{}}'],
    ['{"code":"PT429"}', '{"status":429,"headers":{}}'],
    ['{"code":"PT429","message":"Too much"}', undefined],
    ['{"code":"PT429","message":"Too much"}', '{"status":9000,"headers":{}}'],
  ])('that choose their response by invalid JSON are PGRST121: %s, %s', (message, detail) => {
    expect(fromDatabaseError(databaseError('PGRST', message, detail), signedIn)).toMatchObject({
      status: 500,
      code: 'PGRST121',
    })
  })

  it.each(['XX000', 'XX001', 'XX002', '58P01'])(
    'of class %s tell the client nothing but their code',
    (code) => {
      const message = 'invalid page in block 0 of relation "base/5/16402"'
      const error = fromDatabaseError(databaseError(code, message, 'detail'), signedIn)
      expect(error).toMatchObject({
        status: 500,
        code,
        message: 'Internal server error',
        details: null,
        hint: null,
        cause: expect.objectContaining({ message: expect.stringContaining(message) }),
      })
    },
  )

  it.each(['23514', 'P0002', '22P02'])('with code %s are logged without user data', (code) => {
    const error = databaseError(code, `invalid: ${SECRET}`, `Failing row contains (${SECRET})`)
    error.where = SECRET
    const apiError = fromDatabaseError(error, signedIn)
    expect(apiError?.details).toContain(SECRET)
    const cause: unknown = apiError?.cause
    expect(cause).toBeInstanceOf(Error)
    const logged = cause instanceof Error ? [cause.message, cause.stack, JSON.stringify(cause)].join() : ''
    expect(logged).toContain(code)
    expect(logged).not.toContain(SECRET)
  })
})

describe('a database outage', () => {
  it.each([
    [
      'PGRST000',
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    ],
    ['PGRST000', new Error('Connection terminated unexpectedly')],
    ['PGRST000', databaseError('57P01', 'terminating connection due to administrator command')],
    ['PGRST000', databaseError('53300', 'sorry, too many clients already')],
    ['PGRST000', databaseError('28P01', 'password authentication failed')],
    ['PGRST003', new Error('timeout exceeded when trying to connect')],
    ['57014', databaseError('57014', 'canceling statement due to statement timeout')],
    ['57014', databaseError('55P03', 'canceling statement due to lock timeout')],
    ['57014', new Error('Query read timeout')],
    ['53100', databaseError('53100', 'could not extend file "base/5/2619": No space left on device')],
    ['58030', databaseError('58030', 'could not write to file "base/5/2619": Input/output error')],
    ['58030', databaseError('42501', 'could not open file "base/5/2619": Read-only file system')],
    ['25006', databaseError('25006', 'cannot execute INSERT in a read-only transaction')],
  ])('is 503 with code %s: %s', (code, error) => {
    const apiError = fromDatabaseError(error, signedIn)
    expect(apiError).toMatchObject({ status: 503, code, details: null })
    expect(apiError?.message).not.toContain(error.message)
  })
})

it.each([new TypeError("reading 'connection'"), new Error('a bug of ours'), 'text', null])(
  'does not translate an error that is not about the database: %s',
  (error) => {
    expect(fromDatabaseError(error, signedIn)).toBeNull()
  },
)
