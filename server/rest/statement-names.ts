import { createHash } from 'node:crypto'
import type { Statement } from '../db/request-scope.ts'
import { render, type Sql } from './sql-fragment.ts'

/** Callers choose what is filtered and ordered by, so there is no end of shapes; the app itself has about a dozen. */
const KNOWN_NAMES = 500
const names = new Map<string, string>()

/** Turns SQL into a prepared statement: the same text has the same name, so its plan is made once a connection. */
export function toStatement(fragment: Sql): Statement {
  const { text, values } = render(fragment)
  return { name: nameOf(text), text, values }
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha1').update(text).digest('base64url')
  if (names.size >= KNOWN_NAMES) names.clear()
  names.set(text, name)
  return name
}
