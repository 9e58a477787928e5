import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { leavesConnectionUsable } from './connection-health.ts'

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('message', 10, 'error')
  error.code = code
  return error
}

it.each(['23505', '42501', '57014', '22P02', 'P0001', 'PT406', '40P01'])(
  'a statement that failed with %s leaves its connection usable',
  (code) => {
    expect(leavesConnectionUsable(databaseError(code))).toBe(true)
  },
)

it.each(['25006', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '08006', '08P01'])(
  'after %s a connection is of no more use',
  (code) => {
    expect(leavesConnectionUsable(databaseError(code))).toBe(false)
  },
)

it('an error that the database did not send is one of the connection', () => {
  expect(leavesConnectionUsable(new Error('Connection terminated unexpectedly'))).toBe(false)
})
