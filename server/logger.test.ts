import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { describeError } from './logger.ts'

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('invalid input: "for Maria, who is ill"', 100, 'error')
  error.code = code
  error.detail = 'Failing row contains (for Maria, who is ill).'
  error.where = 'for Maria, who is ill'
  error.routine = 'ExecConstraints'
  error.table = 'prayers'
  return error
}

describe('an error in the log', () => {
  it.each(['23514', '22P02', '22001'])(
    'of SQLSTATE %s names the table, but hides what the user typed',
    (code) => {
      const described = JSON.stringify(describeError(databaseError(code)))
      expect(described).not.toContain('Maria')
      expect(described).toContain(`"code":"${code}"`)
      expect(described).toContain('"table":"prayers"')
    },
  )

  it('about the state of the database keeps its message, but not its details', () => {
    const error = databaseError('57014')
    error.message = 'canceling statement due to statement timeout'
    const described = JSON.stringify(describeError(error))
    expect(described).toContain('canceling statement due to statement timeout')
    expect(described).not.toContain('Maria')
  })

  it('that is not from PostgreSQL keeps its message and stack', () => {
    expect(describeError(new TypeError('no such thing'))).toMatchObject({
      type: 'TypeError',
      message: 'no such thing',
      stack: expect.stringContaining('logger.test.ts'),
    })
  })

  it('includes its cause, with the same rules', () => {
    const described = JSON.stringify(describeError(new Error('failed', { cause: databaseError('23514') })))
    expect(described).toContain('"table":"prayers"')
    expect(described).not.toContain('Maria')
  })

  it('includes no other properties', () => {
    const error = Object.assign(new Error('parse error'), { code: 'HPE', rawPacket: 'for Maria, who is ill' })
    expect(JSON.stringify(describeError(error))).not.toContain('Maria')
    expect(describeError(error)).toMatchObject({ code: 'HPE' })
  })

  it('that is not an Error object is logged as text', () => {
    expect(describeError('odd')).toEqual({ message: 'odd' })
  })
})
