import type { IncomingHttpHeaders } from 'node:http'
import { DatabaseError, type Pool } from 'pg'
import { type Caller, runAs } from '../db/request-scope.ts'
import { ApiError } from '../errors/api-error.ts'
import { outageOf } from '../errors/database-outage.ts'
import { fromDatabaseError } from './database-errors.ts'
import { unknownTable } from './errors.ts'
import type { RequestOptions } from './headers.ts'
import type { QueryParameter } from './parse-query.ts'
import type { SchemaCache, Table } from './schema-cache.ts'
import { render, type Sql } from './sql.ts'

/** The database, and what is cached of its schema. */
export interface DataSource {
  /** Data connections, see `createDataPool`. */
  pool: Pool
  schema: SchemaCache
}

/** A request on a table or function, with its caller identified and its headers parsed. */
export interface DataRequest extends RequestOptions {
  method: string
  /** Name of the table or function, as sent. */
  resource: string
  parameters: readonly QueryParameter[]
  headers: IncomingHttpHeaders
  body: Buffer | undefined
  caller: Caller
}

/** A response without a body has no content type either. */
export interface DataResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
}

/** Throws PGRST205 for an unknown table. */
export function findTable(schema: SchemaCache, name: string): Table {
  const table = schema.table(name)
  if (table === null) throw unknownTable(name)
  return table
}

/** What a request that may write has sent. */
export interface SentChanges {
  /** The length of its body. */
  bytes: number
  /** Which rows it can write: those in its body, one with a given key, or all of the account. */
  rows: 'sent' | 'one' | 'all'
}

/** A statement that returns one row, and the plan it was written from. */
interface PlannedStatement<Plan> {
  plan: Plan
  statement: Sql
  /** See `Statement`. */
  timeout?: number | null
  writes?: SentChanges | null
}

interface ExecutedStatement<Row, Plan> {
  plan: Plan
  row: Row
}

/** Codes of errors that may be due to an outdated schema cache. */
const OUTDATED_CACHE: ReadonlySet<string> = new Set([
  '42703',
  '42725',
  '42883',
  '42P01',
  'PGRST202',
  'PGRST204',
  'PGRST205',
])

/**
 * Plans a statement, runs it as the caller and resolves to its row. If planning or running it fails because of a
 * name that is unknown or ambiguous, refreshes the schema cache and tries once more; a failed statement has changed nothing.
 * Rejects with an `ApiError`.
 */
export async function execute<Row extends object, Plan>(
  source: DataSource,
  caller: Caller,
  plan: (schema: SchemaCache) => PlannedStatement<Plan>,
): Promise<ExecutedStatement<Row, Plan>> {
  try {
    return await executeOnce(source, caller, plan)
  } catch (error) {
    if (!(error instanceof ApiError) || !OUTDATED_CACHE.has(error.code)) throw error
    const isRefreshed = await withApiErrors(caller, () => source.schema.refresh())
    if (!isRefreshed) throw error
    return await executeOnce(source, caller, plan)
  }
}

async function executeOnce<Row extends object, Plan>(
  source: DataSource,
  caller: Caller,
  plan: (schema: SchemaCache) => PlannedStatement<Plan>,
): Promise<ExecutedStatement<Row, Plan>> {
  const { plan: planned, statement, timeout = null, writes = null } = plan(source.schema)
  const { rows } = await withApiErrors(caller, async () => {
    try {
      return await runAs<Row>(source.pool, caller, { ...render(statement), timeout })
    } catch (error) {
      if (writes && mayHaveWritten(error)) await countFailedWrite(source, caller, writes)
      throw error
    }
  })
  const [row] = rows
  if (row === undefined) throw new Error('The statement of a data request returned no row.')
  return { plan: planned, row }
}

/** Before the first row is written: the session has ended, the hour is used up, or another request of the account holds the lock. */
const NOT_WRITTEN: ReadonlySet<string> = new Set(['PT401', 'PGRST', '55P03'])
/** The database's code for a statement that took too long. */
const TIMED_OUT = '57014'

/** Whether a statement with this error can have written rows before it failed. They stay on the disk until PostgreSQL removes them. */
function mayHaveWritten(error: unknown): boolean {
  const isFromStatement = error instanceof DatabaseError
  if (isFromStatement && NOT_WRITTEN.has(error.code ?? '')) return false
  const outage = outageOf(error)
  return outage === null ? isFromStatement : outage.code === TIMED_OUT
}

/**
 * Rows that were sent count as twenty times their bytes. A row that exists has texts besides those that were sent, which are copied with it,
 * or into an update when a prayer is reopened: 56 kB at most, sealed.
 */
const ONE_ROW_BYTES = 3000

/** Counts a failed statement towards what its account may write in an hour: the database's own count was rolled back. */
async function countFailedWrite(
  source: DataSource,
  caller: Caller,
  { bytes, rows }: SentChanges,
): Promise<void> {
  if (caller.role !== 'authenticated') return
  const values = [rows === 'one' ? bytes + ONE_ROW_BYTES : bytes, rows !== 'all']
  const statement = { text: 'select private.count_failed_write($1, $2)', values }
  // If the database has become unavailable, the response is still the error of the request.
  await runAs(source.pool, caller, statement).catch(() => {})
}

async function withApiErrors<Value>(caller: Caller, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw fromDatabaseError(error, caller) ?? error
  }
}
