import { Query, type Connection, type FieldDef, type QueryResult, type QueryResultRow } from 'pg'
import conversions from 'pg/lib/utils.js'
import { forgetOn, type PreparedStatement, prepareOn } from './prepared-statements.ts'
import type { Caller, Statement } from './request-scope.ts'

/** Sets both and gives no row: neither text is null. */
const CONFINE =
  "select where set_config('role', $1, true) || set_config('request.jwt.claims', $2, true) is null"

/**
 * Two statements behind one Sync: the first confines the session to the caller, the second is the caller's own.
 *
 * Everything up to a Sync is one transaction to PostgreSQL ("implicit transaction block" in the documentation of its
 * message flow): it commits at the Sync, or not at all. When the first statement fails, the server discards every
 * message up to the Sync. So the caller's statement can't run unconfined, whatever goes wrong before it; with BEGIN
 * and COMMIT as messages of their own it could, for instance when a timeout hits BEGIN.
 *
 * The server describes the rows of a prepared statement once to each connection, not with every execution.
 */
export class ConfinedQuery<Row extends QueryResultRow> extends Query<Row> {
  override submit: (connection: Connection) => void
  #prepared: readonly PreparedStatement[] = []
  /** Which of the statements the server is answering. */
  #current = 0
  /** Whether the driver knows the columns of its rows. */
  #isDescribed = false

  constructor(caller: Caller, statement: Statement, settle: Settle<Row>) {
    const steps: BoundStatement[] = [
      bound({ name: 'confine', text: CONFINE, values: [caller.role, caller.claims] }),
      bound(statement),
    ]
    let connection: Connection | undefined
    super({ text: statement.text }, (error, results: QueryResult<Row> | QueryResult<Row>[]) => {
      // The driver calls back with an empty error when all went well.
      if (!error) return settle(null, Array.isArray(results) ? results.at(-1) : results)
      if (connection !== undefined) forgetOn(connection, this.#prepared)
      settle(error)
    })
    this.submit = (on) => {
      connection = on
      this.#prepared = send(on, steps)
    }
  }

  override handleRowDescription(message: { fields: readonly FieldDef[] }): void {
    const prepared = this.#prepared[this.#current]
    if (prepared !== undefined) prepared.columns = message.fields
    this.#isDescribed = true
    super.handleRowDescription(message)
  }

  override handleDataRow(message: object): void {
    this.#recallColumns()
    super.handleDataRow(message)
  }

  override handleCommandComplete(message: object, connection: Connection): void {
    this.#recallColumns()
    super.handleCommandComplete(message, connection)
    this.#current += 1
    this.#isDescribed = false
  }

  #recallColumns(): void {
    if (this.#isDescribed) return
    const columns = this.#prepared[this.#current]?.columns ?? null
    if (columns !== null) this.handleRowDescription({ fields: columns })
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

/** Writes all messages at once and returns the statements as the connection knows them. */
function send(connection: Connection, steps: readonly BoundStatement[]): PreparedStatement[] {
  connection.stream.cork()
  try {
    return steps.map((step) => {
      const prepared = prepareOn(connection, step)
      connection.bind({ statement: prepared.name, values: step.values }, true)
      if (prepared.columns === null) connection.describe({ type: 'P', name: '' }, true)
      connection.execute({}, true)
      return prepared
    })
  } finally {
    connection.sync()
    connection.stream.uncork()
  }
}
