import type { Connection, FieldDef } from 'pg'
import type { Statement } from './request-scope.ts'

/** A statement as a connection knows it. */
export interface PreparedStatement {
  /** Empty for a statement without a name, which is parsed each time. */
  readonly name: string
  readonly text: string
  /** The columns of its rows; null until the server has described them. */
  columns: readonly FieldDef[] | null
}

/** More differently shaped requests than this on one connection, and the one longest unused is let go. */
const STATEMENTS_PER_CONNECTION = 200
/** Keeps these names apart from those of statements that other code prepares on the same connection. */
const PREFIX = 'scope:'

const preparedOn = new WeakMap<Connection, Map<string, PreparedStatement>>()

/**
 * Sends what is needed for `statement` to be bound under the returned name: nothing when the connection knows it
 * already, else Parse. An unnamed statement is parsed each time.
 */
export function prepareOn(connection: Connection, statement: Statement): PreparedStatement {
  const { text } = statement
  if (statement.name === undefined) {
    connection.parse({ name: '', text, types: [] }, true)
    return { name: '', text, columns: null }
  }
  const name = PREFIX + statement.name
  const statements = statementsOf(connection)
  let prepared = statements.get(name)
  if (prepared?.text !== text) {
    // Closing a name the server does not know is no error, so no bookkeeping is needed after a failed Parse.
    connection.close({ type: 'S', name }, true)
    connection.parse({ name, text, types: [] }, true)
    prepared = { name, text, columns: null }
  }
  // Set anew so that the map stays ordered by last use.
  statements.delete(name)
  statements.set(name, prepared)
  closeLeastUsed(connection, statements)
  return prepared
}

/** After a failure nobody knows how far the server came: these are parsed anew the next time. */
export function forgetOn(connection: Connection, prepared: readonly PreparedStatement[]): void {
  for (const { name } of prepared) statementsOf(connection).delete(name)
}

function statementsOf(connection: Connection): Map<string, PreparedStatement> {
  const known = preparedOn.get(connection)
  if (known !== undefined) return known
  const fresh = new Map<string, PreparedStatement>()
  preparedOn.set(connection, fresh)
  return fresh
}

function closeLeastUsed(connection: Connection, statements: Map<string, PreparedStatement>): void {
  if (statements.size <= STATEMENTS_PER_CONNECTION) return
  const [oldest] = statements.keys()
  if (oldest === undefined) return
  statements.delete(oldest)
  connection.close({ type: 'S', name: oldest }, true)
}
