import { expect, it } from 'vitest'
import { troubleOf } from './database-trouble.ts'

const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
const NO_ROOM = Object.assign(new Error('ENOSPC: no space left on device'), {
  code: 'ENOSPC',
  syscall: 'open',
  path: '/outbox/1.eml',
})

it('a host with several addresses can not be reached when none of them can', () => {
  expect(troubleOf(new AggregateError([REFUSED, REFUSED]))).toMatchObject({ code: 'PGRST000' })
  expect(troubleOf(new AggregateError([REFUSED, new Error('a slip of ours')]))).toBeNull()
  expect(troubleOf(new AggregateError([]))).toBeNull()
})

it('a file that can not be written, and a port that can not be listened on, are none of the database', () => {
  expect(troubleOf(NO_ROOM)).toBeNull()
  expect(troubleOf(Object.assign(new Error('listen EAFNOSUPPORT'), { syscall: 'listen' }))).toBeNull()
})
