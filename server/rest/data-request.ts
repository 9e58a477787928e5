import type { IncomingHttpHeaders } from 'node:http'
import type { Pool } from 'pg'
import { type Caller, runAs } from '../db/request-scope.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { fromDatabaseError } from './database-errors.ts'
import { type AnswerFormat, chooseFormat } from './media-type.ts'
import { parsePrefer, type Preferences } from './parse-prefer.ts'
import type { Parameter } from './query-string.ts'
import { unknownTable } from './refusals.ts'
import type { Sql } from './sql-fragment.ts'
import { toStatement } from './statement-names.ts'

/** What answers data requests: the database, and what is known of it. */
export interface DataSource {
  pool: Pool
  catalogue: Catalogue
}

/** A request for data, its caller known and the parts that all requests share read. */
export interface DataRequest {
  method: string
  /** Name of the table or function, as sent. */
  resource: string
  parameters: readonly Parameter[]
  headers: IncomingHttpHeaders
  body: Buffer | undefined
  caller: Caller
  preferences: Preferences
  format: AnswerFormat
  /** Did the request name the schema? The answer then names it too. */
  namesProfile: boolean
}

/** Reads the parts that all requests share. Throws PGRST107 and PGRST122. */
export function readHeaders(headers: IncomingHttpHeaders): Pick<DataRequest, 'preferences' | 'format'> {
  const prefer = headers['prefer']
  return {
    preferences: parsePrefer(Array.isArray(prefer) ? prefer.join(',') : prefer),
    format: chooseFormat(headers.accept),
  }
}

/** Finds the table a request is about. Throws PGRST205. */
export function findTable(catalogue: Catalogue, name: string): Table {
  const table = catalogue.table(name)
  if (table === null) throw unknownTable(name)
  return table
}

/** A statement and what it was made from. */
export interface Prepared<Plan> {
  plan: Plan
  statement: Sql
}

/** The one row that a statement gave, and what the statement was made from. */
export interface Executed<Row, Plan> {
  plan: Plan
  row: Row
}

/** Refusals that may only mean that the database has changed since its catalogue was read. */
const UNKNOWN_NAME: ReadonlySet<string> = new Set([
  '42703',
  '42883',
  '42P01',
  'PGRST202',
  'PGRST204',
  'PGRST205',
])

/**
 * Prepares a statement, runs it as the caller and gives its one row. When it is refused for a name that is not
 * known, here or by the database, the catalogue is read again and everything tried once more; a refused statement
 * has changed nothing. Throws ApiError for whatever the database refuses.
 */
export async function execute<Row extends object, Plan>(
  source: DataSource,
  caller: Caller,
  prepare: (catalogue: Catalogue) => Prepared<Plan>,
): Promise<Executed<Row, Plan>> {
  try {
    return await executeOnce(source, caller, prepare)
  } catch (error) {
    if (!(error instanceof ApiError) || !UNKNOWN_NAME.has(error.code)) throw error
    const isNewer = await withMappedErrors(caller, () => source.catalogue.refresh())
    if (!isNewer) throw error
    return await executeOnce(source, caller, prepare)
  }
}

async function executeOnce<Row extends object, Plan>(
  source: DataSource,
  caller: Caller,
  prepare: (catalogue: Catalogue) => Prepared<Plan>,
): Promise<Executed<Row, Plan>> {
  const { plan, statement } = prepare(source.catalogue)
  const { rows } = await withMappedErrors(caller, () =>
    runAs<Row>(source.pool, caller, toStatement(statement)),
  )
  const [row] = rows
  if (row === undefined) throw new Error('the statement of a data request gave no row')
  return { plan, row }
}

async function withMappedErrors<Value>(caller: Caller, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw fromDatabaseError(error, caller) ?? error
  }
}
