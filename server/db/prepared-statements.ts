import type { Connection } from 'pg'
import type { Statement } from './request-scope.ts'

/** More differently shaped requests than this on one connection, and the one longest unused is let go. */
const STATEMENTS_PER_CONNECTION = 200
/** Keeps these names apart from those of statements that other code prepares on the same connection. */
const PREFIX = 'scope:'

const preparedOn = new WeakMap<Connection, Map<string, string>>()

/**
 * Sends what is needed for `statement` to be bound under the returned name: nothing when the connection knows it
 * already, else Parse. An unnamed statement is parsed each time.
 */
export function prepareOn(connection: Connection, statement: Statement): string {
  if (statement.name === undefined) {
    connection.parse({ name: '', text: statement.text, types: [] }, true)
    return ''
  }
  const name = PREFIX + statement.name
  const prepared = statementsOf(connection)
  if (prepared.get(name) !== statement.text) {
    // Closing a name the server does not know is no error, so no bookkeeping is needed after a failed Parse.
    connection.close({ type: 'S', name }, true)
    connection.parse({ name, text: statement.text, types: [] }, true)
  }
  // Set anew so that the map stays ordered by last use.
  prepared.delete(name)
  prepared.set(name, statement.text)
  closeLeastUsed(connection, prepared)
  return name
}

/** After a failure nobody knows how far the server came: these are parsed anew the next time. */
export function forgetOn(connection: Connection, names: readonly string[]): void {
  for (const name of names) statementsOf(connection).delete(name)
}

function statementsOf(connection: Connection): Map<string, string> {
  const known = preparedOn.get(connection)
  if (known !== undefined) return known
  const fresh = new Map<string, string>()
  preparedOn.set(connection, fresh)
  return fresh
}

function closeLeastUsed(connection: Connection, prepared: Map<string, string>): void {
  if (prepared.size <= STATEMENTS_PER_CONNECTION) return
  const [oldest] = prepared.keys()
  if (oldest === undefined) return
  prepared.delete(oldest)
  connection.close({ type: 'S', name: oldest }, true)
}
