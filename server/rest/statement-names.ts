import { createHash } from 'node:crypto'
import type { Statement } from '../db/request-scope.ts'
import { render, type Sql } from './sql-fragment.ts'

/** Turns SQL into a prepared statement: the same text has the same name, so its plan is made once a connection. */
export function toStatement(fragment: Sql): Statement {
  const { text, values } = render(fragment)
  return { name: createHash('sha1').update(text).digest('base64url'), text, values }
}
