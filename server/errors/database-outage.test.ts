import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { outageOf } from './database-outage.ts'

const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
const NO_SPACE = Object.assign(new Error('ENOSPC: no space left on device'), {
  code: 'ENOSPC',
  syscall: 'open',
  path: '/outbox/1.eml',
})

it('reports a host with several addresses as unreachable only when connecting to all of them failed', () => {
  expect(outageOf(new AggregateError([REFUSED, REFUSED]))).toMatchObject({ code: 'PGRST000' })
  expect(outageOf(new AggregateError([REFUSED, new Error('a bug of ours')]))).toBeNull()
  expect(outageOf(new AggregateError([]))).toBeNull()
})

it('does not mistake a failed file write or a failed listen for a database outage', () => {
  expect(outageOf(NO_SPACE)).toBeNull()
  expect(outageOf(Object.assign(new Error('listen EAFNOSUPPORT'), { syscall: 'listen' }))).toBeNull()
})

it('takes a PANIC for a database that cannot be reached, because PostgreSQL exits, and its code alone for a fault', () => {
  const error = Object.assign(new DatabaseError('could not write to file "pg_wal"', 0, 'error'), {
    code: 'XX000',
  })
  expect(outageOf(Object.assign(error, { severity: 'ERROR' }))).toBeNull()
  expect(outageOf(Object.assign(error, { severity: 'PANIC' }))).toMatchObject({ code: 'PGRST000' })
})
