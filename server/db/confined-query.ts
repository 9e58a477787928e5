import { Query, type Connection, type QueryResult, type QueryResultRow } from 'pg'
import conversions from 'pg/lib/utils.js'
import { forgetOn, prepareOn } from './prepared-statements.ts'
import type { Caller, Statement } from './request-scope.ts'

const CONFINE = "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)"

/**
 * Two statements behind one Sync: the first confines the session to the caller, the second is the caller's own.
 *
 * Everything up to a Sync is one transaction to PostgreSQL ("implicit transaction block" in the documentation of its
 * message flow): it commits at the Sync, or not at all. When the first statement fails, the server discards every
 * message up to the Sync. So the caller's statement can't run unconfined, whatever goes wrong before it; with BEGIN
 * and COMMIT as messages of their own it could, for instance when a timeout hits BEGIN.
 */
export class ConfinedQuery<Row extends QueryResultRow> extends Query<Row> {
  override submit: (connection: Connection) => void

  constructor(caller: Caller, statement: Statement, settle: Settle<Row>) {
    const steps: BoundStatement[] = [
      bound({ name: 'confine', text: CONFINE, values: [caller.role, caller.claims] }),
      bound(statement),
    ]
    const names: string[] = []
    let connection: Connection | undefined
    super({ text: statement.text }, (error, results: QueryResult<Row> | QueryResult<Row>[]) => {
      // The driver calls back with an empty error when all went well.
      if (!error) return settle(null, Array.isArray(results) ? results.at(-1) : results)
      if (connection !== undefined) forgetOn(connection, names)
      settle(error)
    })
    this.submit = (on) => {
      connection = on
      names.push(...send(on, steps))
    }
  }
}

export type Settle<Row extends QueryResultRow> = (error: Error | null, result?: QueryResult<Row>) => void

interface BoundStatement extends Statement {
  values: (string | Buffer | null)[]
}

/** Converted before anything is sent: a value that can't be converted must not leave half a message behind. */
function bound(statement: Statement): BoundStatement {
  return { ...statement, values: statement.values.map((value) => conversions.prepareValue(value)) }
}

/** Writes all messages at once and returns the names under which the statements are prepared. */
function send(connection: Connection, steps: readonly BoundStatement[]): string[] {
  connection.stream.cork()
  try {
    return steps.map((step) => {
      const name = prepareOn(connection, step)
      connection.bind({ statement: name, values: step.values }, true)
      connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
      return name
    })
  } finally {
    connection.sync()
    connection.stream.uncork()
  }
}
