import type { Pool } from 'pg'
import type { Clock } from '../services.ts'
import { type ColumnRow, introspectSchema, type RoutineRow, type TableRow } from './schema-introspection.ts'
import { identifier, sql, type Sql, trusted } from './sql.ts'

export interface Column {
  readonly name: string
  /** The quoted name. */
  readonly identifier: Sql
  readonly type: Sql
  /** The column's default; null if it has none. */
  readonly default: Sql | null
}

/** A table or view. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  /** The quoted name with its schema. */
  readonly identifier: Sql
  readonly primaryKey: readonly Column[]
  /** Whether rows have the system column `xmax`. True for ordinary tables. */
  readonly hasRowVersions: boolean
}

export interface RoutineParameter {
  readonly name: string
  readonly identifier: Sql
  readonly type: Sql
  readonly isRequired: boolean
}

/** A function. */
export interface Routine {
  readonly identifier: Sql
  readonly isVolatile: boolean
  readonly parameters: ReadonlyMap<string, RoutineParameter>
  readonly returnsVoid: boolean
  /** The kind of function that it is, if that can't be called. */
  readonly unsupported: string | null
  /** Its setting `statement_timeout`, in milliseconds. As in PostgREST, the limit of calls. */
  readonly statementTimeout: number | null
}

interface Schema {
  tables: ReadonlyMap<string, Table>
  routines: ReadonlyMap<string, Routine>
}

const MIN_REFRESH_INTERVAL_MS = 1000

/**
 * The tables and functions of schema `public`, which are all that the API exposes, as of the last refresh. Requests
 * refresh it when they name something unknown, at most once a second, so that unknown names put no load on the database.
 */
export class SchemaCache {
  readonly #pool: Pool
  readonly #clock: Clock
  #schema: Schema
  #refreshedAt: number
  #refreshing: Promise<void> | null = null

  private constructor(pool: Pool, clock: Clock, schema: Schema) {
    this.#pool = pool
    this.#clock = clock
    this.#schema = schema
    this.#refreshedAt = clock.now().getTime()
  }

  static async load(pool: Pool, clock: Clock): Promise<SchemaCache> {
    return new SchemaCache(pool, clock, await readSchema(pool))
  }

  /** The table or view of that name; null if there is none. */
  table(name: string): Table | null {
    return this.#schema.tables.get(name) ?? null
  }

  /** The function of that name; null if there is none. */
  routine(name: string): Routine | null {
    return this.#schema.routines.get(name) ?? null
  }

  /** Reads the schema again. Resolves to false if that was done less than a second ago. */
  async refresh(): Promise<boolean> {
    if (this.#refreshing === null) {
      const now = this.#clock.now().getTime()
      // The clock may have been set back, so the difference may be negative.
      if (Math.abs(now - this.#refreshedAt) < MIN_REFRESH_INTERVAL_MS) return false
      this.#refreshedAt = now
      this.#refreshing = this.#reload()
    }
    await this.#refreshing
    return true
  }

  async #reload(): Promise<void> {
    try {
      this.#schema = await readSchema(this.#pool)
    } finally {
      this.#refreshing = null
    }
  }
}

async function readSchema(pool: Pool): Promise<Schema> {
  const rows = await introspectSchema(pool)
  return {
    tables: new Map(rows.tables.map((row) => [row.name, toTable(row)])),
    routines: new Map(rows.routines.map((row) => [row.name, toRoutine(row)])),
  }
}

export function toTable(row: TableRow): Table {
  const columns = toColumns(row.columns)
  const primaryKey = row.primary_key.flatMap((name) => columns.get(name) ?? [])
  return {
    name: row.name,
    identifier: qualified(row.name),
    columns,
    primaryKey,
    hasRowVersions: row.has_row_versions,
  }
}

export function toRoutine(row: RoutineRow): Routine {
  return {
    identifier: qualified(row.name),
    isVolatile: row.is_volatile,
    parameters: new Map(
      row.parameters.map((parameter) => [
        parameter.name,
        {
          name: parameter.name,
          identifier: identifier(parameter.name),
          type: trusted(parameter.type),
          isRequired: parameter.is_required,
        },
      ]),
    ),
    returnsVoid: row.returns_void,
    unsupported: row.unsupported,
    statementTimeout: row.statement_timeout,
  }
}

function toColumns(rows: readonly ColumnRow[]): ReadonlyMap<string, Column> {
  return new Map(
    rows.map((row) => [
      row.name,
      {
        name: row.name,
        identifier: identifier(row.name),
        type: trusted(row.type),
        default: row.default === null ? null : trusted(`(${row.default})`),
      },
    ]),
  )
}

function qualified(name: string): Sql {
  return sql`"public".${identifier(name)}`
}
