import {
  Client,
  Pool,
  type ClientConfig,
  type PoolConfig,
  type QueryConfig,
  type QueryResult,
  type QueryResultRow,
  type Submittable,
} from 'pg'
import { withTransaction } from './transaction.ts'

/**
 * Connections through a pooler in transaction mode, such as PgBouncer, which may run each transaction on another connection of
 * PostgreSQL: nothing may depend on what an earlier one has set or prepared, or leave anything behind. A single statement
 * therefore gets a transaction of its own, in which the time limits hold.
 */
export class PoolerPool extends Pool {
  constructor(config: PoolConfig) {
    super({ ...config, Client: PoolerClient })
  }

  override query<Stream extends Submittable>(stream: Stream): Stream
  override query<Row extends QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown,
  ): Promise<QueryResult<Row>>
  override query(...given: unknown[]): unknown {
    return withTransaction(this, async (client) => {
      const result: unknown = await Reflect.apply(client.query.bind(client), undefined, given)
      return result
    })
  }
}

/**
 * Sets with each `begin` what other connections have from the start, because PgBouncer rejects such parameters. Statements lose
 * their names: PgBouncer before 1.21 has no prepared statements.
 */
class PoolerClient extends Client {
  readonly #begin: string

  constructor(config: ClientConfig = {}) {
    const { statement_timeout, lock_timeout, idle_in_transaction_session_timeout, ...others } = config
    super(others)
    this.#begin = `
      begin;
      set local timezone = 'UTC';
      set local statement_timeout = ${milliseconds(statement_timeout)};
      set local lock_timeout = ${milliseconds(lock_timeout)};
      set local idle_in_transaction_session_timeout = ${milliseconds(idle_in_transaction_session_timeout)}`
  }

  override query<Stream extends Submittable>(stream: Stream): Stream
  override query<Row extends QueryResultRow>(
    statement: string | QueryConfig,
    values?: unknown,
  ): Promise<QueryResult<Row>>
  override query(statement: unknown, ...others: unknown[]): unknown {
    const sent = statement === 'begin' ? this.#begin : withoutName(statement)
    const result: unknown = Reflect.apply(super.query.bind(this), undefined, [sent, ...others])
    return result
  }
}

/** 0 is no limit. */
function milliseconds(limit: number | false | undefined): string {
  return String(Number(limit ?? 0))
}

function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement
  return { ...statement, name: undefined }
}
