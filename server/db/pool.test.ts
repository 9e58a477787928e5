import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { leavesConnectionUsable } from './pool.ts'

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('message', 10, 'error')
  error.code = code
  return error
}

it.each(['23505', '42501', '57014', '22P02', 'P0001', 'PT406', '40P01'])(
  'keeps a connection after a statement failed with %s',
  (code) => {
    expect(leavesConnectionUsable(databaseError(code))).toBe(true)
  },
)

it.each(['25006', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '08006', '08P01'])(
  'discards a connection after %s',
  (code) => {
    expect(leavesConnectionUsable(databaseError(code))).toBe(false)
  },
)

it('discards a connection after an error that the database did not send', () => {
  expect(leavesConnectionUsable(new Error('Connection terminated unexpectedly'))).toBe(false)
})
